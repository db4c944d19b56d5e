import { describe, expect, test } from 'vitest';
import { ChainUnavailableError, type ContractCodeSource } from '../chain/contract-code-source.ts';
import { failure } from '../model/job-failure.ts';
import type { Submission } from '../model/submission.ts';
import { runVerification } from './run-verification.ts';

const ADDRESS = `0x${'ab'.repeat(20)}` as const;
const HASH = `0x${'12'.repeat(32)}` as const;

/** A job whose compilation fails at once, so that only the chain decides how long it takes. */
async function run(
  source: Partial<ContractCodeSource>,
  hash: typeof HASH | null,
  { signal = new AbortController().signal, searchMs = 20 } = {},
) {
  const warnings: string[] = [];
  const compiler = {
    compile: async () => ({
      kind: 'failed' as const,
      failure: failure('no_compiler_output'),
      milliseconds: 1,
    }),
  };
  const submission: Submission = {
    kind: 'standard_json',
    input: { language: 'Solidity', sources: {}, settings: {} },
    compilerVersion: '0.8.30',
    target: { path: 'a.sol', name: 'A' },
    creationTransactionHash: hash,
  };
  const result = await runVerification(
    { runtimeCode: async () => Uint8Array.of(1), creation: async () => null, ...source },
    ADDRESS,
    submission,
    {
      compilers: { Solidity: compiler, Yul: compiler, Vyper: compiler, Fe: compiler },
      search: { findOriginal: async () => null, findFiles: async () => null },
      gateway: null,
      candidates: {
        find: async () => [],
        read: () => Promise.reject(new Error('none')),
      },
      compileTimeoutMs: 1000,
      creationReadMs: 20,
      creationSearchMs: searchMs,
      onCodeUnavailable: () => {},
      onCreationUnavailable: () => {},
    },
    { signal, enter: () => {}, warn: (text) => warnings.push(text) },
  );
  return { result, warnings };
}

describe('the creation transaction of a job', () => {
  test('that the client named wrongly is told in a warning', async () => {
    const { warnings } = await run({}, HASH);
    expect(warnings).toEqual([
      `The transaction ${HASH} did not create this contract; the creation code was not compared.`,
    ]);
  });

  test.each<[string, ContractCodeSource['creation']]>([
    ['has no answer', () => new Promise(() => {})],
    ['fails', async () => Promise.reject(new ChainUnavailableError('eth_getTransactionByHash', ['down']))],
  ])(
    'delays the result no longer than its time, and a warning tells when reading it %s',
    async (_, creation) => {
      const { result, warnings } = await run({ creation }, HASH);
      expect(result).toMatchObject({ kind: 'failed', failure: { code: 'no_compiler_output' } });
      expect(warnings).toEqual([
        `The creation transaction ${HASH} could not be read from the chain; the creation code was not compared.`,
      ]);
    },
  );

  test('that only traces can tell is told with the advice of the source', async () => {
    const advice = 'It needs traces.';
    const creation = async () => Promise.reject(new ChainUnavailableError('traces', ['none'], { advice }));
    expect((await run({ creation }, HASH)).warnings).toEqual([
      `The creation transaction ${HASH} could not be read from the chain; the creation code was not compared.`,
      advice,
    ]);
    expect((await run({ creation }, null)).warnings).toEqual([]);
  });

  test('that is of an earlier life of the address is told in a warning', async () => {
    const earlier = {
      creationCode: Uint8Array.of(1),
      transactionHash: HASH,
      blockNumber: 1n,
      transactionIndex: 0,
      deployer: null,
      life: 'earlier',
    } as const;
    const { result, warnings } = await run({ creation: async () => earlier }, HASH);
    expect(result).toMatchObject({ bytecodes: { onchainCreation: null, creationTransactionHash: null } });
    expect(warnings).toEqual([expect.stringContaining('an earlier contract at this address')]);
  });

  test('that nobody named is searched for the configured time without a warning', async () => {
    const { result, warnings } = await run({ creation: () => new Promise(() => {}) }, null);
    expect(result.kind).toBe('failed');
    expect(warnings).toEqual([]);
  });
});

test('a job that is stopped waits for no chain', async () => {
  const stop = new AbortController();
  const searching = run(
    {
      creation: () => {
        stop.abort();
        return new Promise(() => {});
      },
    },
    null,
    { signal: stop.signal, searchMs: 1_000_000 },
  );
  expect((await searching).result.kind).toBe('failed');
  const fetching = run(
    {
      runtimeCode: async (_address, signal) => {
        signal?.throwIfAborted();
        return Uint8Array.of(1);
      },
    },
    null,
    { signal: stop.signal },
  );
  await expect(fetching).rejects.toThrow(/aborted/);
});

test('code that no source can give ends the job, with the advice of the source as a warning', async () => {
  const advice = 'Import the sidecars.';
  const { result, warnings } = await run(
    {
      runtimeCode: async () => Promise.reject(new ChainUnavailableError('code', ['none'], { advice })),
    },
    null,
  );
  expect(result).toMatchObject({ kind: 'failed', failure: { code: 'cannot_fetch_bytecode' } });
  expect(warnings).toEqual([advice]);
});
