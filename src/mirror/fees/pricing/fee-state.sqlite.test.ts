import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../../storage/open-database.ts';
import { sqliteSql } from '../../../storage/sql/sqlite-sql.ts';
import type { SqliteDatabase } from '../../../storage/sqlite.ts';
import { entityId } from '../../../values/entity-id.ts';
import { createFeeState } from './fee-state.sql.ts';
import type { FeeStateSource } from './fee-state.ts';

describe('createFeeState', () => {
  let database: SqliteDatabase;
  let state: FeeStateSource;
  beforeEach(() => {
    database = openDatabase(':memory:');
    database.exec(`
      insert into token (token_id, kind) values (5005, 'FUNGIBLE_COMMON'), (-5, 'NON_FUNGIBLE_UNIQUE');
      insert into custom_fee (entity_id, lower_ts, fee_count) values (5005, 1, 1), (5005, 2, 2), (5004, 3, 3);
      insert into topic_state (topic_id, consensus_ts, fixed_fee_count) values (7007, 1, 1), (7008, 1, null);
      insert into entity (id, alias, created_ts) values (2000, x'0a0b', 5), (2001, null, null), (2002, null, null);
      insert into entity_settings (id, max_automatic_associations) values (2000, -1), (2003, 4);
      insert into account_tx values (2004, 5, 0, 14, 4);
      insert into token_balance (account_id, token_id, balance, balance_ts, associated)
        values (2001, 5005, 0, 5, null), (2002, 5005, null, 5, 0), (2006, 5005, null, 5, null), (2005, 5005, null, null, 1);
    `);
    state = createFeeState(sqliteSql(database));
  });
  afterEach(() => database.close());

  const ledger = (complete: 0 | 1, forgottenAt: number | null) =>
    database
      .prepare(
        'insert or replace into ledger_state (only_row, balances_complete, forgotten_ts) values (1, ?, ?)',
      )
      .run(complete, forgottenAt);
  const associated = (account: bigint, token: bigint) =>
    state.isAssociated(entityId(account), entityId(token));

  test('gives what a price depends on, for ids with the sign bit set too', async () => {
    expect(await state.token(entityId(5005n))).toEqual({ kind: 'FUNGIBLE_COMMON', customFeeCount: 2 });
    expect(await state.token(entityId(-5n))).toEqual({ kind: 'NON_FUNGIBLE_UNIQUE', customFeeCount: 0 });
    expect(await state.topic(entityId(7007n))).toEqual({ fixedFeeCount: 1 });
  });

  test('gives null for what the ledger does not know', async () => {
    expect(await state.token(entityId(1n))).toBeNull();
    expect(await state.topic(entityId(5005n))).toBeNull();
    expect(await state.account(entityId(1n))).toBeNull();
    expect(await state.accountByAlias(Uint8Array.of(1))).toBeNull();
  });

  test('knows accounts by a row, by settings alone, by a transaction alone, and by alias', async () => {
    const maximum = async (id: bigint) => (await state.account(entityId(id)))?.maxAutomaticAssociations;
    expect([await maximum(2000n), await maximum(2001n), await maximum(2003n), await maximum(2004n)]).toEqual([
      -1n,
      null,
      4n,
      null,
    ]);
    expect(await state.accountByAlias(Uint8Array.of(0x0a, 0x0b))).toBe(2000n);
    const longZero = Buffer.from(`${'00'.repeat(12)}00000000000007d0`, 'hex');
    expect(await state.accountByAlias(longZero)).toBe(2000n);
  });

  test('tells associations by what an account holds or gave up', async () => {
    ledger(0, null);
    expect([await associated(2001n, 5005n), await associated(2002n, 5005n)]).toEqual([true, false]);
  });

  test('tells an association by a balance that moved and is not known', async () => {
    ledger(1, null);
    expect(await associated(2006n, 5005n)).toBe(true);
  });

  test('tells an association without a balance, unless it may have ended in missing units', async () => {
    ledger(0, null);
    expect(await associated(2005n, 5005n)).toBe(true);
    ledger(0, 4);
    expect(await associated(2005n, 5005n)).toBeNull();
  });

  test('tells a missing association only where all of them were seen', async () => {
    ledger(0, null);
    // The token or the account began in the imported part.
    expect([await associated(2003n, 5005n), await associated(2000n, 99n)]).toEqual([false, false]);
    expect(await associated(2003n, 99n)).toBeNull();
    ledger(1, null);
    expect(await associated(2003n, 99n)).toBe(false);
    // Behind a jump only new accounts are sure.
    ledger(0, 4);
    expect([await associated(2003n, 5005n), await associated(2000n, 5005n)]).toEqual([null, false]);
  });
});
