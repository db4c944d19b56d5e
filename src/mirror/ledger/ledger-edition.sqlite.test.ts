import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { storedUnit } from '../../../test/kit/mirror/ledger/stored-unit.ts';
import { aTransaction } from '../../../test/kit/mirror/ledger-rows.ts';
import { openDatabase } from '../../storage/open-database.ts';
import { sqliteSql } from '../../storage/sql/sqlite-sql.ts';
import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { fixtureUnit } from './fixture-unit.ts';
import { createLedgerRepository } from './ledger-repository.sql.ts';
import { createStateRebuild } from './upkeep/state-rebuild.sqlite.ts';
import { createStoredUnits } from './upkeep/stored-units.sql.ts';

const START = 1_700_000_000_000_000_000n;

describe('the edition of a ledger', () => {
  let database: SqliteDatabase;

  beforeEach(() => {
    database = openDatabase(':memory:');
  });
  afterEach(() => {
    database.close();
  });

  const rewrites = () => database.prepare('select rewrites from ledger_edition').pluck().get();
  const store = (name: string, ...times: bigint[]) =>
    createLedgerRepository(sqliteSql(database)).commitUnit(
      fixtureUnit(name, { transactions: times.map((time) => aTransaction(time)) }),
    );

  test('is another one in every database', () => {
    const other = openDatabase(':memory:');
    const id = (of: SqliteDatabase) => of.prepare('select hex(ledger_id) from ledger_edition').pluck().get();
    expect(id(database)).toMatch(/^[0-9A-F]{32}$/);
    expect(id(other)).not.toBe(id(database));
    other.close();
  });

  test('stays while units follow each other, also with a row that two of them share', async () => {
    await store('a', START);
    await store('b', START, START + 1n);
    await store('c', START + 2n);
    expect(rewrites()).toBe(0);
  });

  test('changes with a row that is stored behind the time of others', async () => {
    await store('a', START);
    await store('b', START - 1n, START + 1n);
    expect(rewrites()).toBe(1);
  });

  test('changes with a unit that is written anew', async () => {
    await store('a', START);
    const unit = fixtureUnit('a', { transactions: [aTransaction(START)] });
    await createStoredUnits(sqliteSql(database), false).rewrite(storedUnit({ ...unit, gas: null }));
    expect(rewrites()).toBe(1);
  });

  test('changes with a state that is derived anew', async () => {
    const rebuild = createStateRebuild(sqliteSql(database), openDatabase(':memory:'));
    expect(await rebuild.replace()).toBe('replaced');
    await rebuild.close();
    expect(rewrites()).toBe(1);
  });
});
