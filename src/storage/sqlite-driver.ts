import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';
import { LedgerlensError } from '../values/ledgerlens-error.ts';
import { type BuildTools, describeDriverFault, findBuildTools } from './sqlite-driver-fault.ts';

/** The constructor that both driver lines export. */
type SqliteDriver = typeof BetterSqlite3;

/** Node-API 10 arrived with the first Node line on which better-sqlite3 13 is safe. */
const FIRST_NODE_API_OF_CURRENT_DRIVER = 10;

/**
 * Loads the better-sqlite3 line that is safe on this Node: 13 crashes Node 20, 12 crashes Node 24.
 *
 * @throws LedgerlensError `sqlite_driver_missing` naming Node, the package, the cause and the remedy.
 * @see docs/adr/0026-dependencies.md
 */
export function loadSqliteDriver(
  napiVersion: string | undefined = process.versions['napi'],
  load: (name: string) => unknown = createRequire(import.meta.url),
  findTools: () => BuildTools = findBuildTools,
): SqliteDriver {
  const isCurrent = Number(napiVersion ?? '0') >= FIRST_NODE_API_OF_CURRENT_DRIVER;
  const packages = ['better-sqlite3', 'better-sqlite3-legacy'] as const;
  const [packageName, other] = isCurrent ? packages : [packages[1], packages[0]];
  try {
    const Driver = load(packageName) as SqliteDriver;
    // The package loads without its binary; only the first database shows whether that is there.
    new Driver(':memory:').close();
    return Driver;
  } catch (cause) {
    const fault = { cause, isCompiled: !isCurrent, hasOther: isInstalled(other, load) };
    throw new LedgerlensError(
      'sqlite_driver_missing',
      `The SQLite driver ${packageName} cannot be loaded on Node ${process.versions.node}. ${describeDriverFault(fault, findTools())}`,
      { cause },
    );
  }
}

/** Of a driver for other versions of Node only the module is loaded, which loads no binary. */
function isInstalled(name: string, load: (name: string) => unknown): boolean {
  try {
    load(name);
    return true;
  } catch {
    return false;
  }
}
