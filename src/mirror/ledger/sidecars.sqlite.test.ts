import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildMirrorApp, type MirrorApp } from '../../../test/kit/mirror/mirror-app.ts';
import { openDatabase } from '../../storage/open-database.ts';
import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { consensusTimestamp } from '../../values/consensus-timestamp.ts';
import { entityId } from '../../values/entity-id.ts';
import { createSqliteMirrorStore } from '../mirror-store.sqlite.ts';
import { fixtureTransaction, fixtureUnit } from './fixture-unit.ts';
import type { UnitSidecar } from './rows.ts';

const DAY = 86_400_000_000_000n;
const CONTENTS = Uint8Array.of(0x1f, 0x8b, 7);
const hash = new Uint8Array(48);
let database: SqliteDatabase;
let mirror: MirrorApp;
beforeEach(async () => {
  database = openDatabase(':memory:');
  mirror = await buildMirrorApp({ store: createSqliteMirrorStore(database) });
});
afterEach(async () => {
  await mirror.close();
  database.close();
});

function store(day: bigint, sidecars: readonly UnitSidecar[]) {
  const transaction = fixtureTransaction({
    consensusTimestamp: consensusTimestamp(1_600_000_000_000_000_000n + day * DAY),
    payer: entityId(1001n),
  });
  return mirror.area.ledger.commitUnit(fixtureUnit(`day ${day}`, { transactions: [transaction], sidecars }));
}

const stored = () => database.prepare('select id, types, contents from sidecar').all();

test('sidecars are stored with their unit; what is missing shows in readiness and units', async () => {
  expect(mirror.area.readiness().members['missingSidecars']).toEqual({ sidecars: 0, units: 0 });
  await store(0n, [
    { id: 1, types: [1, 2], hash, contents: CONTENTS },
    { id: 2, types: [3, 99], hash, contents: null },
  ]);
  await store(1n, []);
  expect(stored()).toEqual([
    { id: 1, types: 6, contents: Buffer.from(CONTENTS) },
    { id: 2, types: 8, contents: null },
  ]);
  expect(mirror.area.readiness().members['missingSidecars']).toEqual({
    sidecars: 1,
    units: 1,
    first: '1600000000.000000000',
    last: '1600000000.000000000',
  });
  expect(await mirror.store.report.unitRuns(true)).toMatchObject([
    { missingSidecars: 1 },
    { missingSidecars: 0 },
  ]);
});

test('sidecars go with the transactions of their unit', async () => {
  const sidecars = [{ id: 1, types: [1], hash, contents: CONTENTS }];
  await store(0n, sidecars);
  await store(5n, sidecars);
  await mirror.store.retention.prune(1);
  expect(stored()).toHaveLength(1);
  expect(await mirror.store.report.unitRuns(true)).toHaveLength(1);
});
