import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { writtenStream } from '../../test/kit/mirror/ingest/memory-file-tree.ts';
import { type PostgresCluster, startPostgres } from '../../test/support/postgres.ts';
import { migratePostgres } from '../storage/postgres/postgres-migrations.ts';
import { openPostgresPool } from '../storage/postgres/postgres-pool.ts';
import { postgresSql } from '../storage/postgres/postgres-sql.ts';
import { StorageBusyError } from '../values/storage-errors.ts';
import { compareLedger, type RebuildDependencies, rebuildLedger } from './ingest/rebuild/rebuild-ledger.ts';
import { createImporter, type Importer } from './ingest/run/importer.ts';
import { oneAtATime } from './ingest/schedule/import-lock.ts';
import { createDirectorySource } from './ingest/source/directory-source.ts';
import { createPostgresMirrorStore } from './mirror-store.postgres.ts';
import type { MirrorStore } from './mirror-store.ts';

const FILES = 8;
let cluster: PostgresCluster;
let pool: pg.Pool;
let stream: Awaited<ReturnType<typeof writtenStream>>;
beforeAll(async () => {
  cluster = await startPostgres();
  stream = await writtenStream({ files: FILES, transactionsPerFile: 5 });
});
afterAll(() => cluster?.stop());
beforeEach(async () => {
  pool = openPostgresPool(await cluster.createDatabase());
  await migratePostgres(pool);
  return () => pool.end();
});

/** The ledger as one of several servers sees it. */
const server = (owner: string): MirrorStore => createPostgresMirrorStore(postgresSql(pool), owner);

/** @param beforeFile called before each read of a record file */
function importerOf(store: MirrorStore, beforeFile: () => Promise<void> = async () => {}): Importer {
  const tree = {
    ...stream.tree,
    async read(path: string) {
      if (/\.rcd(\.gz)?$/.test(path)) await beforeFile();
      return stream.tree.read(path);
    },
  };
  const importer = createImporter({
    repository: store.ledger,
    lookup: store.lookup,
    source: createDirectorySource('/stream', tree),
    options: { sharesCommits: false },
  });
  return oneAtATime(importer, { lock: store.importLock, patienceMs: null });
}
const endLease = () => pool.query('update import_lease set until_ms = 0');

describe('several servers on one ledger', () => {
  test('that begin to import together store each unit once, and none sees a gap', async () => {
    const stores = ['one', 'two', 'three'].map(server);
    const reports = await Promise.all(stores.map((store) => importerOf(store).run()));
    expect(reports.map(({ refused }) => refused)).toEqual([[], [], []]);
    expect(reports.map(({ units }) => units).sort()).toEqual([0, 0, FILES]);
    expect(await stores[0]?.report.continuity()).toMatchObject({ units: FILES, breaks: [] });
  });

  test('one that stood still while another took over stores nothing more, and continues in its turn', async () => {
    const [paused, next] = [server('paused'), server('next')];
    let files = 0;
    const importer = importerOf(paused, async () => {
      files += 1;
      if (files !== 4) return;
      await endLease();
      expect(await importerOf(next).run()).toMatchObject({ refused: [], units: FILES - 3 });
    });
    await expect(importer.run()).rejects.toThrow(StorageBusyError);
    expect(importer.state()).toMatchObject({ state: 'failed' });
    expect(await importer.run()).toMatchObject({ refused: [], units: 0 });
    expect(await next.report.continuity()).toMatchObject({ units: FILES, breaks: [] });
    const { rows } = await pool.query('select count(*) as count from tx');
    expect(rows).toEqual([{ count: String(stream.written.transactions) }]);
  });

  test('one that lost the lease keeps no root either', async () => {
    const [importing, other] = [server('importing'), server('other')];
    await importerOf(importing).run();
    const { hash = new Uint8Array() } = (await importing.ledger.lastUnit()) ?? {};
    const lease = await importing.importLock.take();
    const root = Buffer.alloc(48, 7);
    await expect(other.ledger.keepRoot(hash, root)).rejects.toThrow(StorageBusyError);
    expect((await importing.ledger.lastUnit())?.root).toBeNull();
    await importing.ledger.keepRoot(hash, root);
    expect((await importing.ledger.lastUnit())?.root).toEqual(root);
    await lease?.release();
  });

  test('rebuild and retention go on while another one has the lease', async () => {
    const [importing, other] = [server('importing'), server('other')];
    await importerOf(importing).run();
    const lease = await importing.importLock.take();
    const tables = ['tx', 'account_tx', 'transfer', 'entity', 'token_balance', 'tx_hash'];
    const rows = async () =>
      Promise.all(
        tables.map(
          async (table) => (await pool.query(`select ${table}::text from ${table} order by 1`)).rows,
        ),
      );
    const before = await rows();
    const state = await other.rebuild().beginState();
    const parts = {
      units: other.rebuild().units,
      lookupBefore: other.rebuild().lookupBefore,
      fileContents: (num, at, before) => other.ledger.fileContents(num, at, before),
      state,
    } satisfies RebuildDependencies;
    const report = await rebuildLedger(parts);
    expect(report).toMatchObject({ units: FILES, left: 0, isStateRebuilt: true });
    expect(await rows()).toEqual(before);
    await state.close();
    const differences = async () => {
      const empty = await other.rebuild().beginState();
      const compared = await compareLedger({ ...parts, state: empty });
      await empty.close();
      return compared.differences;
    };
    expect(await differences()).toEqual([]);
    await pool.query(
      'update transfer set amount = amount + 1 where consensus_ts = (select min(consensus_ts) from transfer)',
    );
    await pool.query(
      'update entity set balance = balance + 1 where id = (select max(id) from entity where balance > 0)',
    );
    expect((await differences()).map(({ tables }) => tables)).toEqual([['transfer'], ['entity']]);
    await pool.query(
      'update ledger_unit set place = place + 200000000000000, consensus_end = consensus_end + 200000000000000 where place = (select max(place) from ledger_unit)',
    );
    const { transactions, units } = await other.retention.prune(1);
    expect(units).toBe(FILES - 1);
    const left = await pool.query(
      'select (select count(*) from tx) as tx, (select count(*) from tx_hash) as hashes',
    );
    const kept = String(stream.written.transactions - transactions);
    expect(left.rows).toEqual([{ tx: kept, hashes: kept }]);
    await lease?.release();
  });
});
