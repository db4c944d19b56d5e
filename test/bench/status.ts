import type { BenchmarkResult } from './benchmarks.ts';
import { type Comparison, compareRounds, medianOf } from './load.ts';
import { withCeiling, withServe } from './page-servers.ts';
import { printCpu } from './pages.ts';

const SUMMARY = '/api/v2/summary.json';
const ROUNDS = 3;
/** Two processes of the same program differ by a fifth for as long as they live, so several are measured. */
const PAIRS = 5;
const SUMMARY_BAR = 0.9;
const UNCHANGED_BAR = 0.95;

/** The summary beside the same bytes from a ready buffer. */
export function compareSummary(): Promise<BenchmarkResult> {
  return compare('status summary', 'a ready buffer of the same bytes', SUMMARY_BAR, () =>
    withServe({}, (product) =>
      withCeiling('./ready-page-process.ts', [product.url + SUMMARY], (ceiling) =>
        compareRounds(
          { ...ceiling, url: `${ceiling.url}/page` },
          { ...product, url: product.url + SUMMARY },
          { rounds: ROUNDS },
        ),
      ),
    ),
  );
}

/** A summary that the client has already, beside hello. */
export function compareUnchanged(): Promise<BenchmarkResult> {
  return compare('status summary that the client has already, 304', 'hello', UNCHANGED_BAR, () =>
    withServe({}, async (product) => {
      const etag = (await fetch(product.url + SUMMARY)).headers.get('etag') ?? '';
      return withCeiling('./hello-process.ts', [], (hello) =>
        compareRounds(
          { ...hello, url: `${hello.url}/hello` },
          { ...product, url: product.url + SUMMARY, headers: { 'if-none-match': etag }, status: 304 },
          { rounds: ROUNDS },
        ),
      );
    }),
  );
}

async function compare(
  what: string,
  ceilingName: string,
  bar: number,
  measurePair: () => Promise<readonly Comparison[]>,
): Promise<BenchmarkResult> {
  const rounds: Comparison[] = [];
  for (let pair = 0; pair < PAIRS; pair += 1) rounds.push(...(await measurePair()));
  const { ceiling: top, product: ours, ratio } = medianOf(rounds);
  const ratios = rounds.map((round) => round.ratio).sort((left, right) => left - right);
  return {
    what,
    ceiling: `${Math.round(top.requestsPerSecond)}/s, ${printCpu(top.cpuMicros)} (${ceilingName})`,
    product: `${Math.round(ours.requestsPerSecond)}/s, ${printCpu(ours.cpuMicros)}, p99 ${ours.p99Ms} ms`,
    ratio,
    target: `>= ${bar}, by CPU time, ${PAIRS} pairs of processes: ${ratios.at(0)?.toFixed(2)} to ${ratios.at(-1)?.toFixed(2)}`,
    bar: ratio >= bar ? 'kept' : 'MISSED',
  };
}
