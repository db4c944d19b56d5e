import { expect, test } from 'vitest';
import { aCompilation } from '../../../../test/kit/verify/a-verification.ts';
import type { Compiler, OutputScope } from '../../compile/compiler.ts';
import type { AttemptContext } from './attempt-compilation.ts';
import { attemptStandardJson } from './attempt-standard-json.ts';

/** A compiler whose code has the number of files in it, or not; `a.sol` needs `b.sol`, and immutables have ids. */
function aContext(letsFilesIntoCode: boolean, limitMs = 1000) {
  const runs: { readonly paths: readonly string[]; readonly scope: OutputScope }[] = [];
  const compiler: Compiler = {
    async compile({ input, scope, timeoutMs }) {
      const paths = Object.keys(input.sources);
      runs.push({ paths, scope });
      if (timeoutMs < 10)
        return { kind: 'failed', failure: { code: 'compiler_timeout', data: null }, milliseconds: 1 };
      const base = aCompilation({});
      const object = `60${letsFilesIntoCode ? `0${paths.length}` : '01'}6000`;
      const metadata = JSON.stringify({ sources: { 'a.sol': {}, 'b.sol': {} } });
      const immutableReferences = { [String(paths.length)]: [{ start: 3, length: 1 }] };
      const compilation = {
        ...base,
        input,
        scope,
        metadata,
        creation: { ...base.creation, object },
        runtime: { ...base.runtime, object, immutableReferences },
      };
      return { kind: 'compiled', compilation, milliseconds: 10 };
    },
  };
  let spentMs = 0;
  const context: AttemptContext = {
    compilers: { Solidity: compiler, Yul: compiler, Vyper: compiler, Fe: compiler },
    search: { findOriginal: async () => null, findFiles: async () => Promise.reject(new Error('none')) },
    gateway: null,
    candidates: { find: async () => [], read: () => Promise.reject(new Error('none')) },
    onchain: {
      address: '0x',
      runtime: Uint8Array.from([0x60, letsFilesIntoCode ? 3 : 1, 0x60, 0x07]),
      creation: async () => null,
    },
    budget: {
      totalMs: limitMs,
      remainingMs: () => limitMs - spentMs,
      spend: (milliseconds) => {
        spentMs += milliseconds;
      },
    },
    progress: { signal: new AbortController().signal, enter: () => {}, warn: () => {} },
  };
  return { context, runs };
}

const NEEDED = ['a.sol', 'b.sol'];
const ALL = [...NEEDED, 'unneeded.sol'];
const sourceOf = (paths: readonly string[]) => ({
  input: {
    language: 'Solidity' as const,
    sources: Object.fromEntries(paths.map((path) => [path, { content: '' }])),
  },
  compilerVersion: '0.8.30+commit.73712a01',
  target: { path: 'a.sol', name: 'A' },
});

test.each([
  ['are left out when the code is the same, with the ids of the rest', false, ALL, 1000, NEEDED, 2],
  ['stay when the code is other without them', true, ALL, 1000, ALL, 2],
  ['stay when the time of the job does not suffice', false, ALL, 15, ALL, 2],
  ['cost nothing when there are none', false, NEEDED, 1000, NEEDED, 1],
])('files that the contract does not need %s', async (_, intoCode, submitted, limitMs, kept, count) => {
  const { context, runs } = aContext(intoCode, limitMs);
  const attempt = await attemptStandardJson(context, sourceOf(submitted));
  if (attempt.kind === 'failed') throw new Error(attempt.failure.code);
  const { compilation, matches, milliseconds, refusal } = attempt;
  expect(refusal).toBe(null);
  expect(Object.keys(compilation.input.sources)).toEqual(kept);
  expect(matches.runtime?.transformations).toMatchObject([{ reason: 'immutable', id: String(kept.length) }]);
  expect(milliseconds).toBe(10);
  expect(runs).toHaveLength(count);
  expect(new Set(runs.map(({ scope }) => scope)).size).toBe(1);
});
