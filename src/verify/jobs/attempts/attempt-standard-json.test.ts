import { describe, expect, test } from 'vitest';
import { aCompilation } from '../../../../test/kit/verify/a-verification.ts';
import type { Compiler } from '../../compile/compiler.ts';
import type { AttemptContext } from './attempt-compilation.ts';
import { attemptStandardJson } from './attempt-standard-json.ts';

/** A compiler whose code is other than that on chain each time, and a job with a limit. */
function aContext(runMs: number, totalMs: number) {
  let runs = 0;
  let spentMs = 0;
  const compiler: Compiler = {
    async compile({ input }) {
      runs++;
      const base = aCompilation({});
      const object = `60${runs.toString(16).padStart(2, '0')}600055`;
      return {
        kind: 'compiled',
        compilation: {
          ...base,
          input,
          compiler: { language: 'Vyper', version: '0.3.7+commit.6020b8bb' },
          creation: { ...base.creation, object },
          runtime: { ...base.runtime, object },
        },
        milliseconds: runMs,
      };
    },
  };
  const context: AttemptContext = {
    compilers: { Solidity: compiler, Yul: compiler, Vyper: compiler, Fe: compiler },
    search: { findOriginal: async () => null, findFiles: async () => Promise.reject(new Error('none')) },
    gateway: null,
    candidates: {
      find: async () => [],
      read: () => Promise.reject(new Error('none')),
    },
    onchain: {
      address: '0x',
      runtime: Uint8Array.from([0x60, 0xff, 0x60, 0, 0x55]),
      creation: async () => null,
    },
    budget: {
      totalMs,
      remainingMs: () => Math.max(1, totalMs - spentMs),
      spend: (milliseconds) => {
        spentMs += milliseconds;
      },
    },
    progress: { signal: new AbortController().signal, enter: () => {}, warn: () => {} },
  };
  return { context, runs: () => runs };
}

const SOURCE = {
  input: { language: 'Vyper', sources: { 'a.vy': { content: '' } } },
  compilerVersion: '0.3.7+commit.6020b8bb',
  target: { path: 'a.vy', name: 'a' },
} as const;

describe('attemptStandardJson', () => {
  test.each([
    ['twenty runs', 10, 20],
    ['the time of the job', 300, 4],
  ])('repeats a compiler that does not give the same code each time until %s', async (_, runMs, expected) => {
    const { context, runs } = aContext(runMs, 1000);
    expect(await attemptStandardJson(context, SOURCE)).toMatchObject({ refusal: { code: 'no_match' } });
    expect(runs()).toBe(expected);
  });
});
