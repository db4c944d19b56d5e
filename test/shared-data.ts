import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of contracts, cases and real ledger files beside the project; it is never copied into it. */
const SHARED = process.env['LEDGERLENS_SHARED'] ?? fileURLToPath(new URL('../../shared', import.meta.url));

/** Null when the folder is there, otherwise the reason that a skipped test prints. */
export const sharedDataMissing: string | null = existsSync(join(SHARED, 'README.md'))
  ? null
  : `skipped: the shared data folder ${SHARED} is absent (set LEDGERLENS_SHARED to its path)`;

/** Path of a file below the shared folder. */
export function sharedPath(...parts: readonly string[]): string {
  return join(SHARED, ...parts);
}
