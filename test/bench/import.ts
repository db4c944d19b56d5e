import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { SHARED_COMMIT_UNITS } from '../../src/mirror/ingest/run/commit-batch.ts';
import type { VerificationLevel } from '../../src/mirror/ledger/rows.ts';
import { LARGE_HEAP } from '../../src/threads/large-heap-thread.ts';
import {
  type LedgerMix,
  type StreamOptions,
  writeBlocks,
  writeIntoFolder,
  writeStream,
} from '../../tools/network/index.ts';
import { startPostgres } from '../support/postgres.ts';
import type { BenchmarkResult } from './benchmarks.ts';
import { median } from './statistics.ts';

interface ImportRun {
  readonly transactions: number;
  readonly milliseconds: number;
  /** Of all threads; what a machine with other users leaves comparable. */
  readonly cpuMilliseconds: number;
  readonly memory: readonly { readonly transactions: number; readonly mebibytes: number }[];
}

const run = promisify(execFile);
const PRODUCT = './import-process.ts';
const CEILING = './bare-import-process.ts';
const POSTGRES_PRODUCT = './postgres-import-process.ts';
const POSTGRES_CEILING = './bare-copy-process.ts';
const BLOCK_CEILING = './bare-block-import-process.ts';
/** Three of them are the young objects that a thread which imports has room for. */
const ROOM = `--max-semi-space-size=${(LARGE_HEAP.maxYoungGenerationSizeMb ?? 0) / 3}`;
const PER_FILE = 250;
const ROUNDS = 3;
/** So many that the engine's compiler, two to three seconds of processor time for an import, weighs little. */
const COMPARED = 250_000;
/** Each takes one and a half times as long. */
const CONTRACT_COMPARED = 150_000;
const LARGE = 1_000_000;

/** Import of generated files, four signatures verified for each, beside decoding them and inserting the rows alone. */
export function compareImport(): Promise<BenchmarkResult> {
  return compareRecordImport(ledgerOf(COMPARED), 'an everyday ledger', 'decode and insert alone');
}

/**
 * The same of a ledger that is mostly contract calls: 40 of a hundred scenes are calls with a child, 30 Ethereum
 * transactions, with three logs each, 10 transfers of tokens, 20 of hbar; sidecars tell storage and traces of all calls.
 *
 * The ceiling decodes the record files with all members of results and logs, and the sidecars, by protobufjs; it inserts the
 * rows of all tables that the product fills for a transaction, the sidecars as they came, and the slots that each commit
 * leaves. It neither reads Ethereum transactions, nor computes filters, hashes or the gas consumed, nor makes the logs of
 * token events, nor looks up ids and addresses, nor verifies anything: their results come with the rows.
 */
export function compareContractImport(): Promise<BenchmarkResult> {
  return compareRecordImport(
    ledgerOf(CONTRACT_COMPARED, 'contracts'),
    'a ledger of contract calls with sidecars',
    'decode files and sidecars and insert alone',
  );
}

function compareRecordImport(
  options: StreamOptions,
  ledger: string,
  bareWork: string,
): Promise<BenchmarkResult> {
  return withStream(options, async (folder, stream) => {
    const { bytes, ceiling, clock, product, ratio } = await compareRounds(
      folder,
      stream,
      CEILING,
      'signatures',
    );
    return {
      what: `CPU time of an import of ${product.transactions} transactions of ${ledger} in files of ${PER_FILE}, 4 signatures verified for each`,
      ceiling: `${describe(ceiling)}: ${bareWork}, ${SHARED_COMMIT_UNITS} files in a commit as the product`,
      product: `${describe(product)}, ${Math.round(bytes)} bytes each on disk; by the clock ${clock.toFixed(2)} of the ceiling`,
      ratio,
      target: '>= 0.5',
    };
  });
}

/** The same into PostgreSQL, beside decoding and a bare COPY of the same rows. */
export function comparePostgresImport(): Promise<BenchmarkResult> {
  return withStream(ledgerOf(COMPARED), async (_, stream) => {
    const cluster = await startPostgres();
    try {
      const rounds: { readonly product: ImportRun; readonly ceiling: ImportRun }[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const [imported, bare] = [await cluster.createMigrated(), await cluster.createMigrated()];
        const product = await runProcess(POSTGRES_PRODUCT, stream, imported);
        const ceiling = await runProcess(
          POSTGRES_CEILING,
          stream,
          imported,
          bare,
          String(SHARED_COMMIT_UNITS),
        );
        rounds.push({ product, ceiling });
      }
      const product = cheapest(rounds.map((each) => each.product));
      const ceiling = cheapest(rounds.map((each) => each.ceiling));
      const clock = (ceiling.milliseconds / product.milliseconds).toFixed(2);
      return {
        what: `CPU time of process and database of an import of ${COMPARED} transactions into PostgreSQL, 4 signatures verified for each file`,
        ceiling: `${describe(ceiling)}: decode and COPY alone, ${SHARED_COMMIT_UNITS} files in a commit as the product`,
        product: `${describe(product)}; by the clock ${clock} of the ceiling`,
        ratio: microseconds(ceiling) / microseconds(product),
        target: '>= 0.5',
      };
    } finally {
      await cluster.stop();
    }
  });
}

/** Import of generated native blocks beside decoding and hashing them and inserting the rows alone. */
export async function compareBlockImport(): Promise<BenchmarkResult> {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerlens-bench-blocks-'));
  try {
    const blocks = join(folder, 'blocks');
    mkdirSync(blocks);
    for (const { bytes, number } of writeBlocks({ ...ledgerOf(COMPARED), nativeFrom: 0 }).blocks) {
      writeFileSync(join(blocks, `${number}.blk.gz`), gzipSync(bytes));
    }
    const { bytes, ceiling, product, ratio } = await compareRounds(folder, blocks, BLOCK_CEILING, 'chain');
    return {
      what: `CPU time of an import of ${COMPARED} transactions in native blocks of ${PER_FILE}, proofs of development networks`,
      ceiling: `${describe(ceiling)}: decode, hash and insert alone, ${SHARED_COMMIT_UNITS} blocks in a commit as the product`,
      product: `${describe(product)}, ${Math.round(bytes)} bytes each on disk`,
      ratio,
      target: '>= 0.5',
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Memory of the importing process early and late in a large import. */
export function measureImportMemory(): Promise<BenchmarkResult> {
  return withStream(ledgerOf(LARGE), async (folder, stream) => {
    const imported = join(folder, 'imported.sqlite');
    const product = await runProcess(PRODUCT, stream, imported);
    const [early, late] = [product.memory.at(0)?.mebibytes ?? 0, product.memory.at(-1)?.mebibytes ?? 0];
    const bytes = Math.round(statSync(imported).size / product.transactions);
    return {
      what: `memory of an import of ${LARGE} transactions`,
      ceiling: `${early} MiB resident after 100000 transactions`,
      product: `${late} MiB after ${product.transactions}, ${Math.round(rate(product))} transactions/s, ${bytes} bytes each on disk`,
      ratio: early / late,
      target: '>= 0.8: flat',
    };
  });
}

interface ComparedRounds {
  /** The cheapest run of each side. */
  readonly product: ImportRun;
  readonly ceiling: ImportRun;
  /** Of CPU time and of the clock, in the median round. */
  readonly ratio: number;
  readonly clock: number;
  /** Of a transaction. */
  readonly bytes: number;
}

/** Product and ceiling take turns. */
async function compareRounds(
  folder: string,
  stream: string,
  ceilingScript: string,
  level: VerificationLevel,
): Promise<ComparedRounds> {
  const rounds: { readonly product: ImportRun; readonly ceiling: ImportRun }[] = [];
  let bytes = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const imported = join(folder, `imported-${round}.sqlite`);
    const bare = join(folder, `bare-${round}.sqlite`);
    const product = await runProcess(PRODUCT, stream, imported, level);
    bytes = statSync(imported).size / product.transactions;
    const ceiling = await runProcess(ceilingScript, stream, imported, bare, String(SHARED_COMMIT_UNITS));
    rounds.push({ product, ceiling });
    for (const file of [imported, bare]) rmSync(file);
  }
  return {
    product: cheapest(rounds.map((round) => round.product)),
    ceiling: cheapest(rounds.map((round) => round.ceiling)),
    ratio: median(rounds.map(({ ceiling, product }) => microseconds(ceiling) / microseconds(product))),
    clock: median(rounds.map(({ ceiling, product }) => ceiling.milliseconds / product.milliseconds)),
    bytes,
  };
}

function ledgerOf(transactions: number, mix: LedgerMix = 'everyday'): StreamOptions {
  return {
    seed: 'bench',
    files: transactions / PER_FILE,
    transactionsPerFile: PER_FILE,
    accounts: 5000,
    mix,
    copies: 1,
  };
}

async function withStream<T>(
  options: StreamOptions,
  work: (folder: string, stream: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerlens-bench-import-'));
  try {
    const stream = join(folder, 'stream');
    await writeStream(writeIntoFolder(stream), options);
    return await work(folder, stream);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runProcess(script: string, ...args: readonly string[]): Promise<ImportRun> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const { stdout } = await run(process.execPath, [ROOM, '--import', 'tsx', path, ...args]);
  return JSON.parse(stdout) as ImportRun;
}

/** The round that other users of the machine disturbed least. */
function cheapest(runs: readonly ImportRun[]): ImportRun {
  return runs.reduce((best, run) => (run.cpuMilliseconds < best.cpuMilliseconds ? run : best));
}

function describe(run: ImportRun): string {
  return `${microseconds(run).toFixed(1)} us of CPU for each, ${Math.round(rate(run))} transactions/s`;
}

/** CPU time for a transaction. */
function microseconds({ cpuMilliseconds, transactions }: ImportRun): number {
  return (cpuMilliseconds / transactions) * 1000;
}

function rate({ transactions, milliseconds }: ImportRun): number {
  return (transactions / milliseconds) * 1000;
}
