import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileForTest } from '../kit/verify/compile-for-test.ts';
import { aSubmission } from './bench-contracts.ts';
import type { BenchmarkResult } from './benchmarks.ts';
import { keptLedger } from './kept-ledger.ts';
import { withCeiling, withServe } from './page-servers.ts';
import { median, percentile } from './statistics.ts';

const BAR_MS = 20;
const VISITS = 60;
const WARM_UP = 5;
const CONTRACTS = 25;
const TRANSACTIONS = 10_000;
const MISMATCHED = `0x${'ee'.repeat(20)}`;

const addressOf = (index: number) => `0x${(index + 1).toString(16).padStart(40, '0')}`;

/** How long people wait for the first byte of each kind of page, one visitor at a time, over a kept connection. */
export async function measureSitePages(): Promise<BenchmarkResult> {
  const submission = aSubmission('medium', 0);
  const [path = '', name = ''] = submission.contractIdentifier.split(':');
  const { runtime } = compileForTest(submission.stdJsonInput, path, name);
  const code = Object.fromEntries(
    Array.from({ length: CONTRACTS }, (_, index) => [addressOf(index), { runtimeBytecode: runtime }]),
  );
  const other = { [MISMATCHED]: { runtimeBytecode: `${runtime.slice(0, 200)}ff${runtime.slice(202)}` } };
  const folder = mkdtempSync(join(tmpdir(), 'ledgerlens-chains-'));
  try {
    const chains = join(folder, 'chains.json');
    writeFileSync(chains, JSON.stringify({ 1: { static: { ...code, ...other } } }));
    const database = join(folder, 'ledger.sqlite');
    copyFileSync(await keptLedger(TRANSACTIONS), database);
    const environment = { VERIFY_CHAINS_FILE: chains, DATABASE_URL: `sqlite:${database}` };
    return await withServe(environment, async ({ url }) => {
      for (const address of Object.keys(code)) await verify(url, address, submission);
      const failed = await verify(url, MISMATCHED, submission);
      const transaction = await newestTransaction(url);
      const same = (page: string) => Array.from({ length: VISITS }, () => page);
      const visits: Readonly<Record<string, readonly string[]>> = {
        'first page': same('/'),
        status: same('/status'),
        'form of a verification': same('/verify-ui'),
        'job that found a mismatch': same(`/verify-ui/jobs/${failed}`),
        'contract, first visit': Object.keys(code)
          .slice(WARM_UP)
          .map((address) => `/repo-ui/1/${address}`),
        'contract, later': same(`/repo-ui/1/${addressOf(0)}`),
        ledger: same('/ledger'),
        transaction: same(`/ledger/transactions/${transaction}`),
        account: same('/ledger/accounts/0.0.98'),
        'fee calculator': same('/ledger/fees'),
      };
      for (let index = 0; index < WARM_UP; index += 1) {
        for (const pages of Object.values(visits))
          if (pages.length === VISITS) await firstByte(url + pages[0]);
        await firstByte(`${url}/repo-ui/1/${addressOf(index)}`);
      }
      const figures: [string, number, number][] = [];
      for (const [what, pages] of Object.entries(visits)) {
        const times: number[] = [];
        for (const page of pages) times.push(await firstByte(url + page));
        figures.push([what, median(times), percentile(times, 0.99)]);
      }
      const ready = await withCeiling('./ready-page-process.ts', [`${url}/`], async (ceiling) => {
        const times: number[] = [];
        for (let visit = 0; visit < VISITS; visit += 1) times.push(await firstByte(`${ceiling.url}/page`));
        return [median(times), percentile(times, 0.99)] as const;
      });
      const slowest = Math.max(...figures.map(([, , p99]) => p99));
      const print = (value: number) => value.toFixed(1);
      return {
        what: `first byte of each kind of page, ms: median and p99 of ${VISITS} visits, one at a time`,
        ceiling: `${print(ready[0])} ${print(ready[1])} (the first page from a ready buffer)`,
        product: figures.map(([what, middle, p99]) => `${what} ${print(middle)} ${print(p99)}`).join('; '),
        ratio: ready[1] / slowest,
        target: `first byte <= ${BAR_MS} ms`,
        bar: slowest <= BAR_MS ? 'kept' : `MISSED: ${print(slowest)} ms`,
      };
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Milliseconds until the first byte of the body. */
function firstByte(url: string): Promise<number> {
  const begin = performance.now();
  return new Promise((resolve, reject) => {
    const headers = { accept: 'text/html', 'accept-encoding': 'gzip' };
    const asked = request(url, { agent, headers }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url} answers ${answer.statusCode}`));
      answer.once('data', () => {
        const time = performance.now() - begin;
        answer.on('end', () => resolve(time));
      });
      answer.resume();
    });
    asked.on('error', reject);
    asked.end();
  });
}

async function verify(url: string, address: string, submission: object): Promise<string> {
  const submitted = await fetch(`${url}/v2/verify/1/${address}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(submission),
  });
  if (submitted.status !== 202) throw new Error(`${address} is answered with ${submitted.status}`);
  const { verificationId } = (await submitted.json()) as { verificationId: string };
  for (;;) {
    const job = await (await fetch(`${url}/v2/verify/${verificationId}?wait=60`)).json();
    if ((job as { isJobCompleted: boolean }).isJobCompleted) return verificationId;
  }
}

async function newestTransaction(url: string): Promise<string> {
  const page = await (await fetch(`${url}/api/v1/transactions?limit=1`)).json();
  return (page as { transactions: { transaction_id: string }[] }).transactions[0]?.transaction_id ?? '';
}
