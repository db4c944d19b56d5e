import { expect, test } from 'vitest';
import { recordedStatements } from '../../../test/kit/storage/query-plans.ts';
import { openDatabase } from '../../storage/open-database.ts';
import { sqliteSql } from '../../storage/sql/sqlite-sql.ts';
import { prepareEntityByAlias, prepareEntityByEvmAddress } from '../ledger/entity-by-address.sql.ts';
import { createEntityReader } from '../ledger/entity-reader.sql.ts';
import { createAccountPages } from './account-pages.sql.ts';

test('lists of accounts walk the index of accounts, of keys or of balances', () => {
  const database = openDatabase(':memory:');
  const plans = recordedStatements(database, (spied) => createAccountPages(sqliteSql(spied)));
  expect(plans).toHaveLength(10);
  for (const { isSorted, sql, steps } of plans) {
    expect(isSorted, sql).toBe(false);
    expect(steps[0], sql).toMatch(
      /^SEARCH \w+ USING ((COVERING )?INDEX (entity_accounts|entity_by_balance|entity_settings_by_public_key)|INTEGER PRIMARY KEY \(rowid=\?\))/,
    );
    for (const step of steps.slice(1))
      expect(step, sql).toMatch(/^(SEARCH |LIST SUBQUERY|SCAN json_each VIRTUAL|CORRELATED SCALAR)/);
  }
  database.close();
});

test.each([
  ['an entity at any time', createEntityReader],
  ['an EVM address', prepareEntityByEvmAddress],
  ['an alias', prepareEntityByAlias],
])('%s is found without walking a table', (_, create) => {
  const database = openDatabase(':memory:');
  const plans = recordedStatements(database, (database) => create(sqliteSql(database)));
  expect(plans.length).toBeGreaterThan(0);
  for (const { sql, steps } of plans) {
    for (const step of steps.filter((each) => each.startsWith('SCAN'))) {
      expect(step, sql).toMatch(/^SCAN (CONSTANT ROW|given|ledger_state|\(subquery-\d+\)|w$|wanted)/);
    }
  }
  database.close();
});
