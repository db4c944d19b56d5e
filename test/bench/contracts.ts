import type { BenchmarkResult } from './benchmarks.ts';
import { CONTRACT_REQUESTS } from './contract-requests.ts';
import { keptContractLedger } from './kept-ledger.ts';
import { withReadyPage, withServe } from './page-servers.ts';
import { placedPaths } from './placed-requests.ts';
import { withPostgresCopy } from './postgres-ledger.ts';
import { compareInTurns } from './request-rounds.ts';
import { median } from './statistics.ts';

const RESULTS = 1_000_000;
const P99_BAR_MS = 20;
const REQUESTS = Number(process.env['BENCH_REQUESTS'] ?? 100);

interface RouteRow {
  readonly name: string;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuMicros: number;
  /** CPU time of the ceiling, divided by that. */
  readonly ratio: number;
}

/**
 * Every list and object of contracts at random positions, one request at a time, beside a page of results from a ready
 * buffer; the table is printed to standard error.
 */
export async function measureContracts(): Promise<BenchmarkResult> {
  return measureIn(`sqlite:${await keptContractLedger(RESULTS)}`);
}

/** The same of a copy in PostgreSQL, or in the database of `BENCH_CONTRACTS_URL`, which has such a copy already. */
export async function measurePostgresContracts(): Promise<BenchmarkResult> {
  const kept = process.env['BENCH_CONTRACTS_URL'];
  if (kept !== undefined) return measureIn(kept);
  return withPostgresCopy(await keptContractLedger(RESULTS), measureIn);
}

function measureIn(databaseUrl: string): Promise<BenchmarkResult> {
  return withServe({ DATABASE_URL: databaseUrl }, (product) =>
    withReadyPage(
      product,
      async (ready) => {
        const rows: RouteRow[] = [];
        const wanted = new RegExp(process.env['BENCH_ROUTES'] ?? '');
        for (const [name, request] of Object.entries(CONTRACT_REQUESTS)) {
          if (!wanted.test(name)) continue;
          const paths = placedPaths(request, RESULTS, REQUESTS).map((path) => `/api/v1${path}`);
          const readyPaths = paths.map(() => '/page');
          const { times, ...took } = await compareInTurns(product, paths, ready, readyPaths);
          const row = { name, ...took, ratio: 1 / times };
          rows.push(row);
          console.error(printRow(row));
        }
        const missed = rows.filter(isSlow).map(({ name }) => name);
        const slowest = Math.max(...rows.map(({ p99Ms }) => p99Ms));
        return {
          what: `${rows.length} lists and single objects of contracts, random positions, ${RESULTS} results and three logs for each`,
          ceiling: `p99 ${P99_BAR_MS} ms; a ready buffer of a page`,
          product: `slowest p99 ${slowest.toFixed(1)} ms, median request ${median(rows.map(({ p50Ms }) => p50Ms)).toFixed(1)} ms`,
          ratio: median(rows.map(({ ratio }) => ratio)),
          target: `p99 <= ${P99_BAR_MS} ms; the ratio is that of CPU time, of the median request`,
          bar: missed.length === 0 ? 'kept' : `MISSED: ${missed.join('; ')}`,
        };
      },
      '/api/v1/contracts/results',
    ),
  );
}

function isSlow({ p99Ms }: RouteRow): boolean {
  return p99Ms > P99_BAR_MS;
}

function printRow(row: RouteRow): string {
  const times = `p50 ${row.p50Ms.toFixed(1)} ms, p99 ${row.p99Ms.toFixed(1)} ms`;
  const cost = `${row.cpuMicros.toFixed(0)} us CPU, ratio ${row.ratio.toFixed(2)}`;
  return `  ${row.name.padEnd(72)} ${times}, ${cost}${isSlow(row) ? '  SLOW' : ''}`;
}
