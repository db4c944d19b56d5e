import { dirname } from 'node:path';
import { LedgerlensError } from '../values/ledgerlens-error.ts';
import { faultOfTlsParameters } from '../values/tls-parameters.ts';

/** Where a database is, read once from `DATABASE_URL`. */
export interface DatabaseLocation {
  /** Which backend keeps it. */
  readonly kind: 'sqlite' | 'postgres';
  /** For people and logs; holds no password. */
  readonly url: string;
  /** Of its file; null when there is none: it is in memory, where nobody else sees it, or in another server. */
  readonly path: string | null;
  /** Folder in which other files of the server may lie beside it; null when there is none. */
  readonly folder: string | null;
  /** What its driver gets, which may hold a password; null when that is the path. */
  readonly connection: string | null;
}

/** A database of its own that ends with the process. */
export const IN_MEMORY: DatabaseLocation = {
  kind: 'sqlite',
  url: 'sqlite::memory:',
  path: null,
  folder: null,
  connection: null,
};

/** Whether it ends with the process. */
export function isInMemory({ kind, path }: DatabaseLocation): boolean {
  return kind === 'sqlite' && path === null;
}

const SCHEME = 'sqlite:';
const POSTGRES = /^postgres(ql)?:\/\//;
/** What people write who mean a database in memory; as paths they would make a file of that name. */
const MEANS_MEMORY = /^(sqlite:)?(\/\/\/?)?:?memory:?$/i;

/**
 * Reads `DATABASE_URL`: `sqlite:path/to/file`, `sqlite::memory:` or `postgres://user@host/database`.
 *
 * @throws LedgerlensError `unsupported_database` for any other scheme. The value is not repeated: it may
 * hold a password.
 */
export function parseDatabaseUrl(url: string): DatabaseLocation {
  const fault = faultOfDatabaseUrl(url);
  if (fault !== null) throw new LedgerlensError('unsupported_database', `DATABASE_URL ${fault}`);
  if (url === IN_MEMORY.url) return IN_MEMORY;
  if (POSTGRES.test(url)) {
    return { kind: 'postgres', url: withoutSecrets(url), path: null, folder: null, connection: url };
  }
  const path = url.slice(SCHEME.length);
  return { kind: 'sqlite', url, path, folder: dirname(path), connection: null };
}

/** What is wrong with it, in words that follow its name; null when nothing is. */
export function faultOfDatabaseUrl(url: string): string | null {
  if (url === IN_MEMORY.url) return null;
  if (MEANS_MEMORY.test(url)) return `must be "${IN_MEMORY.url}" for a database in memory`;
  if (url.startsWith(SCHEME) && url.length > SCHEME.length) return null;
  if (POSTGRES.test(url)) return faultOfPostgresUrl(url);
  return `must be "${SCHEME}" and the path of a file, for example sqlite:data/ledgerlens.sqlite, "${IN_MEMORY.url}", or postgres://user@host/database`;
}

function faultOfPostgresUrl(url: string): string | null {
  const parsed = !isCutShort(url) && URL.canParse(forParsing(url)) ? new URL(forParsing(url)) : null;
  if (parsed === null)
    return 'is malformed: write postgres://user:password@host:5432/database, with characters such as @ or / in the password as %40 or %2F';
  if (parsed.pathname.length <= 1) return 'must name the database: postgres://user@host/database';
  return faultOfTlsParameters(parsed.searchParams);
}

/** Whether a character of the password may end it too early: the rest of it would be read, and shown, as the host or path. */
function isCutShort(url: string): boolean {
  const [address = '', ...query] = url.replace(POSTGRES, '').split('?');
  const login = address.slice(0, Math.max(0, address.lastIndexOf('@')));
  const names = [...new URLSearchParams(query.join('?')).keys()];
  return url.includes('#') || [login, ...names].some((text) => /[@/\\]/.test(text));
}

/** A host that is a folder of sockets is a parameter, which leaves none in the authority. */
function forParsing(url: string): string {
  return url.replace(POSTGRES, 'http://').replace(/^(http:\/\/(?:[^/@]*@)?)(?=\/)/, '$1localhost');
}

function withoutSecrets(url: string): string {
  const { host, pathname, searchParams, username } = new URL(forParsing(url));
  const socket = searchParams.get('host');
  return `postgres://${username === '' ? '' : `${username}@`}${socket ?? host}${pathname}`;
}
