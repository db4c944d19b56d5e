import { createRequire } from 'node:module';

export const CHAIN = '1337';

/** A submission of a small contract; each index gives another source. */
export function smallInput(index: number) {
  const name = `Counter${index}`;
  const path = `contracts/${name}.sol`;
  const content = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;
contract ${name} {
    mapping(address => uint256) public counts;
    event Counted(address indexed who, uint256 total);
    function add(uint256 times) external {
        for (uint256 i = 0; i < times; i++) counts[msg.sender] += ${index + 1};
        emit Counted(msg.sender, counts[msg.sender]);
    }
}
`;
  return {
    stdJsonInput: {
      language: 'Solidity',
      sources: { [path]: { content } },
      settings: { optimizer: { enabled: true, runs: 200 } },
    },
    compilerVersion: '0.8.30+commit.73712a01',
    contractIdentifier: `${path}:${name}`,
  };
}

/** The contract with its code as a static chain has it. */
export function aContract(index: number) {
  const submission = smallInput(index);
  const [path = '', name = ''] = submission.contractIdentifier.split(':');
  const require = createRequire(import.meta.url);
  const solc = require('solc/wrapper')(require('solc-0.8.30/soljson.js')) as {
    compile(input: string): string;
  };
  const outputSelection = { '*': { '*': ['evm.bytecode.object', 'evm.deployedBytecode.object'] } };
  const settings = { ...submission.stdJsonInput.settings, outputSelection };
  const output = JSON.parse(solc.compile(JSON.stringify({ ...submission.stdJsonInput, settings }))) as {
    contracts: Record<
      string,
      Record<string, { evm: Record<'bytecode' | 'deployedBytecode', { object: string }> }>
    >;
  };
  const evm = output.contracts[path]?.[name]?.evm;
  if (evm === undefined) throw new Error(`${name} does not compile`);
  return {
    submission,
    address: `0x${(index + 1).toString(16).padStart(40, '0')}`,
    code: {
      creationBytecode: `0x${evm.bytecode.object}`,
      runtimeBytecode: `0x${evm.deployedBytecode.object}`,
    },
  };
}
