import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { writeIntoFolder, writeStream } from '../../tools/network/index.ts';
import type { BenchmarkResult } from './benchmarks.ts';

interface ImportRun {
  readonly transactions: number;
  readonly milliseconds: number;
  readonly cpuMilliseconds: number;
  readonly memory: readonly { readonly transactions: number; readonly mebibytes: number }[];
}

interface ServerWork {
  readonly cpuMilliseconds: number;
  readonly requests: number;
}

const run = promisify(execFile);
const LATENCY_MS = 50;
/** As many as files of the main network had in 2025. */
const PER_FILE = 47;
const FILES = 800;
const ROUNDS = 3;

/** Catching up from a bucket behind latency, four nodes signing, beside the same files from a folder. */
export async function compareBucketImport(): Promise<BenchmarkResult> {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerlens-bench-bucket-'));
  const stream = join(folder, 'stream');
  const transactionsPerFile = PER_FILE;
  await writeStream(writeIntoFolder(stream), {
    seed: 'bench',
    files: FILES,
    transactionsPerFile,
    accounts: 5000,
  });
  const server = await startServer(stream);
  try {
    const rounds: {
      readonly product: ImportRun;
      readonly ceiling: ImportRun;
      readonly server: ServerWork;
    }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const ceiling = await importInto(join(folder, `folder-${round}.sqlite`), stream);
      await server.work();
      const product = await importInto(join(folder, `bucket-${round}.sqlite`), stream, server.url);
      rounds.push({ product, ceiling, server: await server.work() });
    }
    rounds.sort((left, right) => ratioOf(left) - ratioOf(right));
    const middle = rounds[ROUNDS >> 1];
    if (middle === undefined) throw new Error('no round');
    const { ceiling, product } = middle;
    const share = middle.server.cpuMilliseconds / (middle.server.cpuMilliseconds + product.cpuMilliseconds);
    return {
      what: `catching up ${product.transactions} transactions in ${FILES} files, four nodes signing, ${LATENCY_MS} ms latency`,
      ceiling: `${describe(ceiling)}, from a folder`,
      product:
        `${describe(product)}, ${middle.server.requests} requests; ` +
        `the server beside it took ${Math.round(share * 100)} % of the CPU time of both`,
      ratio: ratioOf(middle),
      target: '>= 0.5',
    };
  } finally {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface BucketServer {
  readonly url: string;
  /** Since the last question. */
  work(): Promise<ServerWork>;
  close(): void;
}

async function startServer(stream: string): Promise<BucketServer> {
  const script = fileURLToPath(new URL('./bucket-server-process.ts', import.meta.url));
  const child: ChildProcess = spawn(
    process.execPath,
    ['--import', 'tsx', script, stream, String(LATENCY_MS)],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  if (child.stdout === null) throw new Error('no output');
  const lines: Interface = createInterface(child.stdout);
  const line = (): Promise<string> => new Promise((resolve) => lines.once('line', resolve));
  return {
    url: await line(),
    async work() {
      const told = line();
      child.stdin?.write('.');
      return JSON.parse(await told) as ServerWork;
    },
    close() {
      child.stdin?.end();
    },
  };
}

async function importInto(database: string, ...from: readonly string[]): Promise<ImportRun> {
  const script = fileURLToPath(new URL('./import-bucket-process.ts', import.meta.url));
  const [stream = '', ...url] = from;
  const args = ['--import', 'tsx', script, stream, database, ...url];
  const { stdout } = await run(process.execPath, args);
  for (const each of [database, `${database}-wal`, `${database}-shm`]) rmSync(each, { force: true });
  return JSON.parse(stdout) as ImportRun;
}

function ratioOf({ ceiling, product }: { readonly product: ImportRun; readonly ceiling: ImportRun }): number {
  return rate(product) / rate(ceiling);
}

function rate({ transactions, milliseconds }: ImportRun): number {
  return (transactions / milliseconds) * 1000;
}

function describe(run: ImportRun): string {
  const micros = (run.cpuMilliseconds / run.transactions) * 1000;
  const [early, late] = [run.memory.at(0)?.mebibytes ?? 0, run.memory.at(-1)?.mebibytes ?? 0];
  return `${Math.round(rate(run))} transactions/s, ${micros.toFixed(1)} us of CPU for each, ${early} MiB early and ${late} late`;
}
