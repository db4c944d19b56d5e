import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyToEnd } from '../../../test/kit/verify/await-job.ts';
import { compileForTest } from '../../../test/kit/verify/compile-for-test.ts';
import { MOCK_CHAINS, type MockContract, mockChainFetch } from '../../../test/kit/verify/mock-chain.ts';
import { runConstructor } from '../../../test/kit/verify/run-constructor.ts';
import { type ServedArea, serveArea } from '../../../test/kit/verify/serve-area.ts';

/** `step` is always addOne; `chosen` is one of two by the constructor's argument. */
const SOURCE = `pragma solidity ^0.8.0;
abstract contract Base {
  uint256 public total;
  function() internal returns (uint256) immutable step;
  constructor() { step = addOne; }
  function addOne() internal virtual returns (uint256) { total += 1; return total; }
  function addTwo() internal returns (uint256) { total += 2; return total; }
}
contract Child { fallback() external payable { assembly { if callvalue() { selfdestruct(caller()) } } } }
contract A is Base {
  function() internal returns (uint256) immutable chosen;
  constructor(bool other) { function() internal returns (uint256) f = other ? addTwo : addOne; chosen = f; }
  function addOne() internal override returns (uint256) { total += 3; return total; }
  function run() external returns (uint256) { return step() + chosen(); }
  function make() external returns (address) { return address(new Child()); }
}`;

const contracts = new Map<string, MockContract>();
let served: ServedArea;
beforeAll(async () => {
  served = await serveArea({ chainsJson: MOCK_CHAINS, fetch: mockChainFetch(contracts) });
});
afterAll(() => served.close());

let next = 0;
const addressOf = () => `0x${(++next).toString(16).padStart(40, '0')}`;
const hex = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}`;
const word = (value: number) => value.toString(16).padStart(64, '0');

describe.each([
  ['as jump destinations', {}],
  ['as jump destinations of optimised code', { optimizer: { enabled: true } }],
  ['as numbers', { viaIR: true, optimizer: { enabled: true } }],
])('immutables that point to internal functions, %s', (_, settings) => {
  const input = { language: 'Solidity', sources: { 'a.sol': { content: SOURCE } }, settings };
  const { bytecode } = compileForTest(input, 'a.sol', 'A');
  const creation = `${bytecode}${word(1)}`;
  const honest = hex(runConstructor(Buffer.from(creation.slice(2), 'hex')));
  const other = hex(runConstructor(Buffer.from(`${bytecode.slice(2)}${word(0)}`, 'hex')));
  const words = (code: string) =>
    [...code.matchAll(/7f(0{48}[0-9a-f]{16})(?!0{64})/g)].map(([, found = '']) => found);
  const [step = '', chosen = ''] = [...new Set(words(honest))].sort(
    (left, right) => Number(words(other).includes(right)) - Number(words(other).includes(left)),
  );
  const swapped = honest.replaceAll(/0{48}[0-9a-f]{16}/g, (found) =>
    found === step ? chosen : found === chosen ? step : found,
  );
  // Into the creation code of Child, or to no function at all.
  const code = Buffer.from(honest.slice(2), 'hex');
  const away = honest.replaceAll(step, word('viaIR' in settings ? 99 : code.lastIndexOf(0x5b)));
  const submission = {
    stdJsonInput: input,
    compilerVersion: '0.8.30+commit.73712a01',
    contractIdentifier: 'a.sol:A',
  };
  const submit = async (contract: MockContract, kind = '') => {
    const address = addressOf();
    const { transactionHash } = contract;
    contracts.set(address, contract);
    const named = transactionHash === undefined ? {} : { creationTransactionHash: transactionHash };
    const body = kind === '' ? { ...submission, ...named } : named;
    return (await verifyToEnd(served.app, `${kind}31337/${address}`, body)).job;
  };
  const created = (runtime: string) => ({ runtime, creation, transactionHash: `0x${word(next + 1)}` });

  test('are exact where the creation code shows what they are', async () => {
    expect(step).not.toBe(chosen);
    expect(swapped).not.toBe(honest);
    expect(away).not.toBe(honest);
    const job = await submit(created(honest));
    expect(job.contract).toMatchObject({ creationMatch: 'exact_match', runtimeMatch: 'exact_match' });
    expect(job).not.toHaveProperty('warnings');
  });

  test('are never exact without the creation code, by similarity neither', async () => {
    for (const kind of ['', 'similarity/']) {
      const job = await submit({ runtime: honest }, kind);
      expect(job.contract).toMatchObject({ creationMatch: null, runtimeMatch: 'match' });
      expect(job.warnings).toEqual([expect.stringContaining('point to internal functions')]);
    }
    const life = { after: null };
    const job = await submit({ ...created(honest), ...life });
    expect(job.contract).toMatchObject({ match: 'match', runtimeMatch: 'match' });
  });

  test('hold nothing but what the constructor stores', async () => {
    for (const runtime of [swapped, away]) {
      expect((await submit({ runtime })).error?.customCode).toMatch(/^(no_match|extra_file_input_bug)$/);
      expect((await submit({ runtime }, 'similarity/')).error?.customCode).toBe('no_similar_match_found');
      expect((await submit(created(runtime))).contract).toMatchObject({
        match: 'match',
        creationMatch: 'match',
        runtimeMatch: null,
      });
    }
  });

  test('are looked for in code that is too short for them without a fault', async () => {
    const runtime = honest.slice(0, 2 + 2 * 80);
    expect((await submit({ runtime })).error?.customCode).toMatch(/^(no_match|bytecode_length_mismatch)$/);
    expect((await submit({ runtime }, 'similarity/')).error?.customCode).toBe('no_similar_match_found');
  });
});
