// Writes src/commands/demo-contract.json: a contract and its code as a deployment would have left it on a chain.
// Run: npx tsx scripts/write-demo-contract.ts
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

contract Greeter {
    string public greeting;
    event Greeted(address indexed by, string greeting);

    constructor(string memory first) {
        greeting = first;
    }

    function greet(string calldata next) external {
        greeting = next;
        emit Greeted(msg.sender, next);
    }
}
`;
const PATH = 'contracts/Greeter.sol';
/** abi.encode("hello"): offset, length, text. */
const ARGUMENTS =
  '0000000000000000000000000000000000000000000000000000000000000020' +
  '0000000000000000000000000000000000000000000000000000000000000005' +
  `${Buffer.from('hello').toString('hex')}${'00'.repeat(27)}`;

const require = createRequire(import.meta.url);
const solc = require('solc/wrapper')(require('solc-0.8.30/soljson.js')) as {
  version(): string;
  compile(input: string): string;
};
const stdJsonInput = {
  language: 'Solidity',
  sources: { [PATH]: { content: SOURCE } },
  settings: { optimizer: { enabled: true, runs: 200 } },
};
const outputSelection = { '*': { '*': ['evm.bytecode.object', 'evm.deployedBytecode.object'] } };
const output = JSON.parse(
  solc.compile(JSON.stringify({ ...stdJsonInput, settings: { ...stdJsonInput.settings, outputSelection } })),
) as { contracts: Record<string, Record<string, { evm: Record<string, { object: string }> }>> };
const { evm } = output.contracts[PATH]?.['Greeter'] ?? {};

const contract = {
  generatedBy: 'npx tsx scripts/write-demo-contract.ts',
  address: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  submission: {
    stdJsonInput,
    compilerVersion: solc.version().replace('.Emscripten.clang', ''),
    contractIdentifier: `${PATH}:Greeter`,
  },
  creationBytecode: `0x${evm?.['bytecode']?.object}${ARGUMENTS}`,
  runtimeBytecode: `0x${evm?.['deployedBytecode']?.object}`,
};
writeFileSync(
  new URL('../src/commands/demo-contract.json', import.meta.url),
  `${JSON.stringify(contract, null, 2)}\n`,
);
