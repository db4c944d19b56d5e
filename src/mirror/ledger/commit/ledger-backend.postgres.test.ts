import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writtenStream } from '../../../../test/kit/mirror/ingest/memory-file-tree.ts';
import { memoryBackend, tablesText } from '../../../../test/kit/mirror/ledger/memory-backend.ts';
import { randomUnits } from '../../../../test/kit/mirror/ledger/random-units.ts';
import { withStates } from '../../../../test/kit/mirror/ledger/stated-units.ts';
import { type PostgresCluster, startPostgres } from '../../../../test/support/postgres.ts';
import * as fc from '../../../../test/support/properties.ts';
import { planOf, preparedTexts } from '../../../../test/support/query-plans.ts';
import { openDatabase } from '../../../storage/open-database.ts';
import { migratePostgres } from '../../../storage/postgres/postgres-migrations.ts';
import { openPostgresPool } from '../../../storage/postgres/postgres-pool.ts';
import { postgresSql } from '../../../storage/postgres/postgres-sql.ts';
import type { Sql } from '../../../storage/sql/sql.ts';
import { sqliteSql } from '../../../storage/sql/sqlite-sql.ts';
import type { ColumnValue } from '../../../values/stored-tables.ts';
import { doNow } from '../../../values/work.ts';
import { createLedgerLookup } from '../../ingest/ledger-lookup.sql.ts';
import { createImporter } from '../../ingest/run/importer.ts';
import { createDirectorySource } from '../../ingest/source/directory-source.ts';
import type { SetChange } from '../fold/fold-state.ts';
import { createLedgerRepository } from '../ledger-repository.sql.ts';
import type { LedgerUnit } from '../rows.ts';
import { createLedgerBackend } from './ledger-backend.sql.ts';
import { commitUnits } from './ledger-backend.ts';

const NOT_SHOWN = false;

let cluster: PostgresCluster;
let pool: pg.Pool;
beforeAll(async () => {
  cluster = await startPostgres();
  pool = openPostgresPool(await cluster.createDatabase());
  await migratePostgres(pool);
});
afterAll(async () => {
  await pool?.end();
  await cluster?.stop();
});

/** Tables of the ledger. The edition counts what was written anew, and names each database. */
async function ledgerTables(): Promise<readonly string[]> {
  const { rows } = await pool.query<{ readonly name: string }>(
    `select relname as name from pg_class where relkind in ('r', 'p') and not relispartition
     and relnamespace = 'public'::regnamespace
     and relname !~ '^(ledger_edition|import_lease|import_fence|schema_version|health_row|status_|verification_|verified_|sourcify)'
     order by 1`,
  );
  return rows.map(({ name }) => name);
}

async function empty(): Promise<void> {
  await pool.query(
    `truncate ${(await ledgerTables()).join(', ')} cascade; update ledger_edition set rewrites = 0`,
  );
}

async function storedText(sql: Sql, names: readonly string[]): Promise<string> {
  const tables: (readonly [string, readonly Record<string, ColumnValue>[]])[] = [];
  for (const name of names) {
    const all = sql.prepareExact<[], Record<string, ColumnValue>>(`select * from ${name}`);
    tables.push([name, await sql.read(() => all.all())]);
  }
  return tablesText(tables);
}

/** The ledger that units make in PostgreSQL and in memory. */
async function bothLedgers(...commits: readonly (readonly LedgerUnit[])[]) {
  await empty();
  const sql = postgresSql(pool);
  const backend = createLedgerBackend(sql);
  const memory = memoryBackend();
  for (const commit of commits) {
    await sql.write(() => commitUnits(backend, commit, NOT_SHOWN));
    doNow(commitUnits(memory, commit, NOT_SHOWN));
  }
  return { stored: await storedText(sql, memory.tables()), expected: memory.dump() };
}

describe('the ledger in PostgreSQL', () => {
  test('has what a ledger in memory has', async () => {
    await fc.assert(
      fc.asyncProperty(randomUnits(), fc.nat({ max: 9 }), async (given, balance) => {
        const units = withStates(given, [[{ account: 5n, token: 90n, balance: BigInt(balance) }], []]);
        const middle = Math.floor(units.length / 2);
        const { expected, stored } = await bothLedgers(units.slice(0, middle), units.slice(middle));
        expect(stored).toBe(expected);
      }),
      { numRuns: 12, endOnFailure: true },
    );
  });

  test('is the one that SQLite has after the import of a ledger of everything', async () => {
    const { tree } = await writtenStream({
      mix: 'everything',
      files: 12,
      transactionsPerFile: 100,
      filePeriod: 7_200_000_000_000n,
      nodes: 1,
      accounts: 25,
    });
    await empty();
    const tables = await ledgerTables();
    const database = openDatabase(':memory:');
    const texts: string[] = [];
    for (const sql of [sqliteSql(database), postgresSql(pool)]) {
      const report = await createImporter({
        repository: createLedgerRepository(sql),
        lookup: createLedgerLookup(sql),
        source: createDirectorySource('/stream', tree),
      }).run();
      expect(report).toMatchObject({ refused: [], units: 12 });
      texts.push(await storedText(sql, tables));
    }
    database.close();
    expect(texts[1]).toBe(texts[0]);
  });

  test('finds units by an index in a database without statistics', async () => {
    const fresh = openPostgresPool(await cluster.createMigrated());
    // Whether a file of fixtures is stored is asked once for each.
    const texts = preparedTexts(fresh, createLedgerRepository).filter(
      (text) => text.includes('ledger_unit') && !text.includes('file_hash ='),
    );
    expect(texts.length).toBeGreaterThan(5);
    for (const text of texts) {
      expect(`${text}\n${await planOf(fresh, text)}`).not.toMatch(/Seq Scan on ledger_unit/);
    }
    await fresh.end();
  });

  const CHANGES: { readonly [Name in SetChange['name']]: readonly bigint[] } = {
    'snapshot-balances': [9n, 1n],
    'snapshot-system-balances': [9n, 1n, 100n],
    'snapshot-all-balances': [9n, 1n],
    'snapshot-token-balances': [9n, 1n],
    'snapshot-all-token-balances': [9n, 1n],
    'mark-snapshot': [9n, 1n, 0n],
    'end-stake-period': [9n, 1n, 800n],
    'forget-balances': [],
    'forget-token-balances': [],
    'shift-block-numbers': [1n],
    'drop-told-entries': [102n, 1n],
    'drop-told-book': [102n, 1n],
    'mark-rewritten': [],
    'drop-log-chunks': [9n],
    'note-nfts': [9n, 2n, 3n, 4n],
    'move-nfts': [9n, 2n, 2n, 3n, 4n, 5n],
    'drop-nfts': [2n, 2n, 3n, 4n, 5n],
  };
  test.each(['changed', 'full', 'off'] as const)(
    'takes every change of a set of rows (%s)',
    async (scope) => {
      const sql = postgresSql(pool);
      const backend = createLedgerBackend(sql, scope);
      const names = Object.keys(CHANGES) as SetChange['name'][];
      const done: string[] = [];
      for (const name of names) {
        await sql.write(() => backend.change({ name, values: CHANGES[name] }));
        done.push(name);
      }
      expect(done).toEqual(names);
    },
  );
});
