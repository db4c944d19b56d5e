import { setTimeout } from 'node:timers/promises';
import { type BareCompiler, startBareCompiler } from './bare-compiler.ts';
import { aSubmission, type ContractSize } from './bench-contracts.ts';
import type { BenchmarkResult } from './benchmarks.ts';
import { median, percentile } from './statistics.ts';
import {
  type DeployedContract,
  type VerificationServer,
  withVerificationServer,
} from './verification-server.ts';

/** Milliseconds from the request to the finished job that issue 3 allows. */
const BARS: Readonly<Record<ContractSize, number>> = { small: 100, medium: 1300, heavy: 6000 };
const ROUNDS: Readonly<Record<ContractSize, { readonly warmUp: number; readonly measured: number }>> = {
  small: { warmUp: 20, measured: 25 },
  medium: { warmUp: 3, measured: 5 },
  heavy: { warmUp: 2, measured: 3 },
};
const WORKERS = 2;
const FIFTY = 50;
const FIFTY_BAR_MS = 3000;
const HITS = 20;
const HIT_BAR_MS = 20;
const PAGE_BAR_MS = 50;
/** How long pages are asked before the compilers begin. */
const IDLE_MS = 2000;
const MEMORY_BAR_MIB = 1024;
const PATHS = ['/api/v1/transactions', '/api/v2/summary.json'];

/**
 * POST to finished against a bare warm compilation of the same text with the same output selection, alternating
 * in one run. Every contract has a constant of its own, so that nothing comes from a cache.
 */
export async function compareVerification(size: ContractSize): Promise<BenchmarkResult> {
  const { warmUp, measured } = ROUNDS[size];
  // One process makes the codes on chain, so that product and ceiling have compiled equally often.
  return withBareCompilers(2, async ([bareCompiler, deployer = bareCompiler]) => {
    const contracts = await deploy(deployer, size, warmUp + measured);
    return withVerificationServer({ contracts, workers: 1 }, async (server) => {
      const bare: number[] = [];
      const ours: number[] = [];
      for (const [index, contract] of contracts.entries()) {
        const { milliseconds } = await bareCompiler.compile(contract.submission);
        const whole = await server.verify(contract);
        if (index < warmUp) continue;
        bare.push(milliseconds);
        ours.push(whole);
      }
      return {
        what: `verification of a ${size} contract, compiler warm, POST to finished`,
        ceiling: `${median(bare).toFixed(0)} ms (bare warm compilation of the same input, same outputs)`,
        product: `${median(ours).toFixed(0)} ms`,
        ratio: median(ours) / median(bare),
        target: size === 'small' ? '<= 1.3' : 'none',
        bar: barOf(median(ours), BARS[size], 'ms'),
      };
    });
  });
}

/** Fifty different small contracts at once against bare compilers that share the same list. */
export async function compareFifty(): Promise<BenchmarkResult> {
  return withBareCompilers(WORKERS, async (bareCompilers) => {
    const contracts = await deploy(bareCompilers[0], 'small', 2 * FIFTY);
    const warmUp = contracts.slice(FIFTY);
    const fifty = contracts.slice(0, FIFTY);
    return withVerificationServer({ contracts, workers: WORKERS }, async (server) => {
      await bareLoop(bareCompilers, warmUp);
      await Promise.all(warmUp.map((contract) => server.verify(contract)));
      const bare = await bareLoop(bareCompilers, fifty);
      const startedAt = performance.now();
      await Promise.all(fifty.map((contract) => server.verify(contract)));
      const ours = performance.now() - startedAt;
      return {
        what: `${FIFTY} different small contracts at once, ${WORKERS} workers`,
        ceiling: `${bare.toFixed(0)} ms (${WORKERS} bare compilers that share the list)`,
        product: `${ours.toFixed(0)} ms`,
        ratio: bare / ours,
        target: '>= 0.85',
        bar: barOf(ours, FIFTY_BAR_MS, 'ms'),
      };
    });
  });
}

/** The same medium input at further addresses. */
export async function compareCacheHit(): Promise<BenchmarkResult> {
  return withBareCompilers(1, async ([bareCompiler]) => {
    const { warmUp } = ROUNDS.medium;
    const [contract] = await deploy(bareCompiler, 'medium', 1);
    const contracts = Array.from({ length: HITS + 2 }, (_, index) => ({
      ...contract,
      address: addressOf(index),
    }));
    const bare: number[] = [];
    for (let round = 0; round <= warmUp; round++) {
      bare.push((await bareCompiler.compile(contract.submission)).milliseconds);
    }
    return withVerificationServer({ contracts, workers: 1 }, async (server) => {
      const ours: number[] = [];
      for (const each of contracts) ours.push(await server.verify(each));
      const hit = median(ours.slice(2));
      const compiled = bare.at(-1) ?? 0;
      return {
        what: 'the input of a medium contract at another address, POST to finished',
        ceiling: `${compiled.toFixed(0)} ms (bare warm compilation of the same input, same outputs)`,
        product: `${hit.toFixed(1)} ms`,
        ratio: hit / compiled,
        target: '<= 0.1',
        bar: barOf(hit, HIT_BAR_MS, 'ms'),
      };
    });
  });
}

/** A list page and the status summary, asked one after the other while two compilers work. */
export async function comparePageLatency(): Promise<BenchmarkResult> {
  return withBareCompilers(1, async ([bareCompiler]) => {
    const heavy = await deploy(bareCompiler, 'heavy', 2);
    const medium = await deploy(bareCompiler, 'medium', 4, heavy.length);
    const contracts = [...heavy, ...medium];
    return withVerificationServer({ contracts, workers: WORKERS }, async (server) => {
      const idle = await latencies(server, setTimeout(IDLE_MS));
      const work = Promise.all(contracts.map((contract) => server.verify(contract)));
      const busy = await latencies(server, work);
      const p99 = percentile(busy, 0.99);
      return {
        what: `list page and summary while ${WORKERS} compilers work, ${busy.length} requests`,
        ceiling: `p99 ${percentile(idle, 0.99).toFixed(1)} ms (the same requests, no compiler at work)`,
        product: `p50 ${percentile(busy, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, worst ${Math.max(...busy).toFixed(0)} ms`,
        ratio: p99 / percentile(idle, 0.99),
        target: 'none',
        bar: barOf(p99, PAGE_BAR_MS, 'ms'),
      };
    });
  });
}

/** Peak memory of the whole process over every kind of work, two compilers at a time. */
export async function measurePeakMemory(): Promise<BenchmarkResult> {
  return withBareCompilers(1, async ([bareCompiler]) => {
    const heavy = await deploy(bareCompiler, 'heavy', 2);
    const medium = await deploy(bareCompiler, 'medium', 4, heavy.length);
    const small = await deploy(bareCompiler, 'small', FIFTY, heavy.length + medium.length);
    const contracts = [...heavy, ...medium, ...small];
    return withVerificationServer({ contracts, workers: WORKERS }, async (server) => {
      const before = await server.peakMemoryMiB();
      for (const batch of [small.slice(0, 5), medium, heavy, small.slice(5)]) {
        await Promise.all(batch.map((contract) => server.verify(contract)));
      }
      const peak = await server.peakMemoryMiB();
      return {
        what: `peak memory over small, medium, heavy and ${FIFTY} at once, ${WORKERS} workers`,
        ceiling: `${before.toFixed(0)} MiB (before the first compilation, run from source)`,
        product: `${peak.toFixed(0)} MiB`,
        ratio: peak / before,
        target: 'none',
        bar: barOf(peak, MEMORY_BAR_MIB, 'MiB'),
      };
    });
  });
}

type OneOrMore<T> = readonly [T, ...T[]];

async function withBareCompilers<T>(
  count: number,
  work: (compilers: OneOrMore<BareCompiler>) => Promise<T>,
): Promise<T> {
  const [first, ...rest] = await Promise.all(Array.from({ length: count }, startBareCompiler));
  if (first === undefined) throw new Error('no compiler was asked for');
  try {
    return await work([first, ...rest]);
  } finally {
    await Promise.all([first, ...rest].map((compiler) => compiler.close()));
  }
}

/** Compiles contracts of one size, each with code of its own, and gives them addresses. */
async function deploy(
  compiler: BareCompiler,
  size: ContractSize,
  count: number,
  firstIndex = 0,
): Promise<OneOrMore<DeployedContract>> {
  const contracts: DeployedContract[] = [];
  for (let index = firstIndex; index < firstIndex + count; index++) {
    const submission = aSubmission(size, index);
    const { code } = await compiler.compile(submission);
    contracts.push({ submission, code, address: addressOf(index) });
  }
  const [first, ...rest] = contracts;
  if (first === undefined) throw new Error('no contract was asked for');
  return [first, ...rest];
}

function addressOf(index: number): string {
  return `0x${(index + 1).toString(16).padStart(40, '0')}`;
}

/** @returns milliseconds until all are compiled; a free compiler takes the next contract. */
async function bareLoop(
  compilers: readonly BareCompiler[],
  contracts: readonly DeployedContract[],
): Promise<number> {
  const waiting = [...contracts];
  const startedAt = performance.now();
  await Promise.all(
    compilers.map(async (compiler) => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        await compiler.compile(next.submission);
      }
    }),
  );
  return performance.now() - startedAt;
}

/** Times of requests, one after the other, until `work` has ended. */
async function latencies({ url }: VerificationServer, work: Promise<unknown>): Promise<readonly number[]> {
  let isOver = false;
  const ended = work.finally(() => {
    isOver = true;
  });
  const times: number[] = [];
  while (!isOver) {
    for (const path of PATHS) {
      const startedAt = performance.now();
      await (await fetch(`${url}${path}`)).arrayBuffer();
      times.push(performance.now() - startedAt);
    }
  }
  await ended;
  return times;
}

function barOf(measured: number, bar: number, unit: string): string {
  return `${measured <= bar ? 'kept' : 'MISSED'}: <= ${bar} ${unit}`;
}
