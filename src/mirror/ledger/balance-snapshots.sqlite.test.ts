import { expect, test } from 'vitest';
import { aTransaction, aTransfer } from '../../../test/kit/mirror/ledger-rows.ts';
import { openDatabase } from '../../storage/open-database.ts';
import { sqliteSql } from '../../storage/sql/sqlite-sql.ts';
import { consensusTimestamp } from '../../values/consensus-timestamp.ts';
import { entityId } from '../../values/entity-id.ts';
import type { SnapshotScope } from './balance-snapshots.ts';
import { fixtureUnit } from './fixture-unit.ts';
import { createLedgerRepository } from './ledger-repository.sql.ts';

const at = (text: string) => BigInt(Date.parse(text)) * 1_000_000n;
const CREATED = at('2023-06-01T00:00:00Z');
const JUNE = at('2023-06-30T23:00:00Z');
const JULY = at('2023-07-01T00:00:00Z');

/** Accounts with a row in the snapshot of July, when 3 and 5000 move alone; 5001 was deleted in June, 5002 long ago. */
async function julyOf(scope: SnapshotScope, others = 0): Promise<{ rows: unknown[]; windowed: unknown }> {
  const database = openDatabase(':memory:');
  const ledger = createLedgerRepository(sqliteSql(database), { balanceSnapshots: scope });
  const move = (...nums: readonly bigint[]) => nums.map((num) => aTransfer(num, 1n));
  const deleted = (num: bigint, time: bigint) => ({
    entity: entityId(num),
    type: 'ACCOUNT' as const,
    changedTimestamp: consensusTimestamp(time),
    isDeleted: true,
  });
  await ledger.commitUnit(
    fixtureUnit('first', {
      transactions: [aTransaction(CREATED - 1n, { transfers: move(2n, 3n, 600n, 5000n, 5002n, 5003n) })],
      entityChanges: [deleted(5002n, CREATED - 1n)],
    }),
  );
  const fill = database.prepare('insert into entity (id) values (?)');
  for (let num = 0; num < others; num++) fill.run(10_000 + num);
  await ledger.commitUnit(
    fixtureUnit('june', {
      transactions: [aTransaction(JUNE, { transfers: move(5001n) })],
      entityChanges: [deleted(5001n, JUNE)],
    }),
  );
  await ledger.commitUnit(
    fixtureUnit('july', { transactions: [aTransaction(JULY, { transfers: move(3n, 5000n) })] }),
  );
  const rows = database
    .prepare('select account_id from balance_snapshot where consensus_ts = ? order by 1')
    .pluck()
    .all(JULY);
  const windowed = database
    .prepare('select is_windowed from balance_snapshot_time where consensus_ts = ?')
    .pluck()
    .get(JULY);
  database.close();
  return { rows, windowed };
}

const CHANGED_AND_SYSTEM = [2, 3, 600, 5000];

test.each<[SnapshotScope, number, readonly number[], number | undefined]>([
  ['changed', 0, [2, 3, 600, 5000, 5001, 5003], 1],
  ['changed', 100_000, CHANGED_AND_SYSTEM, 0],
  ['full', 100_000, [2, 3, 600, 5000, 5001, 5003], 1],
  ['off', 0, [], undefined],
])(
  'the first snapshot of a half year with %s and %d other accounts',
  async (scope, others, accounts, windowed) => {
    expect(await julyOf(scope, others)).toEqual({ rows: accounts, windowed });
  },
);
