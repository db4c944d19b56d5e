import { afterAll, beforeAll, expect, test } from 'vitest';
import { indexRange, recordedStatements } from '../../../test/kit/storage/query-plans.ts';
import { openDatabase } from '../../storage/open-database.ts';
import { sqliteSql } from '../../storage/sql/sqlite-sql.ts';
import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { createAirdropRepository } from './airdrop-repository.sql.ts';

let database: SqliteDatabase;
beforeAll(() => {
  database = openDatabase(':memory:');
});
afterAll(() => database.close());

test('airdrops are ranges of indexes of those that wait', () => {
  const plans = recordedStatements(database, (spied) => createAirdropRepository(sqliteSql(spied)));
  expect(plans.filter(({ isSorted }) => isSorted)).toEqual([]);
  const keys = (...names: readonly string[]) => `(${names})>(?,?,?) AND (${names})<(?,?,?)`;
  expect([...new Set(plans.map(indexRange))]).toEqual([
    `airdrop_outstanding: sender_id=? AND ${keys('receiver_id', 'token_id', 'serial_number')}`,
    `airdrop_outstanding_by_token: sender_id=? AND ${keys('token_id', 'receiver_id', 'serial_number')}`,
    `airdrop_pending: receiver_id=? AND ${keys('sender_id', 'token_id', 'serial_number')}`,
    `airdrop_pending_by_token: receiver_id=? AND ${keys('token_id', 'sender_id', 'serial_number')}`,
  ]);
});
