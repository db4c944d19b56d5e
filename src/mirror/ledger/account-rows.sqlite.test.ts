import { expect, onTestFinished, test } from 'vitest';
import { aTransaction, aTransfer } from '../../../test/kit/mirror/ledger-rows.ts';
import { openDatabase } from '../../storage/open-database.ts';
import { sqliteSql } from '../../storage/sql/sqlite-sql.ts';
import { entityId } from '../../values/entity-id.ts';
import { fixtureUnit } from './fixture-unit.ts';
import { createLedgerRepository } from './ledger-repository.sql.ts';

test('account rows carry one bit per reason and the facet of the account', async () => {
  const database = openDatabase(':memory:');
  onTestFinished(() => void database.close());
  const transactions = [
    aTransaction(10n, {
      result: 10,
      nftTransfers: [
        { token: entityId(9n), sender: entityId(3n), receiver: null, serial: 1n, isApproval: false },
      ],
      transfers: [aTransfer(3n, 5n), aTransfer(4n, 0n), aTransfer(5n, -5n)],
    }),
    aTransaction(11n, { nonce: 1, transfers: [aTransfer(3n, -1n)] }),
  ];
  await createLedgerRepository(sqliteSql(database)).commitUnit(fixtureUnit('a', { transactions }));
  expect(
    database
      .prepare('select account_id, flags, facet from account_tx order by consensus_ts, account_id')
      .raw()
      .all(),
  ).toEqual([
    [3, 2 | 16, 1],
    [4, 8, 0],
    [5, 4, 2],
    [1001, 1, 0],
    [3, 4, 4 | 2],
  ]);
});
