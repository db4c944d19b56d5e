import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../storage/open-database.ts';
import { sqliteSql } from '../../storage/sql/sqlite-sql.ts';
import { entityId } from '../../values/entity-id.ts';
import { aTransaction } from '../testing/ledger-rows.ts';
import { fixtureUnit } from './fixture-unit.ts';
import { createLedgerRepository } from './ledger-repository.sql.ts';

test('token balances of a ledger that was stored without them are unknown until it is rebuilt', async () => {
  const database = openDatabase(':memory:');
  onTestFinished(() => void database.close());
  const ledger = createLedgerRepository(sqliteSql(database));
  await ledger.commitUnit(fixtureUnit('a', { transactions: [aTransaction(10n)] }));
  const upgrade = new URL('../../../migrations/sqlite/0012-mirror-token-balances.sql', import.meta.url);
  database.exec(readFileSync(upgrade, 'utf8'));
  const tokenTransfers = [{ token: entityId(90n), account: entityId(5n), amount: 1n, isApproval: false }];
  await ledger.commitUnit(fixtureUnit('b', { transactions: [aTransaction(15n, { tokenTransfers })] }));
  expect(database.prepare('select * from token_balance').all()).toEqual([]);
});
