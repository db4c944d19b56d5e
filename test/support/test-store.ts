import { type DatabaseLocation, IN_MEMORY, parseDatabaseUrl } from '../../src/store/database-url.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store, StoreConfig } from '../../src/store/store.ts';
import { emptyDatabaseUrl } from './tested-backend.ts';

export type { Store };

type MirrorSettings = Partial<StoreConfig['mirror']>;

const silent = { info() {}, warn() {}, error() {} };

/** Opens an empty store of a test, for a network 0.0 unless told otherwise; the caller closes it. @see emptyDatabaseUrl */
export async function openMemoryStore(mirror?: MirrorSettings): Promise<Store> {
  return open(parseDatabaseUrl(await emptyDatabaseUrl()), mirror);
}

/** The same in SQLite, in memory, whatever database the tests use. */
export function openSqliteStore(mirror?: MirrorSettings): Promise<Store> {
  return open(IN_MEMORY, mirror);
}

/** The same in a file, which several may open. */
export function openFileStore(path: string, mirror?: MirrorSettings): Promise<Store> {
  return open(parseDatabaseUrl(`sqlite:${path}`), mirror);
}

/** The same at a URL. */
export function openStoreAt(url: string, mirror?: MirrorSettings): Promise<Store> {
  return open(parseDatabaseUrl(url), mirror);
}

function open(database: DatabaseLocation, mirror: MirrorSettings = {}): Promise<Store> {
  const { dialect = 'spec', realm = 0n, shard = 0n, transactionBytes = false } = mirror;
  return openStore({ database, mirror: { dialect, shard, realm, transactionBytes } }, { log: silent });
}
