import { expect, onTestFinished, test } from 'vitest';
import { memoryBackend } from '../../../../test/kit/mirror/ledger/memory-backend.ts';
import { aStakeUpdate, aTransaction, aTransfer } from '../../../../test/kit/mirror/ledger-rows.ts';
import { openMemoryStore } from '../../../../test/support/test-store.ts';
import { openDatabase } from '../../../storage/open-database.ts';
import { sqliteSql } from '../../../storage/sql/sqlite-sql.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { entityId } from '../../../values/entity-id.ts';
import { doNow } from '../../../values/work.ts';
import { createLedgerBackend } from '../commit/ledger-backend.sql.ts';
import { commitUnits } from '../commit/ledger-backend.ts';
import { type FixtureRows, fixtureUnit } from '../fixture-unit.ts';
import type { EntityChange, LedgerUnit, StakeUpdate } from '../rows.ts';
import { createStakes } from '../stakes.sql.ts';

const DAY = 86_400_000_000_000n;
const HBAR = 100_000_000n;
/** Day 20 000 since 1970. */
const FIRST = 20_000n;
const [STAKER, FRIEND, DECLINES, LEAVES] = [1001n, 1002n, 1003n, 1004n].map(entityId) as [
  ReturnType<typeof entityId>,
  ReturnType<typeof entityId>,
  ReturnType<typeof entityId>,
  ReturnType<typeof entityId>,
];

const change = (entity: typeof STAKER, at: bigint, members: Partial<EntityChange>): EntityChange => ({
  entity,
  type: 'ACCOUNT',
  changedTimestamp: consensusTimestamp(at),
  ...members,
});

/** Units of a ledger that is known from its first block, each after the one before. */
function chain(...given: readonly FixtureRows[]): readonly LedgerUnit[] {
  let previousHash: Uint8Array = new Uint8Array(48);
  return given.map((rows, index) => {
    const unit = fixtureUnit(`unit ${index}`, rows);
    const header = {
      ...unit.header,
      kind: 'record' as const,
      version: 6,
      blockNumber: BigInt(index),
      previousHash,
    };
    previousHash = header.hash;
    return { ...unit, header };
  });
}

/** An update that names one node. */
function stakeUpdate(at: bigint, nodeId: bigint, rewardRate: bigint): StakeUpdate {
  const update = aStakeUpdate(at);
  return { ...update, nodes: update.nodes.map((node) => ({ ...node, nodeId, rewardRate })) };
}

/**
 * The first unit of a day: the update, a second one that does not count, and a transfer that the stake does not see.
 *
 * @param rate of node 0; null when the update does not name it
 */
function dayBegins(day: bigint, rate: bigint | null, changes: readonly EntityChange[] = []): FixtureRows {
  const at = day * DAY + 10n;
  return {
    transactions: [
      aTransaction(at),
      aTransaction(at + 5n, { transfers: [aTransfer(STAKER, -HBAR), aTransfer(3n, HBAR)] }),
    ],
    stakeUpdates: [stakeUpdate(at, rate === null ? 1n : 0n, rate ?? 0n), stakeUpdate(at + 3n, 0n, 1000n)],
    entityChanges: changes,
  };
}

const start = FIRST * DAY + 100n;
const period = consensusTimestamp(FIRST * DAY);
const staked = { stakedNode: 0n, stakePeriodStart: period, declinesReward: false };
/** @param named beside those that stake: 800 is the account that pays the rewards */
const ledgerNaming = (named: bigint) =>
  chain(
    {
      transactions: [
        aTransaction(start, {
          transfers: [
            aTransfer(2n, -71n * HBAR),
            aTransfer(named, HBAR),
            aTransfer(STAKER, 40n * HBAR),
            aTransfer(FRIEND, 10n * HBAR),
            aTransfer(DECLINES, 10n * HBAR),
            aTransfer(LEAVES, 10n * HBAR),
          ],
        }),
      ],
      entityChanges: [
        change(STAKER, start, staked),
        change(FRIEND, start, { stakedAccount: STAKER, stakePeriodStart: period }),
        change(DECLINES, start, { ...staked, declinesReward: true }),
        change(LEAVES, start, staked),
      ],
    },
    dayBegins(FIRST + 1n, 3n),
    // Leaving in the unit, but after the update: the period still counts.
    dayBegins(FIRST + 2n, 3n, [change(LEAVES, (FIRST + 2n) * DAY + 12n, { stakedNode: null })]),
    dayBegins(FIRST + 3n, 5n),
    // More than 365 days after the stake began; the node is gone after the first of them.
    dayBegins(FIRST + 367n, 7n),
    dayBegins(FIRST + 368n, null),
    dayBegins(FIRST + 369n, null),
  );
const units = ledgerNaming(800n);

test.each([800n, 4n])(
  'stakes at the end of each period are the same in SQLite and in memory, together or apart, where %i is named',
  (named) => {
    const units = ledgerNaming(named);
    const dumps = [units.map((unit) => [unit]), [units]].map((commits) => {
      const backend = memoryBackend();
      for (const commit of commits) doNow(commitUnits(backend, commit, false));
      return backend;
    });
    expect(dumps[1]?.dump()).toBe(dumps[0]?.dump());
    const database = openDatabase(':memory:');
    doNow(commitUnits(createLedgerBackend(sqliteSql(database)), units, false));
    for (const table of ['stake_row', 'stake_history']) {
      const rows = database
        .prepare<[], Record<string, bigint>>(`select * from ${table} order by account_id, lower_ts`)
        .safeIntegers(true)
        .all();
      const inMemory = [...(dumps[0]?.rows(table) ?? [])].sort((one, other) =>
        `${one['account_id']}/${one['lower_ts']}`.localeCompare(
          `${other['account_id']}/${other['lower_ts']}`,
          'en',
          {
            numeric: true,
          },
        ),
      );
      expect(rows).toEqual(inMemory);
      expect(rows.length).toBeGreaterThan(0);
    }
    database.close();
  },
);

test.each([800n, 4n])(
  'whoever is staked to a node with a reward has a row for each period, and the account that pays, where %i is named',
  async (named) => {
    const units = ledgerNaming(named);
    const database = openDatabase(':memory:');
    doNow(commitUnits(createLedgerBackend(sqliteSql(database)), units.slice(0, 4), false));
    const stored = database
      .prepare<[], Record<string, bigint>>(
        `select account_id, end_stake_period as day, pending_reward, stake_total, staked_to_me from stake_row
       union all
       select account_id, end_stake_period, pending_reward, stake_total, staked_to_me from stake_history
       order by 1, 2`,
      )
      .safeIntegers(true)
      .all()
      .map((row) => Object.values(row));
    expect(stored).toEqual([
      [800n, FIRST, 0n, 0n, 0n],
      [800n, FIRST + 1n, 0n, 0n, 0n],
      [800n, FIRST + 2n, 0n, 0n, 0n],
      [STAKER, FIRST, 0n, 50n * HBAR, 10n * HBAR],
      [STAKER, FIRST + 1n, 150n, 49n * HBAR, 10n * HBAR],
      [STAKER, FIRST + 2n, 150n + 49n * 5n, 48n * HBAR, 10n * HBAR],
      [LEAVES, FIRST, 0n, 10n * HBAR, 0n],
      [LEAVES, FIRST + 1n, 30n, 10n * HBAR, 0n],
    ]);
    const stakes = createStakes(sqliteSql(database));
    const at = (day: bigint) => (FIRST + day) * DAY + 10n;
    const ask = async (lower: bigint, upper: bigint, ...excluded: readonly bigint[]) =>
      (await stakes.at(STAKER, { lower, upper, excluded }))?.endStakePeriod ?? null;
    expect(await ask(0n, at(1n) - 1n)).toBeNull();
    expect(await ask(0n, at(1n))).toBe(FIRST);
    expect(await ask(0n, at(3n) - 1n)).toBe(FIRST + 1n);
    expect(await ask(at(9n), at(10n))).toBe(FIRST + 2n);
    expect(await ask(0n, at(9n), at(4n), at(2n))).toBe(FIRST);
    expect(await ask(at(2n), at(9n), at(4n), at(2n))).toBeNull();
    expect((await stakes.now([STAKER, FRIEND])).get(STAKER)?.pendingReward).toBe(395n);
    expect((await stakes.now([FRIEND])).size).toBe(0);
    database.close();
  },
);

test('what moved before the update in its block counts, and what moved after it does not, whatever the times', () => {
  const [first, next] = units;
  if (first === undefined || next === undefined) expect.fail('no units');
  const at = (FIRST + 1n) * DAY + 10n;
  const moved = (offset: bigint, hbars: bigint) =>
    aTransaction(at + offset, { transfers: [aTransfer(STAKER, -hbars * HBAR), aTransfer(3n, hbars * HBAR)] });
  // A fixture would have them ascending.
  const stepping = { ...next, transactions: [moved(5n, 1n), aTransaction(at), moved(-5n, 2n)] };
  const backend = memoryBackend();
  doNow(commitUnits(backend, [first, stepping], false));
  const row = backend.rows('stake_row').find((each) => each['account_id'] === STAKER);
  expect(row?.['stake_total']).toBe(49n * HBAR);
});

test('settings that changed before the update in the chain count, whatever the times', () => {
  const [first, next] = units;
  if (first === undefined || next === undefined) expect.fail('no units');
  const at = (FIRST + 1n) * DAY + 10n;
  const left = [change(LEAVES, at + 20n, { stakedNode: null })];
  const before = chain(
    { transactions: first.transactions, entityChanges: first.entityChanges },
    { transactions: [aTransaction(at + 20n)], entityChanges: left },
    dayBegins(FIRST + 1n, 3n),
  );
  // A fixture would have them ascending.
  const stepping = { ...next, transactions: [aTransaction(at + 20n), aTransaction(at)], entityChanges: left };
  for (const chained of [before, [first, stepping]]) {
    const [database, backend] = [openDatabase(':memory:'), memoryBackend()];
    onTestFinished(() => void database.close());
    doNow(commitUnits(createLedgerBackend(sqliteSql(database)), chained, false));
    doNow(commitUnits(backend, chained, false));
    const stored = database.prepare<[], number>('select account_id from stake_row').pluck().all();
    const inMemory = [...backend.rows('stake_row')].map((row) => Number(row['account_id']));
    for (const accounts of [stored, inMemory]) {
      expect(accounts).toContain(Number(STAKER));
      expect(accounts).not.toContain(Number(LEAVES));
    }
  }
});

test('settings that changed behind the update in its block do not count, whatever the times', () => {
  const [first, next] = units;
  if (first === undefined || next === undefined) expect.fail('no units');
  const at = (FIRST + 1n) * DAY + 10n;
  const entityChanges = [
    change(FRIEND, at - 5n, { stakedNode: 0n, stakedAccount: null }),
    change(STAKER, at - 4n, { isDeleted: true }),
    change(LEAVES, at - 3n, { stakedNode: null }),
    change(LEAVES, at + 3n, { stakedAccount: DECLINES }),
  ];
  const times = [0n, -5n, -4n, -3n, 3n];
  const stepping = { ...next, transactions: times.map((time) => aTransaction(at + time)), entityChanges };
  const [database, backend] = [openDatabase(':memory:'), memoryBackend()];
  onTestFinished(() => void database.close());
  doNow(commitUnits(createLedgerBackend(sqliteSql(database)), [first, stepping], false));
  doNow(commitUnits(backend, [first, stepping], false));
  const stored = database
    .prepare<[], Record<string, bigint>>('select account_id, stake_total from stake_row')
    .safeIntegers(true)
    .all();
  for (const rows of [stored, backend.rows('stake_row')]) {
    const totals = Object.fromEntries(rows.map((row) => [`${row['account_id']}`, row['stake_total']]));
    expect(totals).toEqual({ 800: 0n, [`${STAKER}`]: 50n * HBAR, [`${LEAVES}`]: 10n * HBAR });
  }
});

test('the rates of a day are those of the update that came first in the chain, whatever the times', async () => {
  const again = (day: bigint): FixtureRows => ({
    transactions: [aTransaction(day * DAY + 5n)],
    stakeUpdates: [stakeUpdate(day * DAY + 5n, 0n, 1000n)],
  });
  const chained = chain(
    { transactions: units[0]?.transactions ?? [], entityChanges: units[0]?.entityChanges ?? [] },
    dayBegins(FIRST + 1n, 3n),
    dayBegins(FIRST + 2n, 3n),
    again(FIRST + 2n),
    dayBegins(FIRST + 3n, 5n),
    again(FIRST + 3n),
    dayBegins(FIRST + 367n, 7n),
  );
  const { close, mirror } = await openMemoryStore();
  onTestFinished(close);
  await mirror.ledger.commitUnits(chained);
  const backend = memoryBackend();
  doNow(commitUnits(backend, chained, false));
  const pending = 50n * 3n + 49n * 5n + 48n * 7n - 50n * 3n;
  const at = (FIRST + 367n) * DAY + 10n;
  const stake = await mirror.stakes.at(STAKER, { lower: at, upper: at, excluded: [] });
  expect(stake?.pendingReward).toBe(pending);
  const inMemory = backend.rows('stake_row').find((row) => row['account_id'] === STAKER);
  expect(inMemory?.['pending_reward']).toBe(pending);
});

test('what lapses after 365 days is what that day had added, at its rate and stake, also of a node that is gone', async () => {
  const { close, mirror } = await openMemoryStore();
  onTestFinished(close);
  await mirror.ledger.commitUnits(units);
  const pendingOn = async (day: bigint) => {
    const at = (FIRST + day) * DAY + 10n;
    return (await mirror.stakes.at(STAKER, { lower: at, upper: at, excluded: [] }))?.pendingReward;
  };
  expect(await pendingOn(3n)).toBe(50n * 3n + 49n * 5n);
  expect(await pendingOn(367n)).toBe(50n * 3n + 49n * 5n + 48n * 7n - 50n * 3n);
  expect(await pendingOn(368n)).toBe(49n * 5n + 48n * 7n - 49n * 5n);
  // Nothing was added on the day that lapses.
  expect(await pendingOn(369n)).toBe(48n * 7n);
});

test('a ledger that began in the middle has no stakes', () => {
  const backend = memoryBackend();
  const middle = units.map((unit, index) => ({
    ...unit,
    header: { ...unit.header, blockNumber: BigInt(index + 7) },
  }));
  doNow(commitUnits(backend, middle, false));
  expect(backend.rows('stake_row')).toEqual([]);
});
