import { expect, onTestFinished, test } from 'vitest';
import { migrate, readMigrations } from '../../storage/migrations.ts';
import { openSqlite } from '../../storage/sqlite.ts';
import { createSqliteLedgerRepository } from './ledger-repository.sqlite.ts';

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
    const { publications } = await createSqliteLedgerRepository(database).knownTrust();
    expect(publications).toEqual([
      { consensusTimestamp: 15n, ledgerId: Buffer.from([10, 11]), body: null, isSigned },
    ]);
  },
);
