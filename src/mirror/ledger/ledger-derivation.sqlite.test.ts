import { expect, onTestFinished, test } from 'vitest';
import { storedUnit } from '../../../test/kit/mirror/ledger/stored-unit.ts';
import { aTransaction } from '../../../test/kit/mirror/ledger-rows.ts';
import { openDatabase } from '../../storage/open-database.ts';
import { sqliteSql } from '../../storage/sql/sqlite-sql.ts';
import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { createSqliteMirrorStore } from '../mirror-store.sqlite.ts';
import { fixtureUnit } from './fixture-unit.ts';
import { createLedgerRepository } from './ledger-repository.sql.ts';
import type { LedgerUnit } from './rows.ts';
import { describeDerivation } from './upkeep/ledger-report.ts';
import { createRetention } from './upkeep/retention.sql.ts';
import { createStateRebuild } from './upkeep/state-rebuild.sqlite.ts';

const DAY = 86_400_000_000_000n;
const FIXTURES = [5n, 6n * DAY].map((at) => fixtureUnit(`at ${at}`, { transactions: [aTransaction(at)] }));
const UNITS = FIXTURES.map((unit) => ({ ...unit, header: { ...unit.header, kind: 'record' as const } }));

function memoryDatabase(): SqliteDatabase {
  const database = openDatabase(':memory:');
  onTestFinished(() => void (database.open && database.close()));
  return database;
}

/** As the migration leaves a ledger that was begun before it. */
async function aLedgerOfAnEarlierVersion(units: readonly LedgerUnit[] = UNITS): Promise<SqliteDatabase> {
  const database = memoryDatabase();
  const ledger = createLedgerRepository(sqliteSql(database));
  await ledger.commitUnit(units[0]!);
  database.exec('update ledger_state set derivation = null');
  await ledger.commitUnit(units[1]!);
  return database;
}

test('an empty ledger and one of this version want no rebuild', async () => {
  const database = memoryDatabase();
  const report = createSqliteMirrorStore(database).report;
  expect(await report.derivation()).toBe('current');
  await createLedgerRepository(sqliteSql(database)).commitUnit(UNITS[0]!);
  expect(await report.derivation()).toBe('current');
  expect(describeDerivation('current')).toBeNull();
});

test('a ledger of an earlier version wants a rebuild until it had one, whatever is imported behind it', async () => {
  const database = await aLedgerOfAnEarlierVersion();
  const report = createSqliteMirrorStore(database).report;
  expect(await report.derivation()).toBe('older');
  expect(describeDerivation('older')).toContain('"ledgerlens ledger rebuild"');
  const rebuild = createStateRebuild(sqliteSql(database), memoryDatabase());
  for (const unit of UNITS) await rebuild.add(storedUnit(unit));
  expect(await rebuild.replace()).toBe('replaced');
  expect(await report.derivation()).toBe('current');
});

test('no rebuild is wanted of a ledger with a fixture, of which no bytes are kept', async () => {
  const database = await aLedgerOfAnEarlierVersion(FIXTURES);
  expect(await createSqliteMirrorStore(database).report.derivation()).toBe('older-for-good');
});

test('no rebuild is wanted of a ledger whose older transactions were deleted', async () => {
  const database = await aLedgerOfAnEarlierVersion();
  expect(await createRetention(sqliteSql(database)).prune(1)).toMatchObject({ transactions: 1 });
  const derivation = await createSqliteMirrorStore(database).report.derivation();
  expect(derivation).toBe('older-for-good');
  expect(describeDerivation(derivation)).toContain('only an import into a new database');
});
