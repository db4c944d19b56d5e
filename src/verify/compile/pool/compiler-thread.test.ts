import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { selectOutput } from '../solidity/solidity-compiler.ts';
import { CompilerThread } from './compiler-thread.ts';

const require = createRequire(import.meta.url);
const MIB = 1_048_576;
const LIMITS = { timeoutMs: 60_000, signal: new AbortController().signal };

function aTask(functions: number) {
  const target = { path: 'a.sol', name: 'A' };
  const body = Array.from(
    { length: functions },
    (_, index) => `function f${index}(uint a) public returns (uint) { x = x + a * ${index}; return x + a; }`,
  ).join(' ');
  const sources = { 'a.sol': { content: `contract A { uint x; ${body} }` } };
  return { target, input: selectOutput({ language: 'Solidity', sources }, target, 'target') };
}

describe('the memory of a compiler', () => {
  // The first is asm.js, whose heap is a buffer that the engine's limit does not count.
  test.each(['solc-0.4.26', 'solc-0.6.12'])('is bounded and known: %s (issue 12)', async (name) => {
    const setup = { path: require.resolve(`${name}/soljson.js`), sha256: null };
    const run = async (memoryMiB: number) => {
      const limits = { heapMiB: 1024, loadTimeoutMs: 60_000 };
      const thread = new CompilerThread({ ...setup, memoryLimitBytes: memoryMiB * MIB }, limits);
      try {
        return [await thread.run(aTask(400), LIMITS), thread.memoryBytes] as const;
      } finally {
        await thread.close();
      }
    };
    const [result, memoryBytes] = await run(1024);
    expect(result).toMatchObject({ kind: 'result', output: { kind: 'contract' } });
    expect(memoryBytes).toBeGreaterThan(20 * MIB);
    const [refused] = await run(20);
    expect(refused).toMatchObject({ kind: 'out_of_memory' });
  });
});

// Node 24 ends the whole process otherwise, now and then: a stopping server with it.
test('a thread that is closed while it loads is ended after that', async () => {
  const setup = {
    path: require.resolve('solc-0.8.30/soljson.js'),
    sha256: null,
    memoryLimitBytes: 1024 * MIB,
  };
  const thread = new CompilerThread(setup, { heapMiB: 1024, loadTimeoutMs: 60_000 });
  await thread.close();
  expect(await thread.version).toContain('0.8.30+commit.73712a01');
  expect(thread.hasEnded).toBe(true);
});
