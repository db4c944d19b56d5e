import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, onTestFinished } from 'vitest';
import { type DatabaseLocation, IN_MEMORY, parseDatabaseUrl } from '../../src/store/database-url.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { usesPostgres } from '../support/tested-backend.ts';

/** A database that a store can be kept in. */
interface Backend {
  readonly name: string;
  /** An empty database of its own, and what removes it. */
  begin(): Promise<{ readonly database: DatabaseLocation; readonly end: () => void }>;
  /** Whether a second store can be opened on the same database, as another process does. */
  readonly isShared: boolean;
}

/** Why a test with two processes is left out. */
export const NOT_SHARED = 'skipped: a database in memory belongs to one process';

/** The suites of this folder hold for every database that the product supports. */
const SQLITE: readonly Backend[] = [
  { name: 'SQLite in memory', begin: async () => ({ database: IN_MEMORY, end: () => {} }), isShared: false },
  {
    name: 'SQLite on disk',
    async begin() {
      const folder = mkdtempSync(join(tmpdir(), 'ledgerlens-contract-'));
      return {
        database: parseDatabaseUrl(`sqlite:${join(folder, 'l.sqlite')}`),
        end: () => rmSync(folder, { recursive: true }),
      };
    },
    isShared: true,
  },
];
const POSTGRES: Backend = {
  name: 'PostgreSQL',
  async begin() {
    const cluster = await sharedPostgres();
    return { database: parseDatabaseUrl(await cluster.createMigrated()), end: () => {} };
  },
  isShared: true,
};

/** Those of this run, see {@link usesPostgres}. */
export const BACKENDS: readonly Backend[] = usesPostgres() ? [POSTGRES] : SQLITE;

const silent = { info: () => {}, warn: () => {}, error: () => {} };

/** An empty database in a test, which closes and removes it. */
export interface EmptyDatabase {
  /** Opens it; once more as another process would where the backend lets one. */
  open(): Promise<Store>;
}

/** Repeats a suite for each backend; `begin` gives each test an empty database. */
export function forEachBackend(
  title: string,
  suite: (begin: () => EmptyDatabase, backend: Pick<Backend, 'isShared'>) => void,
): void {
  describe.each(BACKENDS)(`${title} ($name)`, (backend) => {
    suite(() => {
      const begun = backend.begin();
      const stores: Store[] = [];
      onTestFinished(async () => {
        for (const store of stores) await store.close();
        (await begun).end();
      });
      return {
        async open() {
          if (stores.length > 0 && !backend.isShared) throw new Error('Nobody else can open it');
          const { database } = await begun;
          const store = await openStore(
            { database, mirror: { dialect: 'spec', shard: 0n, realm: 0n, transactionBytes: false } },
            { log: silent },
          );
          stores.push(store);
          return store;
        },
      };
    }, backend);
  });
}
