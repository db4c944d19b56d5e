import { expect, test } from 'vitest';
import { expectWholeWalks } from '../../../test/kit/mirror/list-walks.ts';
import { openDatabase } from '../../storage/open-database.ts';
import { sqliteSql } from '../../storage/sql/sqlite-sql.ts';
import { fixtureUnit } from '../ledger/fixture-unit.ts';
import { createLedgerRepository } from '../ledger/ledger-repository.sql.ts';
import { createTransactionRepository } from './transaction-repository.sql.ts';

test.each(['spec', 'hiero'] as const)(
  'following next visits the same where no range of accounts is merged from scans (%s)',
  async (dialect) => {
    await expectWholeWalks({ dialect, maxRangeNanos: null }, async (transactions) => {
      const database = openDatabase(':memory:');
      const ledger = createLedgerRepository(sqliteSql(database));
      expect(await ledger.commitUnit(fixtureUnit('random', { transactions }))).toBe('stored');
      return {
        transactions: createTransactionRepository(sqliteSql(database), dialect, 0),
        close: () => void database.close(),
      };
    });
  },
);
