import { aTransfer } from '../../src/mirror/fees/sample-transfer.ts';
import type { BenchmarkResult } from './benchmarks.ts';
import { compareRates } from './load.ts';
import { withCeiling, withServe } from './page-servers.ts';
import { printCpu } from './pages.ts';

const ROUNDS = 7;
const BAR = 0.5;

/** An estimate of a signed transfer beside a POST of the same bytes that nobody looks at. */
export function compareFees(): Promise<BenchmarkResult> {
  const post = {
    method: 'POST',
    headers: { 'content-type': 'application/protobuf' },
    body: aTransfer(1),
  } as const;
  return withServe({}, (product) =>
    withCeiling('./hello-process.ts', [], async (hello) => {
      const {
        ceiling,
        product: ours,
        ratio,
      } = await compareRates(
        { ...hello, ...post, url: `${hello.url}/hello` },
        { ...product, ...post, url: `${product.url}/api/v1/network/fees` },
        { rounds: ROUNDS },
      );
      return {
        what: 'fee estimate of a signed transfer',
        ceiling: `${Math.round(ceiling.requestsPerSecond)}/s, ${printCpu(ceiling.cpuMicros)} (a POST of the same body that answers hello)`,
        product: `${Math.round(ours.requestsPerSecond)}/s, ${printCpu(ours.cpuMicros)}, p99 ${ours.p99Ms} ms`,
        ratio,
        target: `>= ${BAR}, by CPU time`,
        bar: ratio >= BAR ? 'kept' : 'MISSED',
      };
    }),
  );
}
