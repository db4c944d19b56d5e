import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { verifyToEnd } from '../../../test/kit/verify/await-job.ts';
import { compileForTest } from '../../../test/kit/verify/compile-for-test.ts';
import {
  type ServeAreaOptions,
  type ServedArea,
  serveArea,
  silentLog,
} from '../../../test/kit/verify/serve-area.ts';

const CHAIN = '1337';
const input = {
  language: 'Solidity',
  sources: { 'a.sol': { content: 'contract A { uint public x = 7; }' } },
};
const submission = { stdJsonInput: input, compilerVersion: '0.8.30', contractIdentifier: 'a.sol:A' };
const { runtime } = compileForTest(input, 'a.sol', 'A');
const addresses = Array.from({ length: 20 }, (_, index) => `0x${(index + 1).toString(16).padStart(40, '0')}`);
const code = { runtimeBytecode: runtime };
const chainsJson = JSON.stringify({
  [CHAIN]: { static: Object.fromEntries(addresses.map((address) => [address, code])) },
});

/** How often a compiler worked. */
async function countRuns({ metrics }: ServedArea): Promise<number> {
  const text = await metrics.getSingleMetricAsString('ledgerlens_verify_compile_seconds');
  return Number(/_count\{end="compiled"\} (\d+)/.exec(text)?.[1] ?? 0);
}

async function withArea<T>(options: ServeAreaOptions, work: (served: ServedArea) => Promise<T>): Promise<T> {
  const served = await serveArea({ chainsJson, firstPollMs: 5000, ...options });
  try {
    return await work(served);
  } finally {
    await served.close();
  }
}

describe('the same input', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ledgerlens-outputs-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('submitted at the same moment for twenty addresses is compiled once', async () => {
    await withArea({}, async (served) => {
      const jobs = await Promise.all(
        addresses.map((address) => verifyToEnd(served.app, `${CHAIN}/${address}`, submission)),
      );
      expect(jobs.map(({ job }) => job.contract['runtimeMatch'])).toEqual(addresses.map(() => 'exact_match'));
      expect(await countRuns(served)).toBe(1);
    });
  });

  test('is not compiled again by the next process, which shows the time of the compilation', async () => {
    const [first, second] = addresses;
    const options = { outputCacheDir: join(folder, 'outputs') };
    const verify = (address = '') =>
      withArea(options, async (served) => {
        const { job } = await verifyToEnd(served.app, `${CHAIN}/${address}`, submission);
        expect(job.contract['runtimeMatch']).toBe('exact_match');
        return { time: job.compilationTime, runs: await countRuns(served) };
      });
    const compiled = await verify(first);
    const kept = await verify(second);
    expect([compiled.runs, kept.runs]).toEqual([1, 0]);
    expect(kept.time).toBe(compiled.time);
  });

  test('is compiled each time when nothing may be kept', async () => {
    await withArea({ outputCacheMiB: 0 }, async (served) => {
      for (const address of addresses.slice(0, 2)) {
        await verifyToEnd(served.app, `${CHAIN}/${address}`, submission);
      }
      expect(await countRuns(served)).toBe(2);
    });
  });
});

test('a compiler that the operator named is loaded after the start, one that is not there is reported', async () => {
  const warnings: object[] = [];
  const log = { ...silentLog, warn: (fields: object) => warnings.push(fields) };
  await withArea({ preload: ['0.8.99', 'v0.8.30'], log }, async ({ area }) => {
    await expect.poll(() => area.loadedCompilers).toBe(1);
    expect(warnings).toMatchObject([{ version: '0.8.99' }]);
  });
});
