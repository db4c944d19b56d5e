import type { BenchmarkResult } from './benchmarks.ts';
import { ENTITY_REQUESTS, type EntityRequest } from './entity-requests.ts';
import { keptEntityLedger } from './kept-ledger.ts';
import { type PageServer, withServe } from './page-servers.ts';
import { median, percentile } from './statistics.ts';

const LARGE = 1_000_000;
const SMALL = 10_000;
const P99_BAR_MS = 20;
const GROWTH_BAR = 1.5;
const REQUESTS = Number(process.env['BENCH_REQUESTS'] ?? 100);
const ROUNDS = 3;
const WARM_UP = 20;

interface Round {
  /** Of each request. */
  readonly times: readonly number[];
  readonly cpuMicros: number;
}

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
 *
 * Of each request the fastest of the rounds counts: on a shared machine others take the processor for tens of
 * milliseconds.
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
  request: EntityRequest,
  small: PageServer,
  large: PageServer,
): Promise<RouteRow> {
  await measureRound(small, SMALL, request, WARM_UP);
  await measureRound(large, LARGE, request, WARM_UP);
  const rounds: { readonly round: Round; readonly growth: number }[] = [];
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    const before = await measureRound(small, SMALL, request, REQUESTS);
    const round = await measureRound(large, LARGE, request, REQUESTS);
    rounds.push({ round, growth: round.cpuMicros / before.cpuMicros });
  }
  const best = Array.from({ length: REQUESTS }, (_, index) =>
    Math.min(...rounds.map(({ round }) => round.times[index] ?? Infinity)),
  );
  return {
    name,
    p50Ms: median(best),
    p99Ms: percentile(best, 0.99),
    cpuMicros: median(rounds.map(({ round }) => round.cpuMicros)),
    growth: median(rounds.map(({ growth }) => growth)),
  };
}

/** The same requests in every run. */
async function measureRound(
  server: PageServer,
  size: number,
  request: EntityRequest,
  count: number,
): Promise<Round> {
  let state = 12_345;
  const below = (limit: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % limit;
  };
  const paths = Array.from({ length: count }, () => request({ size, below }));
  const times: number[] = [];
  const before = await server.cpuSeconds();
  for (const path of paths) {
    const start = performance.now();
    const answer = await fetch(`${server.url}/api/v1${path}`);
    const text = await answer.text();
    times.push(performance.now() - start);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text}`);
  }
  const cpuMicros = (((await server.cpuSeconds()) - before) * 1e6) / count;
  return { times, cpuMicros };
}
