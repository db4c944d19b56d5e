import { readdir } from 'node:fs/promises';
import {
  gasPriceFile,
  LEDGER_MIXES,
  type LedgerMix,
  type StreamOptions,
  writeIntoFolder,
  writeStream,
} from '../../tools/network/index.ts';
import { systemClock } from '../values/clock.ts';
import { LedgerlensError } from '../values/ledgerlens-error.ts';
import type { Invocation } from './invocation.ts';
import { createProgressLine } from './progress-line.ts';

/**
 * `ledgerlens generate FOLDER`: writes a made-up ledger as signed version 6 record files with its address book.
 *
 * @see contracts/streams.md sections 2.3, 4 and 8
 */
export async function execute({ positionals, values }: Invocation): Promise<number> {
  const [folder] = positionals;
  if (folder === undefined || positionals.length > 1) {
    throw new LedgerlensError('usage', 'Name one folder to write into: ledgerlens generate FOLDER');
  }
  await expectEmpty(folder);
  const transactions = readCount(values, 'transactions', 10_000, 1_000_000_000);
  const transactionsPerFile = readCount(values, 'per-file', 250, 100_000);
  const files = Math.ceil(transactions / transactionsPerFile);
  const line = createProgressLine({ clock: systemClock, stream: process.stderr });
  const options: StreamOptions = {
    files,
    transactionsPerFile,
    nodes: readCount(values, 'nodes', 4, 100),
    accounts: readCount(values, 'accounts', 5000, 1_000_000),
    copies: 1,
    mix: readMix(values['mix']),
    systemFiles: [gasPriceFile()],
    ...(typeof values['seed'] === 'string' ? { seed: values['seed'] } : {}),
    progress: (done, written) =>
      line.show({ done, total: files, what: 'files', detail: `${written} transactions` }),
  };
  const written = await writeStream(writeIntoFolder(folder), options).finally(() => line.close());
  console.log(
    `${written.files} record files with ${written.transactions} transactions in ${folder}\n` +
      `address book SHA-256 ${written.addressBookSha256}\n` +
      `next: ledgerlens import ${folder}`,
  );
  return 0;
}

function readMix(given: Invocation['values'][string] = 'everything'): LedgerMix {
  const mix = LEDGER_MIXES.find((name) => name === given);
  if (mix === undefined) {
    throw new LedgerlensError('usage', `--mix must be one of ${LEDGER_MIXES.join(', ')}`);
  }
  return mix;
}

/** Files of two ledgers in one folder would be one broken ledger. */
async function expectEmpty(folder: string): Promise<void> {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new LedgerlensError('usage', `Cannot write to ${folder}: ${error.message}`, {
      cause: error,
    });
  });
  if (entries.length > 0) {
    throw new LedgerlensError('usage', `${folder} is not empty: name a new folder`);
  }
}

function readCount(values: Invocation['values'], name: string, fallback: number, limit: number): number {
  const given = values[name];
  if (given === undefined) return fallback;
  const count = typeof given === 'string' && /^\d{1,10}$/.test(given) ? Number(given) : 0;
  if (count >= 1 && count <= limit) return count;
  throw new LedgerlensError('usage', `--${name} must be a whole number from 1 to ${limit}`);
}
