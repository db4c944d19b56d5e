import { readdir } from 'node:fs/promises';
import {
  gasPriceFile,
  LEDGER_MIXES,
  type StreamOptions,
  writeIntoFolder,
  writeStream,
} from '../../tools/network/index.ts';
import { LedgerlensError } from '../values/ledgerlens-error.ts';
import type { Invocation } from './command.ts';
import { createProgressLine } from './progress-line.ts';
import { readChoice, readWholeNumber } from './read-words.ts';

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
  const transactions = readWholeNumber(values, 'transactions', [1, 1_000_000_000]) ?? 10_000;
  const transactionsPerFile = readWholeNumber(values, 'per-file', [1, 100_000]) ?? 250;
  const files = Math.ceil(transactions / transactionsPerFile);
  const line = createProgressLine();
  const options: StreamOptions = {
    files,
    transactionsPerFile,
    nodes: readWholeNumber(values, 'nodes', [1, 100]) ?? 4,
    accounts: readWholeNumber(values, 'accounts', [1, 1_000_000]) ?? 5000,
    copies: 1,
    mix: readChoice(values, 'mix', LEDGER_MIXES) ?? 'everything',
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
