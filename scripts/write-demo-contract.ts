// Writes src/commands/demo-contract.json: a contract and its code as a deployment would have left it on a chain.
// Run: npx tsx scripts/write-demo-contract.ts
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { toHex } from '../src/values/hex.ts';
import { keccak256 } from '../src/values/keccak256.ts';

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
const [FIRST, NEXT] = ['hello', 'Greetings to all visitors!'];

/** Hex digits of a number of 32 bytes. */
const word = (value: number) => value.toString(16).padStart(64, '0');
const hexOf = (text: string) => Buffer.from(text).toString('hex').padEnd(64, '0');
/** `abi.encode` of a text of up to 31 bytes: offset, length, text. */
const encoded = (text: string) => `${word(32)}${word(text.length)}${hexOf(text)}`;
/** What storage has of it: the text, and twice its length in the last byte. */
const stored = (text: string) => `0x${hexOf(text).slice(0, 62)}${word(2 * text.length).slice(62)}`;

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
const outputs = ['evm.bytecode.object', 'evm.deployedBytecode.object', 'evm.methodIdentifiers'];
const outputSelection = { '*': { '*': outputs } };
const output = JSON.parse(
  solc.compile(JSON.stringify({ ...stdJsonInput, settings: { ...stdJsonInput.settings, outputSelection } })),
) as { contracts: Record<string, Record<string, { evm: Record<string, Record<string, string>> }>> };
const { evm } = output.contracts[PATH]?.['Greeter'] ?? {};

const contract = {
  generatedBy: 'npx tsx scripts/write-demo-contract.ts',
  address: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  submission: {
    stdJsonInput,
    compilerVersion: solc.version().replace('.Emscripten.clang', ''),
    contractIdentifier: `${PATH}:Greeter`,
  },
  creationBytecode: `0x${evm?.['bytecode']?.['object']}${encoded(FIRST)}`,
  runtimeBytecode: `0x${evm?.['deployedBytecode']?.['object']}`,
  call: {
    input: `0x${evm?.['methodIdentifiers']?.['greet(string)']}${encoded(NEXT)}`,
    topic: toHex(keccak256(Buffer.from('Greeted(address,string)'))),
    data: `0x${encoded(NEXT)}`,
    slot: '0x',
    before: stored(FIRST),
    after: stored(NEXT),
  },
};
writeFileSync(
  new URL('../src/commands/demo-contract.json', import.meta.url),
  `${JSON.stringify(contract, null, 2)}\n`,
);
