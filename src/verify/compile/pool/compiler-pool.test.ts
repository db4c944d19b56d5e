import { createRequire } from 'node:module';
import { afterEach, describe, expect, test } from 'vitest';
import { selectOutput } from '../solidity/solidity-compiler.ts';
import { CompilerPool, type CompilerPoolOptions } from './compiler-pool.ts';

const require = createRequire(import.meta.url);
const SOLC = {
  kind: 'wasm',
  path: require.resolve('solc-0.8.30/soljson.js'),
  sha256: null,
  version: '0.8.30+commit.73712a01',
} as const;
const OLDER = { ...SOLC, path: require.resolve('solc-0.7.6/soljson.js'), version: '0.7.6+commit.7338295f' };
const OLDEST = {
  ...SOLC,
  path: require.resolve('solc-0.6.12/soljson.js'),
  version: '0.6.12+commit.27d51765',
};
const aTask = (content: string) => {
  const target = { path: 'a.sol', name: 'A' };
  const sources = { 'a.sol': { content } };
  return { target, input: selectOutput({ language: 'Solidity', sources }, target, 'target') };
};
const TASK = aTask('contract A {}');
const LIMITS = { timeoutMs: 60_000, signal: new AbortController().signal };
const NO_RECYCLING = { threadBytes: 1e12, runs: 1000, processBytes: 1e12, processPauseMs: 0 };

let pool: CompilerPool;
afterEach(() => pool.close());
const aPool = (options: Partial<CompilerPoolOptions>) => {
  pool = new CompilerPool({ workers: 2, memoryLimitMiB: 1024, recycling: NO_RECYCLING, ...options });
  return pool;
};

describe('a thread of the pool', () => {
  test('is ended when it has nothing to do, and the next task gets another one', async () => {
    aPool({ idleMs: 1 });
    expect(await pool.run(SOLC, TASK, LIMITS)).toMatchObject({ kind: 'result' });
    await expect.poll(() => pool.size).toBe(0);
    expect(await pool.run(SOLC, TASK, LIMITS)).toMatchObject({ kind: 'result' });
  });

  test('stays when its compiler was preloaded', async () => {
    aPool({ idleMs: 1 });
    await pool.preload(SOLC);
    await pool.run(OLDER, TASK, LIMITS);
    await expect.poll(() => pool.size).toBe(1);
    expect(await pool.version(SOLC.path)).toMatch(/^0\.8\.30/);
    expect(pool.size).toBe(1);
  });

  test('is not kept when its compiler has taken too much memory', async () => {
    aPool({ recycling: { ...NO_RECYCLING, threadBytes: 1000 } });
    await pool.run(SOLC, TASK, LIMITS);
    expect(pool.size).toBe(1);
    const functions = Array.from({ length: 800 }, (_, index) => `function f${index}() public {}`);
    const result = await pool.run(SOLC, aTask(`contract A { ${functions.join(' ')} }`), LIMITS);
    expect(result).toMatchObject({ kind: 'result', memoryBytes: expect.any(Number) });
    expect(pool.size).toBe(0);
  });

  test('is not kept when the process has taken too much memory', async () => {
    aPool({ recycling: { ...NO_RECYCLING, processBytes: 1 }, processBytes: () => 2 });
    await pool.run(SOLC, TASK, LIMITS);
    expect(pool.size).toBe(0);
  });

  test('is not used for a file that was replaced', async () => {
    aPool({});
    await pool.run(SOLC, TASK, LIMITS);
    const replaced = { ...SOLC, sha256: '0'.repeat(64) };
    expect(await pool.run(replaced, TASK, LIMITS)).toMatchObject({
      kind: 'crashed',
      message: expect.stringContaining('the file is not run'),
    });
  });

  test('makes place for another compiler, a preloaded one after all others', async () => {
    // Seen by the second run of the same thread, which is its last.
    aPool({ recycling: { ...NO_RECYCLING, runs: 2 } });
    await pool.preload(SOLC);
    for (const compiler of [SOLC, OLDER, OLDEST]) await pool.run(compiler, TASK, LIMITS);
    expect(pool.size).toBe(2);
    await pool.run(SOLC, TASK, LIMITS);
    expect(pool.size).toBe(1);
  });

  test('makes place for another compiler', async () => {
    aPool({ workers: 1 });
    await pool.run(SOLC, TASK, LIMITS);
    expect(await pool.run(OLDER, TASK, LIMITS)).toMatchObject({ kind: 'result' });
    expect(pool.size).toBe(1);
  });
});
