import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { aTransfer } from '../../src/commands/demo-transfer.ts';
import { printTimestamp } from '../../src/values/consensus-timestamp.ts';
import { compareImport, measureImportMemory } from './import.ts';
import { type Comparison, compareRates } from './load.ts';
import { FIRST_TIME, STEP } from './synthetic-ledger.ts';
import {
  compareCacheHit,
  compareFifty,
  comparePageLatency,
  compareVerification,
  measurePeakMemory,
} from './verification.ts';

export interface BenchmarkResult {
  readonly what: string;
  readonly ceiling: string;
  readonly product: string;
  readonly ratio: number;
  /** From design/architecture.md section 7. */
  readonly target: string;
  /** An absolute bar of the issue that asked for it, and whether it was kept in this run. */
  readonly bar?: string;
}

export interface Benchmark {
  readonly name: string;
  readonly what: string;
  run(): Promise<BenchmarkResult>;
}

const LEDGER_SIZE = 100_000;
const RANDOM_PATHS = 500;

export const BENCHMARKS: readonly Benchmark[] = [
  {
    name: 'page',
    what: `list page of 25 at a random position of ${LEDGER_SIZE} transactions, uncached`,
    run: () =>
      withServer(LEDGER_SIZE, async ({ product, ceiling }) =>
        rates(
          `list page of 25, random position, ${LEDGER_SIZE} transactions`,
          'a ready buffer of a page',
          '>= 0.6',
          await compareRates(
            { url: ceiling, paths: randomPages().map((path) => path.replace(/^[^?]*/, '/page')) },
            { url: product, paths: randomPages() },
          ),
        ),
      ),
  },
  {
    name: 'summary',
    what: 'status summary',
    run: () =>
      withServer(0, async ({ product, ceiling }) =>
        rates(
          'status summary',
          'a ready buffer of the same bytes',
          '>= 0.8',
          await compareRates({ url: `${ceiling}/summary` }, { url: `${product}/api/v2/summary.json` }),
        ),
      ),
  },
  {
    name: 'fees',
    what: 'fee estimate of a signed transfer',
    run: () =>
      withServer(0, async ({ product, ceiling }) => {
        const post = {
          method: 'POST',
          headers: { 'content-type': 'application/protobuf' },
          body: aTransfer(1),
        } as const;
        return rates(
          'fee estimate of a signed transfer',
          'a POST of the same body that answers hello',
          '>= 0.5',
          await compareRates(
            { ...post, url: `${ceiling}/hello` },
            { ...post, url: `${product}/api/v1/network/fees` },
          ),
        );
      }),
  },
  { name: 'import', what: 'import of signed record files, signatures verified', run: compareImport },
  {
    name: 'import-memory',
    what: 'memory and rate of an import of 10^6 transactions',
    run: measureImportMemory,
  },
  {
    name: 'verify',
    what: 'verification of a small contract, compiler warm',
    run: () => compareVerification('small'),
  },
  {
    name: 'verify-medium',
    what: 'verification of an ERC-20 with votes and permit, compiler warm',
    run: () => compareVerification('medium'),
  },
  {
    name: 'verify-heavy',
    what: 'verification of a governor with timelock through the IR pipeline, compiler warm',
    run: () => compareVerification('heavy'),
  },
  { name: 'verify-fifty', what: 'fifty different small contracts at once', run: compareFifty },
  {
    name: 'verify-kept',
    what: 'a medium input that was compiled before, at another address',
    run: compareCacheHit,
  },
  { name: 'verify-pages', what: 'pages of the other areas while compilers work', run: comparePageLatency },
  {
    name: 'verify-memory',
    what: 'peak memory of the process over all kinds of contracts',
    run: measurePeakMemory,
  },
];

function rates(what: string, ceilingName: string, target: string, result: Comparison): BenchmarkResult {
  const { ceiling, product, ratio } = result;
  return {
    what,
    ceiling: `${Math.round(ceiling.requestsPerSecond)}/s, p99 ${ceiling.p99Ms} ms (${ceilingName})`,
    product: `${Math.round(product.requestsPerSecond)}/s, p99 ${product.p99Ms} ms`,
    ratio,
    target,
  };
}

interface BenchServer {
  readonly product: string;
  readonly ceiling: string;
}

/** Runs product and ceilings in a child process of their own while `work` loads them from this one. */
async function withServer<T>(transactions: number, work: (server: BenchServer) => Promise<T>): Promise<T> {
  const script = fileURLToPath(new URL('./bench-server.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script, String(transactions)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    return await work(JSON.parse(line) as BenchServer);
  } finally {
    child.stdin.end();
    await once(child, 'exit');
  }
}

/** Pages before pseudo-random times, the same in every run. */
function randomPages(): readonly string[] {
  let state = 12_345;
  return Array.from({ length: RANDOM_PATHS }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    const index = 25 + (state % (LEDGER_SIZE - 25));
    return `/api/v1/transactions?timestamp=lt:${printTimestamp(FIRST_TIME + BigInt(index) * STEP)}`;
  });
}
