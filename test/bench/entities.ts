import type { BenchmarkResult } from './benchmarks.ts';
import { ENTITY_REQUESTS } from './entity-requests.ts';
import { keptEntityLedger } from './kept-ledger.ts';
import { type PageServer, withServe } from './page-servers.ts';
import { type PlacedRequest, placedPaths } from './placed-requests.ts';
import { compareInTurns } from './request-rounds.ts';

const LARGE = 1_000_000;
const SMALL = 10_000;
const P99_BAR_MS = 20;
const GROWTH_BAR = 1.5;
const REQUESTS = Number(process.env['BENCH_REQUESTS'] ?? 100);

interface RouteRow {
  readonly name: string;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuMicros: number;
  readonly growth: number;
}

/**
 * Every list and object of accounts, tokens, NFTs, topics and schedules at random positions, one request at a time, beside the
 * same of a ledger of a hundredth of the size; the table is printed to standard error.
 */
export async function measureEntities(): Promise<BenchmarkResult> {
  const [small, large] = [await keptEntityLedger(SMALL), await keptEntityLedger(LARGE)];
  return withServe({ DATABASE_URL: `sqlite:${small}` }, (little) =>
    withServe({ DATABASE_URL: `sqlite:${large}` }, async (much) => {
      const rows: RouteRow[] = [];
      const wanted = new RegExp(process.env['BENCH_ROUTES'] ?? '');
      for (const [name, request] of Object.entries(ENTITY_REQUESTS)) {
        if (!wanted.test(name)) continue;
        const row = await compareSizes(name, request, little, much);
        rows.push(row);
        console.error(printRow(row));
      }
      const missed = rows.filter((row) => verdict(row) !== '').map(({ name }) => name);
      const slowest = Math.max(...rows.map(({ p99Ms }) => p99Ms));
      const growth = Math.max(...rows.map((row) => row.growth));
      return {
        what: `${rows.length} lists of 25 and single objects, random positions, ${LARGE} NFTs and messages`,
        ceiling: `p99 ${P99_BAR_MS} ms; cost at ${SMALL}`,
        product: `slowest p99 ${slowest.toFixed(1)} ms; cost at ${LARGE} at most ${growth.toFixed(2)} times as much`,
        ratio: Math.max(slowest / P99_BAR_MS, growth / GROWTH_BAR),
        target: `p99 <= ${P99_BAR_MS} ms, cost <= ${GROWTH_BAR} times that at ${SMALL}, by CPU time`,
        bar: missed.length === 0 ? 'kept' : `MISSED: ${missed.join('; ')}`,
      };
    }),
  );
}

function printRow(row: RouteRow): string {
  const times = `p50 ${row.p50Ms.toFixed(1)} ms, p99 ${row.p99Ms.toFixed(1)} ms`;
  const cost = `${row.cpuMicros.toFixed(0)} us CPU, ${row.growth.toFixed(2)} times`;
  return `  ${row.name.padEnd(60)} ${times}, ${cost}${verdict(row)}`;
}

function verdict({ growth, p99Ms }: RouteRow): string {
  return `${p99Ms > P99_BAR_MS ? '  SLOW' : ''}${growth > GROWTH_BAR ? '  GROWS' : ''}`;
}

async function compareSizes(
  name: string,
  request: PlacedRequest,
  small: PageServer,
  large: PageServer,
): Promise<RouteRow> {
  const [fewer, more] = [placedPaths(request, SMALL, REQUESTS), placedPaths(request, LARGE, REQUESTS)].map(
    (paths) => paths.map((path) => `/api/v1${path}`),
  ) as [string[], string[]];
  const { times: growth, ...took } = await compareInTurns(large, more, small, fewer);
  return { name, ...took, growth };
}
