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

/**
 * Reads `DATABASE_URL`: `sqlite:path/to/file` or `sqlite::memory:`.
 *
 * @throws LedgerlensError `unsupported_database` for any other scheme. The value is not repeated: it may
 * hold a password.
 */
export function parseDatabaseUrl(url: string): DatabaseLocation {
  if (url === IN_MEMORY.url) return IN_MEMORY;
  if (url.startsWith(SCHEME) && url.length > SCHEME.length) {
    const path = url.slice(SCHEME.length);
    return { kind: 'sqlite', url, path, folder: dirname(path) };
  }
  throw new LedgerlensError(
    'unsupported_database',
    'DATABASE_URL must be "sqlite:" and the path of a file, for example sqlite:data/ledgerlens.sqlite',
  );
}
