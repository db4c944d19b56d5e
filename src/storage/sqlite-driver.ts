import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import { LedgerlensError } from '../values/ledgerlens-error.ts';

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

/** What a driver that is compiled at its installation needs, as far as it can be seen. */
interface BuildTools {
  readonly hasCompiler: boolean;
  /** Folder with the headers of the running Node; null when they would be downloaded. */
  readonly headers: string | null;
}

export function findBuildTools(
  env: Readonly<Record<string, string | undefined>> = process.env,
  executable: string = process.execPath,
): BuildTools {
  const folders = (env['PATH'] ?? '').split(delimiter);
  const compilers = [env['CXX'] ?? [], 'c++', 'g++', 'clang++'].flat();
  const prefix = dirname(dirname(executable));
  return {
    hasCompiler: compilers.some((name) => folders.some((folder) => existsSync(join(folder, name)))),
    headers: existsSync(join(prefix, 'include/node/node.h')) ? prefix : null,
  };
}

/** A driver that does not load. */
interface DriverFault {
  readonly cause: unknown;
  /** Whether npm compiles it. */
  readonly isCompiled: boolean;
  /** Whether the driver for other versions of Node is installed. */
  readonly hasOther: boolean;
}

const AGAIN = 'delete node_modules and run "npm ci" ("npm install" without a lock file)';

/** Why a driver does not load and what to do about it, in sentences. */
function describeDriverFault({ cause, hasOther, isCompiled }: DriverFault, tools: BuildTools): string {
  const { code, message = '' } = (cause ?? {}) as { readonly code?: unknown; readonly message?: string };
  const isMissing = code === 'MODULE_NOT_FOUND';
  if ((isMissing && hasOther) || message.includes('NODE_MODULE_VERSION'))
    return `The packages were installed by another version of Node. With the Node that runs them, ${AGAIN}.${isCompiled ? ` ${describeNeeds(tools)}` : ''}`;
  if (!isMissing && !message.includes('Could not locate the bindings file')) return `${message}.`;
  const left = isMissing ? 'It is not installed' : 'It is installed without its binary';
  if (!isCompiled)
    return `${left}: npm ran without optional dependencies or install scripts. To have them, ${AGAIN}.`;
  return (
    `${left}: npm ran without optional dependencies or install scripts, or could not compile it, which it does not ` +
    `report. ${describeNeeds(tools)} Then ${AGAIN}. Node 24 needs nothing to be compiled.`
  );
}

function describeNeeds({ hasCompiler, headers }: BuildTools): string {
  if (!hasCompiler)
    return 'No C++ compiler was found, and this Node needs one: install it, with make and Python.';
  return headers === null
    ? "A C++ compiler was found, but the headers of Node are not beside it, so npm downloads them: give it access to nodejs.org, or set npm_config_nodedir to a folder that has Node's include/node."
    : `A C++ compiler and the headers of Node were found, but npm would download the headers: set npm_config_nodedir=${headers}.`;
}
