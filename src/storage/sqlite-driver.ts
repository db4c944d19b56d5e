import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';

/** The constructor that both driver lines export. */
export type SqliteDriver = typeof BetterSqlite3;

/** Node-API 10 arrived with the first Node line on which better-sqlite3 13 is safe. */
const FIRST_NODE_API_OF_CURRENT_DRIVER = 10;

/**
 * Loads the better-sqlite3 line that is safe on this Node: 13 crashes Node 20, 12 crashes Node 24.
 *
 * @throws Error naming Node, the package and the remedy when it cannot be loaded.
 * @see docs/adr/0002-two-sqlite-drivers.md
 */
export function loadSqliteDriver(
  napiVersion: string | undefined = process.versions['napi'],
  load: (name: string) => unknown = createRequire(import.meta.url),
): SqliteDriver {
  const isCurrent = Number(napiVersion ?? '0') >= FIRST_NODE_API_OF_CURRENT_DRIVER;
  const packageName = isCurrent ? 'better-sqlite3' : 'better-sqlite3-legacy';
  try {
    return load(packageName) as SqliteDriver;
  } catch (cause) {
    throw new Error(
      `The SQLite driver ${packageName} cannot be loaded on Node ${process.versions.node}. ` +
        'Install a C++ compiler and run "npm ci" again, or use Node 22 or newer.',
      { cause },
    );
  }
}
