import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';
import { LedgerlensError } from '../values/ledgerlens-error.ts';

/** The constructor that both driver lines export. */
export type SqliteDriver = typeof BetterSqlite3;

/** Node-API 10 arrived with the first Node line on which better-sqlite3 13 is safe. */
const FIRST_NODE_API_OF_CURRENT_DRIVER = 10;

/**
 * Loads the better-sqlite3 line that is safe on this Node: 13 crashes Node 20, 12 crashes Node 24.
 *
 * @throws LedgerlensError `sqlite_driver_missing` naming Node, the package and the remedy.
 * @see docs/adr/0002-two-sqlite-drivers.md
 */
export function loadSqliteDriver(
  napiVersion: string | undefined = process.versions['napi'],
  load: (name: string) => unknown = createRequire(import.meta.url),
): SqliteDriver {
  const isCurrent = Number(napiVersion ?? '0') >= FIRST_NODE_API_OF_CURRENT_DRIVER;
  const packageName = isCurrent ? 'better-sqlite3' : 'better-sqlite3-legacy';
  try {
    const Driver = load(packageName) as SqliteDriver;
    // The package loads without its binary; only the first database shows whether that is there.
    new Driver(':memory:').close();
    return Driver;
  } catch (cause) {
    const remedy = isCurrent
      ? 'Run "npm ci" again, with optional dependencies.'
      : 'Install a C++ compiler and run "npm ci" again, or use Node 24.';
    throw new LedgerlensError(
      'sqlite_driver_missing',
      `The SQLite driver ${packageName} cannot be loaded on Node ${process.versions.node}. ${remedy}`,
      { cause },
    );
  }
}
