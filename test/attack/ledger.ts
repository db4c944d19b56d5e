import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const TRANSACTIONS = 300;
const FIRST_SECOND = 1_700_000_000;
const SECONDS_PER_FILE = 1_000_000;

/** Writes a ledger of transfers, one a second, into a folder. @returns the path of the file. */
export function putLedger(folder: string, file = 0, transactions = TRANSACTIONS): string {
  const path = join(folder, `ledger-${file}.ndjson`);
  if (existsSync(path)) return path;
  const lines = Array.from({ length: transactions }, (_, index) => {
    const seconds = FIRST_SECOND + file * SECONDS_PER_FILE + index;
    return JSON.stringify({
      consensus_timestamp: `${seconds}.000000001`,
      transaction_id: `0.0.1001-${seconds - 1}-000000000`,
      transfers: [
        { account: '0.0.1001', amount: -7 },
        { account: '0.0.3', amount: 7 },
      ],
    });
  });
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}
