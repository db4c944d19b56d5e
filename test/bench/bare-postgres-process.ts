// Child process of the benchmarks: a bare pg client that fetches the prepared rows of a list page, and nothing else.
// Run: node --import tsx bare-postgres-process.ts DATABASE_URL FIRST_TIME STEP TRANSACTIONS
import Fastify from 'fastify';
import pg from 'pg';
import { serveCeiling } from './serve-ceiling.ts';

const [url = '', firstTime = '0', step = '1', transactions = '1'] = process.argv.slice(2);
/** As many as the product has. */
const CONNECTIONS = 10;
const PAGE = {
  name: 'page',
  text: 'select body from tx where consensus_ts < $1 order by consensus_ts desc limit 26',
  rowMode: 'array',
} as const;

const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS });
let state = 12_345;

async function fetchUntil(end: number): Promise<number> {
  let pages = 0;
  while (performance.now() < end) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    const index = 26 + (state % (Number(transactions) - 26));
    const before = BigInt(firstTime) + BigInt(index) * BigInt(step);
    const { rows } = await pool.query({ ...PAGE, values: [before] });
    if (rows.length !== 26) throw new Error(`${rows.length} rows before ${before}`);
    pages += 1;
  }
  return pages;
}

const app = Fastify({ logger: false });
app.get<{ Querystring: { seconds: string } }>('/run', async ({ query: { seconds } }) => {
  const start = performance.now();
  const end = start + Number(seconds) * 1000;
  const counts = await Promise.all(Array.from({ length: CONNECTIONS }, () => fetchUntil(end)));
  const pages = counts.reduce((total, count) => total + count, 0);
  return { pages, seconds: (performance.now() - start) / 1000, pid: process.pid };
});
await serveCeiling(app);
