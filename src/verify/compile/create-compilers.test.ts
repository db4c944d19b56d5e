import { describe, expect, test } from 'vitest';
import { aCompilation } from '../../../test/kit/verify/a-verification.ts';
import type { CompileOutcome, CompileRequest, Compiler } from './compiler.ts';
import type { CompilerCatalog } from './compiler-catalog.ts';
import { withSteps } from './create-compilers.ts';
import type { KeptOutput, OutputCache } from './reuse/output-cache.ts';

const VERSION = '0.8.30+commit.73712a01';

/** A catalog with one compiler, a compiler whose runs the test ends, and a cache in memory. */
function aCompilerWithSteps({ cache }: { readonly cache?: Partial<OutputCache> } = {}) {
  const runs: { request: CompileRequest; end: (outcome?: CompileOutcome) => void }[] = [];
  const kept = new Map<string, KeptOutput>();
  const faults: unknown[] = [];
  const catalog: CompilerCatalog = {
    async find({ version }, options) {
      // Only the compiler itself may wait for a download.
      if (version === '0.8.99' && options?.mayDownload === false) return { kind: 'missing', lookedIn: [] };
      return {
        kind: 'found',
        executable: { kind: 'wasm', path: 'soljson.js', sha256: null, version: VERSION },
      };
    },
    async list() {
      return { compilers: [], problems: [] };
    },
  };
  const runner: Compiler = {
    compile: (request) =>
      new Promise((resolve, reject) => {
        request.signal.addEventListener('abort', () => reject(request.signal.reason));
        runs.push({ request, end: (outcome = compiled(request)) => resolve(outcome) });
      }),
  };
  const compiler = withSteps('solc', runner, {
    catalog,
    cache: {
      read: async (key) => kept.get(key) ?? null,
      write: async (key, output) => void kept.set(key, output),
      settled: async () => {},
      ...cache,
    },
    measureRuns: (next) => next,
    jobTimeoutMs: 100_000,
    onHit() {},
    onJoin() {},
    onFault: (error) => faults.push(error),
  });
  /** Waits until so many runs have begun. */
  const begun = async (count: number) => {
    await expect.poll(() => runs.length, { interval: 1 }).toBe(count);
    return runs;
  };
  return { compiler, runs, begun, kept, faults };
}

function compiled({ input }: CompileRequest): CompileOutcome {
  return { kind: 'compiled', compilation: { ...aCompilation({}), input }, milliseconds: 12 };
}

const TIMED_OUT: CompileOutcome = {
  kind: 'failed',
  failure: { code: 'compiler_timeout', data: { seconds: 100 } },
  milliseconds: 5,
};

function aRequest({
  content = 'contract A {}',
  ...change
}: Partial<CompileRequest> & { content?: string } = {}) {
  const request: CompileRequest = {
    input: { language: 'Solidity', sources: { 'a.sol': { content } } },
    version: VERSION,
    target: { path: 'a.sol', name: 'A' },
    scope: 'target',
    timeoutMs: 100_000,
    signal: new AbortController().signal,
    ...change,
  };
  return request;
}

describe('requests in flight', () => {
  test('share one run when they are equal, under a short version too', async () => {
    const { compiler, begun } = aCompilerWithSteps();
    const all = Array.from({ length: 20 }, (_, index) =>
      compiler.compile(aRequest({ version: index % 2 === 0 ? '0.8.30' : VERSION })),
    );
    const [run] = await begun(1);
    run?.end();
    const outcomes = await Promise.all(all);
    expect(new Set(outcomes)).toHaveLength(1);
    await begun(1);
  });

  test('do not share when source, target or scope differ', async () => {
    const { compiler, begun } = aCompilerWithSteps();
    void compiler.compile(aRequest());
    void compiler.compile(aRequest({ content: 'contract A { }' }));
    void compiler.compile(aRequest({ target: { path: 'a.sol', name: 'B' } }));
    void compiler.compile(aRequest({ scope: 'all' }));
    await begun(4);
  });

  test('leave alone; the run is stopped when nobody waits any more, and nobody joins it then', async () => {
    const { compiler, runs, begun } = aCompilerWithSteps();
    const [first, second] = [new AbortController(), new AbortController()];
    const left = [first, second].map(({ signal }) => compiler.compile(aRequest({ signal })));
    const settled = Promise.allSettled(left);
    await begun(1);
    first.abort(new Error('first'));
    await expect(left[0]).rejects.toThrow('first');
    expect(runs[0]?.request.signal.aborted).toBe(false);
    second.abort(new Error('second'));
    const later = compiler.compile(aRequest());
    await expect(left[1]).rejects.toThrow('second');
    expect(runs[0]?.request.signal.aborted).toBe(true);
    await settled;
    (await begun(2))[1]?.end();
    expect(await later).toMatchObject({ kind: 'compiled' });
  });

  test('with more time than the run begin anew when that was not enough', async () => {
    const { compiler, begun } = aCompilerWithSteps();
    const short = compiler.compile(aRequest({ timeoutMs: 5000 }));
    const long = compiler.compile(aRequest({ timeoutMs: 100_000 }));
    (await begun(1))[0]?.end(TIMED_OUT);
    expect(await short).toEqual(TIMED_OUT);
    (await begun(2))[1]?.end();
    expect(await long).toMatchObject({ kind: 'compiled' });
  });

  test('with less time than the run give up at their own limit', async () => {
    const { compiler, begun } = aCompilerWithSteps();
    const long = compiler.compile(aRequest());
    const short = compiler.compile(aRequest({ timeoutMs: 1 }));
    expect(await short).toMatchObject({ kind: 'failed', failure: { code: 'compiler_timeout' } });
    (await begun(1))[0]?.end();
    expect(await long).toMatchObject({ kind: 'compiled' });
  });

  test('bring the compiler that was found, so that it is looked for once', async () => {
    const { compiler, begun } = aCompilerWithSteps();
    void compiler.compile(aRequest());
    const [run] = await begun(1);
    expect(run?.request.resolved?.executable).toMatchObject({ path: 'soljson.js', version: VERSION });
  });

  test('go to the compiler itself when it is not present', async () => {
    const { compiler, begun } = aCompilerWithSteps();
    void compiler.compile(aRequest({ version: '0.8.99' }));
    const [run] = await begun(1);
    expect(run?.request).not.toHaveProperty('resolved');
  });
});

describe('kept outputs', () => {
  test('answer the same input without the compiler, with the time of the run that made them', async () => {
    const { compiler, begun, kept } = aCompilerWithSteps();
    const first = compiler.compile(aRequest());
    (await begun(1))[0]?.end();
    await first;
    const { input } = aRequest();
    const again = Object.fromEntries(Object.entries(input).reverse()) as CompileRequest['input'];
    const outcome = await compiler.compile(aRequest({ input: again }));
    expect(outcome).toMatchObject({ kind: 'compiled', milliseconds: 12, isKept: true });
    expect(outcome.kind === 'compiled' && outcome.compilation.input).toBe(again);
    expect([...kept.values()][0]?.compilation).not.toHaveProperty('input');
    await begun(1);
  });

  test('are known before they are written', async () => {
    const { compiler, begun } = aCompilerWithSteps({ cache: { write: () => new Promise(() => {}) } });
    const first = compiler.compile(aRequest());
    (await begun(1))[0]?.end();
    await first;
    expect(await compiler.compile(aRequest())).toMatchObject({ isKept: true });
  });

  test('are read once while the same input comes again', async () => {
    const read: string[] = [];
    const output = { compilation: aCompilation({}), milliseconds: 12 };
    const { compiler } = aCompilerWithSteps({
      cache: {
        read: async (key) => {
          read.push(key);
          return output;
        },
      },
    });
    const contents = ['contract A {}', 'contract A {}', 'contract A { uint x; }', 'contract A {}'];
    for (const content of contents) {
      expect(await compiler.compile(aRequest({ content }))).toMatchObject({ isKept: true });
    }
    expect(read).toHaveLength(3);
    expect(new Set(read).size).toBe(2);
  });

  test('are never failures', async () => {
    const { compiler, begun, kept } = aCompilerWithSteps();
    const first = compiler.compile(aRequest());
    (await begun(1))[0]?.end(TIMED_OUT);
    await first;
    expect(kept.size).toBe(0);
    void compiler.compile(aRequest());
    await begun(2);
  });

  test('that cannot be read or written leave the compiler to work', async () => {
    const broken = async () => {
      throw new Error('disk full');
    };
    const { compiler, begun, faults } = aCompilerWithSteps({ cache: { read: broken, write: broken } });
    const first = compiler.compile(aRequest());
    (await begun(1))[0]?.end();
    expect(await first).toMatchObject({ kind: 'compiled' });
    await expect.poll(() => faults.length).toBe(2);
  });
});
