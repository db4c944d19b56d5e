import { serverWork, workSince } from '../support/server-work.ts';
import type { BenchmarkResult } from './benchmarks.ts';
import { keptLedger } from './kept-ledger.ts';
import { measure } from './load.ts';
import { type PageServer, randomPages, withCeiling, withServe } from './page-servers.ts';
import { withPostgresCopy } from './postgres-ledger.ts';
import { median } from './statistics.ts';
import { FIRST_TIME, STEP } from './synthetic-ledger.ts';

const LARGE = 1_000_000;
const PATHS = 5000;
const ROUNDS = 5;
const SECONDS = 3;

/** What pages cost: by the clock, and by processor time of the process and of the database. */
interface PageCost {
  readonly perSecond: number;
  readonly cpuMicros: number;
}

/** A page at a random position beside a bare client that fetches the same prepared rows from the same database. */
export async function comparePostgresPages(): Promise<BenchmarkResult> {
  return withPostgresCopy(await keptLedger(LARGE), (url) =>
    withServe({ DATABASE_URL: url }, (product) =>
      withCeiling(
        './bare-postgres-process.ts',
        [url, String(FIRST_TIME), String(STEP), String(LARGE)],
        (bare) => compare(url, bare, product),
      ),
    ),
  );
}

async function compare(url: string, bare: PageServer, product: PageServer): Promise<BenchmarkResult> {
  const paths = randomPages(LARGE, PATHS);
  const pages = async (): Promise<PageCost> => {
    const before = serverWork(product.pid, url);
    const { answers, requestsPerSecond } = await measure({ url: product.url, paths }, { duration: SECONDS });
    return {
      perSecond: requestsPerSecond,
      cpuMicros: (workSince(before, serverWork(product.pid, url)).ran * 1e6) / answers,
    };
  };
  const fetches = async (): Promise<PageCost> => {
    const { pid } = (await (await fetch(`${bare.url}/run?seconds=0`)).json()) as { readonly pid: number };
    const before = serverWork(pid, url);
    const run = (await (await fetch(`${bare.url}/run?seconds=${SECONDS}`)).json()) as {
      readonly pages: number;
      readonly seconds: number;
    };
    const cpuMicros = (workSince(before, serverWork(pid, url)).ran * 1e6) / run.pages;
    return { perSecond: run.pages / run.seconds, cpuMicros };
  };
  await fetches();
  await pages();
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [ceiling, ours] = [await fetches(), await pages()];
    rounds.push({
      ceiling,
      ours,
      ratio: ceiling.cpuMicros / ours.cpuMicros,
      clock: ours.perSecond / ceiling.perSecond,
    });
  }
  const sorted = [...rounds].sort((left, right) => left.ratio - right.ratio);
  const middle = sorted[Math.floor(ROUNDS / 2)];
  if (middle === undefined) throw new Error('no round was measured');
  const print = ({ cpuMicros, perSecond }: PageCost) =>
    `${Math.round(perSecond)}/s, ${cpuMicros.toFixed(0)} us CPU of process and database`;
  return {
    what: `list page of 25 on PostgreSQL, random position, ${LARGE} transactions`,
    ceiling: `${print(middle.ceiling)} (a bare pg client that fetches the same rows, without HTTP)`,
    product: `${print(middle.ours)}; by the clock ${median(rounds.map(({ clock }) => clock)).toFixed(2)} of the ceiling, the load generator beside it`,
    ratio: middle.ratio,
    target: '>= 0.5, by CPU time',
  };
}
