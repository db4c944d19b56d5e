import { afterAll, beforeAll, expect, test } from 'vitest';
import { KEYS, ledgerOf } from '../../../test/kit/mirror/keyed-ledger.ts';
import { recordedStatements } from '../../../test/kit/storage/query-plans.ts';
import { openDatabase } from '../../storage/open-database.ts';
import { sqliteSql } from '../../storage/sql/sqlite-sql.ts';
import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { keyJson } from '../ledger/key-json.ts';
import { createLedgerRepository } from '../ledger/ledger-repository.sql.ts';
import { createBalanceRepository } from './balance-repository.sql.ts';

let ledger: SqliteDatabase;
beforeAll(async () => {
  ledger = openDatabase(':memory:');
  await createLedgerRepository(sqliteSql(ledger)).commitUnit(ledgerOf(KEYS));
});
afterAll(() => ledger.close());

test('the stored key is what the account shows', () => {
  const rows = ledger
    .prepare<[], { id: bigint; key: Buffer; public_key: Buffer | null }>(
      'select id, key, public_key from entity_settings order by id',
    )
    .safeIntegers(true)
    .all();
  expect(rows.map((row) => [row.id, row.public_key?.toString('hex') ?? null])).toEqual(
    KEYS.map(([num, , publicKey]) => [num, publicKey]),
  );
  for (const { key, public_key: stored } of rows) {
    const shown = keyJson(key);
    expect(stored?.toString('hex')).toBe(shown?._type === 'ProtobufEncoded' ? undefined : shown?.key);
  }
});

test('one key is found by its index, a range of keys without a scan', () => {
  const plans = recordedStatements(ledger, (spied) => createBalanceRepository(sqliteSql(spied)));
  const keyed = plans.filter(({ sql }) => /public_key (?:= @key|>= \?)/.test(sql));
  expect(keyed).toHaveLength(5);
  for (const { isSorted, sql, steps } of keyed) {
    expect(steps[0], sql).toMatch(/^SEARCH \w+ USING (?:COVERING )?INDEX entity_settings_by_public_key/);
    expect(isSorted, sql).toBe(false);
    expect(steps.filter((step) => step.startsWith('SCAN'))).toEqual([]);
  }
});
