import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { memoryBackend, tablesText } from '../../../../test/kit/mirror/ledger/memory-backend.ts';
import { randomUnits } from '../../../../test/kit/mirror/ledger/random-units.ts';
import { withStates } from '../../../../test/kit/mirror/ledger/stated-units.ts';
import * as fc from '../../../../test/support/properties.ts';
import { openDatabase } from '../../../storage/open-database.ts';
import { sqliteSql } from '../../../storage/sql/sqlite-sql.ts';
import type { SqliteDatabase } from '../../../storage/sqlite.ts';
import { appendTable, type ColumnValue, stateTable } from '../../../values/stored-tables.ts';
import { doNow } from '../../../values/work.ts';
import { createLedgerBackend } from './ledger-backend.sql.ts';
import { commitUnits } from './ledger-backend.ts';

const NOT_SHOWN = false;

describe('createLedgerBackend', () => {
  let database: SqliteDatabase;
  beforeEach(() => {
    database = openDatabase(':memory:');
  });
  afterEach(() => {
    database.close();
  });

  const storedText = (names: readonly string[]): string =>
    tablesText(
      names.map((name) => [
        name,
        database.prepare<[], Record<string, ColumnValue>>(`select * from ${name}`).safeIntegers(true).all(),
      ]),
    );

  test('stores what a ledger in memory stores', () => {
    fc.assert(
      fc.property(randomUnits(), fc.nat({ max: 9 }), (given, balance) => {
        const drawn = [[{ account: 5n, token: 90n, balance: BigInt(balance) }], []];
        const units = withStates(given, drawn);
        database.close();
        database = openDatabase(':memory:');
        const middle = Math.floor(units.length / 2);
        const commits = [units.slice(0, middle), units.slice(middle)];
        for (const commit of commits)
          doNow(commitUnits(createLedgerBackend(sqliteSql(database)), commit, NOT_SHOWN));
        const memory = memoryBackend();
        for (const commit of commits) doNow(commitUnits(memory, commit, NOT_SHOWN));
        expect(storedText(memory.tables())).toBe(memory.dump());
      }),
      { numRuns: 30 },
    );
  });

  test('keeps every digit of 64-bit integers, in keys too', () => {
    const backend = createLedgerBackend(sqliteSql(database));
    const most = 2n ** 63n - 1n;
    const table = stateTable(
      'token_balance',
      { account: 'account_id', token: 'token_id' },
      { balance: 'balance', at: 'balance_ts' },
    );
    const row = [most, -most - 1n, most - 1n, most - 2n];
    doNow(backend.store(table, [row, [1n, 2n, 3n, 4n]]));
    expect(doNow(backend.load({ table, keys: [[most, -most - 1n]], match: 'equal' }))).toEqual([row]);
  });

  test.each([1, 7, 8, 63, 64, 65, 200])('stores each of %i rows', (count) => {
    const backend = createLedgerBackend(sqliteSql(database));
    const table = appendTable('file_piece', 2, [
      'file_id',
      'consensus_ts',
      'tx_type',
      'contents',
      'place',
      'seq',
    ]);
    doNow(
      backend.store(
        table,
        Array.from({ length: count }, (_, index) => [BigInt(index), 1n, 17, Buffer.alloc(1), 1n, 0n]),
      ),
    );
    expect(database.prepare('select count(*) from file_piece').pluck().get()).toBe(count);
  });
});
