import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of contracts, cases and real ledger files beside the project; it is never copied into it. */
const SHARED = process.env['LEDGERLENS_SHARED'] ?? fileURLToPath(new URL('../../shared', import.meta.url));

/** Part of the name of each test that needs it: `npm run test:shared` runs these alone. */
export const SHARED_MARK = 'on shared data';

/** Null when the folder exists, otherwise the reason that a skipped suite prints. */
export const sharedDataMissing: string | null = existsSync(join(SHARED, 'README.md'))
  ? null
  : `skipped: the shared data folder ${SHARED} is absent (set LEDGERLENS_SHARED to its path)`;

/**
 * Path of a file below the shared folder.
 *
 * @throws Error without the folder, so that a test outside of `describeShared` cannot depend on it unnoticed.
 */
export function sharedPath(...parts: readonly string[]): string {
  if (sharedDataMissing !== null) throw new Error(`${sharedDataMissing}; tests open it in describeShared`);
  return join(SHARED, ...parts);
}

/** The JSON files of a folder below it, by name. */
export function sharedJsonFiles(...parts: readonly string[]): readonly { name: string; path: string }[] {
  const folder = sharedPath(...parts);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => ({ name, path: join(folder, name) }));
}
