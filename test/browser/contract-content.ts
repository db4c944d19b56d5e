import { AbiParameters } from 'ox';
import { compileForTest, openZeppelinSources } from '../kit/verify/compile-for-test.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

export const TOKEN_ADDRESS = '0x1111111111111111111111111111111111111111';
export const COPY_ADDRESS = '0x2222222222222222222222222222222222222222';
export const HOSTILE_ADDRESS = '0x3333333333333333333333333333333333333333';
export const UNKNOWN_ADDRESS = '0x4444444444444444444444444444444444444444';

const TOKEN = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Burnable} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Burnable.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

/// @title A token that can be minted by its owner
contract Token is ERC20, ERC20Burnable, Ownable {
    struct Grant {
        uint128 amount;
        uint64 since;
        bool isRevoked;
    }

    enum Phase { Closed, Open }

    Phase public phase;
    mapping(address holder => Grant[]) public grants;
    Grant public newest;

    /// @notice Somebody was granted tokens.
    event Granted(address indexed to, uint256 amount);
    /// @notice The sale is over.
    error Closed(Phase phase);

    constructor(string memory name, string memory symbol, address owner, uint256[] memory steps)
        ERC20(name, symbol)
        Ownable(owner)
    {
        _mint(owner, 1_000 * 10 ** uint256(decimals()) + steps.length);
    }

    /// @notice Grants new tokens to somebody.
    /// @dev Only the owner may call it; the amount is in the smallest unit.
    /// @param to who gets them
    /// @param amount how many
    function grant(address to, uint128 amount) external onlyOwner {
        if (phase == Phase.Closed) revert Closed(phase);
        newest = Grant(amount, uint64(block.timestamp), false);
        grants[to].push(newest);
        _mint(to, amount);
        emit Granted(to, amount);
    }
}
`;
const TOKEN_INPUT = {
  language: 'Solidity',
  sources: {
    ...openZeppelinSources('@openzeppelin/contracts/token/ERC20/extensions/ERC20Burnable.sol'),
    ...openZeppelinSources('@openzeppelin/contracts/access/Ownable.sol'),
    'contracts/Token.sol': { content: TOKEN },
  },
  settings: { optimizer: { enabled: true, runs: 200 } },
};
const ARGUMENTS = AbiParameters.encode(
  [{ type: 'string' }, { type: 'string' }, { type: 'address' }, { type: 'uint256[]' }],
  ['Lens <b>Token</b>', 'LENS', '0x5555555555555555555555555555555555555555', [1n, 2n ** 200n]],
);

const HOSTILE_PATH = '"><img src=x onerror=alert(1)>/\u202etxt.sol';
const HOSTILE_INPUT = {
  language: 'Solidity',
  sources: {
    [HOSTILE_PATH]: {
      content: `pragma solidity ^0.8.0;
/* \u202e } \u2066if (isAdmin)\u2069 \u2066 begin admins only \u2069\u202c */
// </code></pre><script>alert(1)</script> &lt;b&gt; \u200b zero width
contract Hostile_${'Long'.repeat(40)} {
    /// @notice <script>alert(2)</script> \u200b
    function $_${'a'.repeat(120)}(uint256 value) external pure returns (uint256) { return value; }
    string constant TEXT = "${'<svg onload=alert(3)>'.repeat(150)}";
}
`,
    },
  },
  settings: { optimizer: { enabled: false } },
};
const HOSTILE_NAME = `Hostile_${'Long'.repeat(40)}`;

/** A server with verified contracts, as clients verify them. */
export async function startContractServer(): Promise<TestServer> {
  const token = compileForTest(TOKEN_INPUT, 'contracts/Token.sol', 'Token');
  const hostile = compileForTest(HOSTILE_INPUT, HOSTILE_PATH, HOSTILE_NAME);
  const deployedToken = {
    runtimeBytecode: token.runtime,
    creationBytecode: `${token.bytecode}${ARGUMENTS.slice(2)}`,
    creationTransactionHash: `0x${'ab'.repeat(32)}`,
    deployer: '0x6666666666666666666666666666666666666666',
    blockNumber: 1234567,
  };
  const chain = {
    title: 'Test network',
    static: {
      [TOKEN_ADDRESS]: deployedToken,
      [COPY_ADDRESS]: deployedToken,
      [HOSTILE_ADDRESS]: { runtimeBytecode: hostile.runtime },
      [UNKNOWN_ADDRESS]: { runtimeBytecode: token.runtime },
    },
  };
  const server = await startTestServer({ env: { VERIFY_CHAINS: JSON.stringify({ 296: chain }) } });
  await verify(server, TOKEN_ADDRESS, TOKEN_INPUT, 'contracts/Token.sol:Token');
  await verify(server, COPY_ADDRESS, TOKEN_INPUT, 'contracts/Token.sol:Token');
  await verify(server, HOSTILE_ADDRESS, HOSTILE_INPUT, `${HOSTILE_PATH}:${HOSTILE_NAME}`);
  return server;
}

async function verify(
  { url }: TestServer,
  address: string,
  stdJsonInput: object,
  contractIdentifier: string,
): Promise<void> {
  const answer = await fetch(`${url}/v2/verify/296/${address}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ stdJsonInput, contractIdentifier, compilerVersion: '0.8.30+commit.73712a01' }),
  });
  const { verificationId } = (await answer.json()) as { readonly verificationId: string };
  for (;;) {
    const job = (await (await fetch(`${url}/v2/verify/${verificationId}?wait=30`)).json()) as {
      readonly isJobCompleted: boolean;
      readonly error?: object;
    };
    if (job.error !== undefined) throw new Error(JSON.stringify(job.error));
    if (job.isJobCompleted) return;
  }
}
