import { expect, test } from 'vitest';
import { boundOutput } from './read-compiler-output.ts';
import { readSolidityOutput } from './solidity-output.ts';

const TARGET = { path: 'a.sol', name: 'A' };

function output(members: object, sourceMap = '1:2') {
  const code = { object: '60', sourceMap };
  const evm = { bytecode: code, deployedBytecode: code };
  const printed = { contracts: { 'a.sol': { A: { abi: [], metadata: '{}', ...members, evm } } } };
  return (content: string) => {
    const input = { language: 'Solidity' as const, sources: { 'a.sol': { content } } };
    const bounded = boundOutput(readSolidityOutput(printed, input, TARGET, '0.8.30'), input);
    if (bounded.kind !== 'contract') throw new Error(bounded.kind);
    return bounded.contract;
  };
}

/** Two of itself in each, as a struct of structs is printed. */
function nested(depth: number): object {
  const inner = depth === 0 ? [] : [nested(depth - 1), nested(depth - 1)];
  return { name: 'a', type: 'tuple', components: inner };
}

test('what an input has no right to is left out and named, the rest stays', () => {
  const abi = [{ type: 'event', name: 'E', inputs: [nested(16)] }];
  const bounded = output({ abi, metadata: 'm'.repeat(1_200_000), storageLayout: { storage: [] } });
  const contract = bounded('contract A {}');
  expect(contract).toMatchObject({ abi: null, metadata: null, storageLayout: { storage: [] } });
  expect(contract.runtime).toMatchObject({ object: '60', sourceMap: '1:2' });
  expect(contract.leftOut).toEqual(['ABI', 'metadata']);
  expect(bounded(' '.repeat(300_000))).toMatchObject({ abi: null, metadata: expect.any(String) });
});

test('code too long for any chain is refused, whatever its source', () => {
  const printed = (digits: number) => {
    const evm = { bytecode: { object: '60' }, deployedBytecode: { object: '6'.repeat(digits) } };
    return { contracts: { 'a.sol': { A: { abi: [], evm } } } };
  };
  const input = { language: 'Solidity' as const, sources: { 'a.sol': { content: '' } } };
  const bounded = (digits: number) =>
    boundOutput(readSolidityOutput(printed(digits), input, TARGET, '0.8.30'), input);
  expect(bounded(2 * 2_097_152).kind).toBe('contract');
  expect(bounded(2 * 2_097_152 + 2)).toEqual({
    kind: 'unreadable',
    message: 'The compiled code has 2097153 bytes; at most 2097152 are compared',
  });
});

test('no source is long enough for more than lookups can read', () => {
  const bounded = output({ metadata: 'm'.repeat(1_950_000), userdoc: { text: 'u'.repeat(200_000) } });
  const contract = bounded(' '.repeat(5_000_000));
  expect(contract).toMatchObject({ metadata: expect.any(String), userdoc: null });
  expect(contract.leftOut).toEqual(['user documentation']);
});

test('all members share one measure', () => {
  const text = 'm'.repeat(400_000);
  const contract = output({ metadata: text, userdoc: { text }, devdoc: { text } }, text)('contract A {}');
  expect(contract.leftOut).toEqual([
    'developer documentation',
    'source map of the runtime code',
    'source map of the creation code',
  ]);
  expect(contract.creation).toMatchObject({ object: '60', sourceMap: null });
});

test('an output of usual size stays as it is', () => {
  const contract = output({ devdoc: { kind: 'dev' } })('contract A {}');
  expect(contract).toMatchObject({ abi: [], metadata: '{}', devdoc: { kind: 'dev' } });
  expect(contract).not.toHaveProperty('leftOut');
});
