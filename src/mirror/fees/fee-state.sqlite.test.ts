import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSqlite, type SqliteDatabase } from '../../storage/sqlite.ts';
import { entityId } from '../../values/entity-id.ts';
import { createSqliteFeeState } from './fee-state.sqlite.ts';

describe('createSqliteFeeState', () => {
  let database: SqliteDatabase;
  beforeEach(() => {
    database = openSqlite(':memory:');
    const migration = new URL('../../../migrations/sqlite/0003-mirror.sql', import.meta.url);
    database.exec(readFileSync(migration, 'utf8'));
    database.exec(`
      insert into token_state values (5005, 'FUNGIBLE_COMMON', 2, 1), (-5, 'NON_FUNGIBLE_UNIQUE', 0, 1);
      insert into topic_state values (7007, 1, 1);
    `);
  });
  afterEach(() => database.close());

  test('gives what a price depends on, for ids with the sign bit set too', async () => {
    const state = createSqliteFeeState(database);
    expect(await state.token(entityId(5005n))).toEqual({ kind: 'FUNGIBLE_COMMON', customFeeCount: 2 });
    expect(await state.token(entityId(-5n))).toEqual({ kind: 'NON_FUNGIBLE_UNIQUE', customFeeCount: 0 });
    expect(await state.topic(entityId(7007n))).toEqual({ fixedFeeCount: 1 });
  });

  test('gives null for what the ledger does not know', async () => {
    const state = createSqliteFeeState(database);
    expect(await state.token(entityId(1n))).toBeNull();
    expect(await state.topic(entityId(5005n))).toBeNull();
  });
});
