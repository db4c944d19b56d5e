/** A contract with an immutable and constructor arguments: a number and a text. */
export const COUNTER_SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
// Counts from a number on.
contract Counter {
  uint256 public immutable start;
  uint256 public steps;
  string public label;
  constructor(uint256 first, string memory name) { start = first; label = name; }
  function step() external { steps += 1; }
}
`;

/** The same code with another comment: only the metadata differ. */
export const COUNTER_WITH_OTHER_COMMENT = COUNTER_SOURCE.replace('Counts from', 'Goes on from');

/** Other code of the same length. */
export const OTHER_COUNTER_SOURCE = COUNTER_SOURCE.replace('steps += 1', 'steps += 2');

/** A library and a contract that needs it, with one constructor argument. */
export const DOUBLER_SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
library Doubling {
  function twice(uint256 number) public pure returns (uint256) { return number * 2; }
}
contract Doubler {
  uint256 public immutable number;
  constructor(uint256 first) { number = first; }
  function twice() external view returns (uint256) { return Doubling.twice(number); }
}
`;

/** First account of every anvil; a public test key. */
export const PRIVATE_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
