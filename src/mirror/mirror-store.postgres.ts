import { openDatabase } from '../storage/open-database.ts';
import type { Sql } from '../storage/sql/sql.ts';
import { createPostgresImportLease } from './ingest/schedule/import-lease.postgres.ts';
import { readPostgresLedgerSize } from './ledger/upkeep/ledger-size.postgres.ts';
import { createStateRebuild } from './ledger/upkeep/state-rebuild.sqlite.ts';
import { createMirrorStore, type MirrorOptions } from './mirror-store.sql.ts';
import type { MirrorStore } from './mirror-store.ts';

/**
 * The ledger in an opened and migrated PostgreSQL database, which stays open.
 *
 * @param owner names this process among those that may import
 */
export function createPostgresMirrorStore(sql: Sql, owner: string, options: MirrorOptions = {}): MirrorStore {
  const lease = createPostgresImportLease(sql, { owner });
  return createMirrorStore(sql, options, {
    importLock: lease.lock,
    beginCommit: lease.check,
    beginUpkeep: lease.hold,
    readSize: () => sql.read(() => readPostgresLedgerSize(sql)),
    beginState: (ledger, snapshots) =>
      createStateRebuild(ledger, openDatabase(':memory:'), snapshots, lease.hold),
  });
}
