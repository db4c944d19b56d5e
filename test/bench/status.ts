import type { BenchmarkResult } from './benchmarks.ts';
import { compareRates, type Target } from './load.ts';
import { type PageServer, withCeiling, withServe } from './page-servers.ts';
import { printCpu } from './pages.ts';

const SUMMARY = '/api/v2/summary.json';
const ROUNDS = 7;
const SUMMARY_BAR = 0.8;
const UNCHANGED_BAR = 1;

/** The summary beside the same bytes from a ready buffer. */
export function compareSummary(): Promise<BenchmarkResult> {
  return withServe({}, (product) =>
    withCeiling('./ready-page-process.ts', [product.url + SUMMARY], (ceiling) =>
      compare(
        'status summary',
        { ...ceiling, url: `${ceiling.url}/page` },
        'a ready buffer of the same bytes',
        { ...product, url: product.url + SUMMARY },
        SUMMARY_BAR,
      ),
    ),
  );
}

/** A summary that the client has already, beside hello. */
export function compareUnchanged(): Promise<BenchmarkResult> {
  return withServe({}, async (product) => {
    const etag = (
      await fetch(product.url + SUMMARY, { headers: { 'accept-encoding': 'identity' } })
    ).headers.get('etag');
    return withCeiling('./hello-process.ts', [], (hello) =>
      compare(
        'status summary that the client has already, 304',
        { ...hello, url: `${hello.url}/hello` },
        'hello',
        { ...product, url: product.url + SUMMARY, headers: { 'if-none-match': etag ?? '' }, status: 304 },
        UNCHANGED_BAR,
      ),
    );
  });
}

async function compare(
  what: string,
  ceiling: Target & PageServer,
  ceilingName: string,
  product: Target & PageServer,
  bar: number,
): Promise<BenchmarkResult> {
  const { ceiling: top, product: ours, ratio } = await compareRates(ceiling, product, { rounds: ROUNDS });
  return {
    what,
    ceiling: `${Math.round(top.requestsPerSecond)}/s, ${printCpu(top.cpuMicros)} (${ceilingName})`,
    product: `${Math.round(ours.requestsPerSecond)}/s, ${printCpu(ours.cpuMicros)}, p99 ${ours.p99Ms} ms`,
    ratio,
    target: `>= ${bar}, by CPU time`,
    bar: ratio >= bar ? 'kept' : 'MISSED',
  };
}
