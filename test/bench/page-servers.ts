import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { printTimestamp } from '../../src/values/consensus-timestamp.ts';
import { startServe } from '../support/serve-process.ts';
import { keptLedger } from './kept-ledger.ts';
import { FIRST_TIME, STEP } from './synthetic-ledger.ts';

/** The built product on a synthetic ledger, in a process of its own. */
export interface PageServer {
  readonly url: string;
  /** Of its process; undefined where nobody asks. */
  readonly pid?: number | undefined;
  /** CPU time of the process so far, all threads. */
  cpuSeconds(): Promise<number>;
}

/** Runs `work` beside a product with that many transactions. */
export async function withProduct<T>(
  transactions: number,
  work: (product: PageServer) => Promise<T>,
): Promise<T> {
  return withServe({ DATABASE_URL: `sqlite:${await keptLedger(transactions)}` }, work);
}

/** Runs `work` beside a product in a folder of its own, which is empty unless the environment names a database. */
export async function withServe<T>(
  environment: Readonly<Record<string, string>>,
  work: (product: PageServer) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerlens-bench-'));
  const server = await startServe(environment, folder);
  const cpuSeconds = async () => {
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    return Number(/^process_cpu_seconds_total (\S+)/m.exec(metrics)?.[1]);
  };
  try {
    return await work({ url: server.url, pid: server.child.pid, cpuSeconds });
  } finally {
    await server.stop('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs `work` beside a bare Fastify that sends a page of the product, by default the newest, from a ready buffer. */
export function withReadyPage<T>(
  product: PageServer,
  work: (ceiling: PageServer) => Promise<T>,
  path = '/api/v1/transactions',
): Promise<T> {
  return withCeiling('./ready-page-process.ts', [product.url + path], work);
}

/** Runs `work` beside a script of this folder that prints its URL and tells its CPU time at `/cpu`. */
export async function withCeiling<T>(
  script: string,
  args: readonly string[],
  work: (ceiling: PageServer) => Promise<T>,
): Promise<T> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', path, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
    const cpuSeconds = async () =>
      ((await (await fetch(`${url}/cpu`)).json()) as { readonly seconds: number }).seconds;
    return await work({ url, cpuSeconds });
  } finally {
    child.stdin.end();
    await once(child, 'exit');
  }
}

/** `count` pages before pseudo-random times, the same in every run; at least `oldest` transactions lie before each. */
export function randomPages(transactions: number, count: number, query = '', oldest = 25): readonly string[] {
  let state = 12_345;
  return Array.from({ length: count }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    const index = oldest + (state % (transactions - oldest));
    return `/api/v1/transactions?timestamp=lt:${printTimestamp(FIRST_TIME + BigInt(index) * STEP)}${query}`;
  });
}
