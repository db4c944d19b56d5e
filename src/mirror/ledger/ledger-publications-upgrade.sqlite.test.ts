import { expect, onTestFinished, test } from 'vitest';
import { migrate, readMigrations } from '../../storage/migrations.ts';
import { sqliteSql } from '../../storage/sql/sqlite-sql.ts';
import { openSqlite } from '../../storage/sqlite.ts';
import { createLedgerRepository } from './ledger-repository.sql.ts';

test.each([
  ['signatures', true],
  ['chain', false],
] as const)(
  'the ledger id of a ledger stored before stays, with the level %s of its unit',
  async (level, isSigned) => {
    const database = openSqlite(':memory:');
    onTestFinished(() => void database.close());
    const migrations = readMigrations();
    const at = migrations.findIndex(({ name }) => name.includes('ledger-trust'));
    migrate(database, migrations.slice(0, at));
    database
      .prepare(
        `insert into ledger_unit (consensus_end, consensus_start, source, kind, name, version, hash, previous_hash,
         file_hash, transaction_count, size, verification)
       values (20, 10, 's', 'record', 'a.rcd', 6, x'01', x'00', x'02', 1, 1, ?)`,
      )
      .run(level);
    database.exec("insert into ledger_identity (only_row, consensus_ts, ledger_id) values (1, 15, x'0a0b')");
    migrate(database, migrations);
    const publication = { consensusTimestamp: 15n, ledgerId: Buffer.from([10, 11]), isSigned };
    const known = async () => (await createLedgerRepository(sqliteSql(database)).knownTrust()).publications;
    expect(await known()).toEqual([{ ...publication, body: null }]);
    // The transaction is there, unless retention removed it: a body in a signed transaction, with its type as number.
    const body = Buffer.from([10, 2, 10, 11]);
    const transaction = Buffer.from([42, 9, 10, 7, 0xea, 4, 4, ...body]);
    database
      .prepare('insert into tx_source (consensus_ts, transaction_bytes) values (15, ?)')
      .run(transaction);
    expect(await known()).toEqual([{ ...publication, body }]);
  },
);
