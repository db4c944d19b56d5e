import { dirname } from 'node:path';
import { LedgerlensError } from '../values/ledgerlens-error.ts';

/** Where a database is, read once from `DATABASE_URL`. */
export interface DatabaseLocation {
  /** Which backend keeps it. */
  readonly kind: 'sqlite';
  /** As configured, for people and logs; holds no password. */
  readonly url: string;
  /** Of its file; null when it is in memory, where no other thread and no other process sees it. */
  readonly path: string | null;
  /** Folder in which other files of the server may lie beside it; null when there is none. */
  readonly folder: string | null;
}

/** A database of its own that ends with the process. */
export const IN_MEMORY: DatabaseLocation = {
  kind: 'sqlite',
  url: 'sqlite::memory:',
  path: null,
  folder: null,
};

const SCHEME = 'sqlite:';
/** What people write who mean a database in memory; as paths they would make a file of that name. */
const MEANS_MEMORY = /^(sqlite:)?(\/\/\/?)?:?memory:?$/i;

/**
 * Reads `DATABASE_URL`: `sqlite:path/to/file` or `sqlite::memory:`.
 *
 * @throws LedgerlensError `unsupported_database` for any other scheme. The value is not repeated: it may
 * hold a password.
 */
export function parseDatabaseUrl(url: string): DatabaseLocation {
  const fault = faultOfDatabaseUrl(url);
  if (fault !== null) throw new LedgerlensError('unsupported_database', `DATABASE_URL ${fault}`);
  if (url === IN_MEMORY.url) return IN_MEMORY;
  const path = url.slice(SCHEME.length);
  return { kind: 'sqlite', url, path, folder: dirname(path) };
}

/** What is wrong with it, in words that follow its name; null when nothing is. */
export function faultOfDatabaseUrl(url: string): string | null {
  if (url === IN_MEMORY.url) return null;
  if (MEANS_MEMORY.test(url)) return `must be "${IN_MEMORY.url}" for a database in memory`;
  if (url.startsWith(SCHEME) && url.length > SCHEME.length) return null;
  return `must be "${SCHEME}" and the path of a file, for example sqlite:data/ledgerlens.sqlite, or "${IN_MEMORY.url}"`;
}
