import { afterEach, beforeEach, expect, test } from 'vitest';
import { aTransaction } from '../../../test/kit/mirror/ledger-rows.ts';
import { openDatabase } from '../../storage/open-database.ts';
import { sqliteSql } from '../../storage/sql/sqlite-sql.ts';
import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { entityId } from '../../values/entity-id.ts';
import { fixtureUnit } from '../ledger/fixture-unit.ts';
import { createLedgerRepository } from '../ledger/ledger-repository.sql.ts';

let database: SqliteDatabase;
beforeEach(() => {
  database = openDatabase(':memory:');
});
afterEach(() => database.close());

test('the pieces of a file are read through their index', () => {
  const plan = database
    .prepare<[], { readonly detail: string }>(
      `explain query plan select consensus_ts from tx t where t.type in (16, 17, 19) and t.entity_id = 30
       and t.consensus_ts < 9 and t.facet & 4 <> 0 order by t.consensus_ts desc`,
    )
    .all();
  expect(plan.map(({ detail }) => detail)).toEqual([
    'SEARCH t USING INDEX tx_by_file (entity_id=? AND consensus_ts<?)',
  ]);
});

test('contracts with equal code share it', async () => {
  const contracts = [40n, 41n].map((num) => ({
    contract: entityId(num),
    creation: null,
    runtimeCode: Uint8Array.of(0x60),
  }));
  const transactions = [aTransaction(50n)];
  const unit = fixtureUnit('a', { transactions, contracts });
  expect(await createLedgerRepository(sqliteSql(database)).commitUnit(unit)).toBe('stored');
  expect(database.prepare('select count(*) from ledger_contract').pluck().get()).toBe(2);
  expect(database.prepare('select count(*) from ledger_code').pluck().get()).toBe(1);
});
