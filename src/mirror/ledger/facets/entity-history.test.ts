import { describe, expect, test } from 'vitest';
import { type MemoryBackend, memoryBackend } from '../../../../test/kit/mirror/ledger/memory-backend.ts';
import { aTransaction, aTransfer } from '../../../../test/kit/mirror/ledger-rows.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { entityId } from '../../../values/entity-id.ts';
import { doNow } from '../../../values/work.ts';
import { commitUnits } from '../commit/ledger-backend.ts';
import { type FixtureRows, fixtureUnit } from '../fixture-unit.ts';
import type { EntityChange, LedgerUnit } from '../rows.ts';

const START = 1_700_000_000_000_000_000n;
const ALICE = entityId(1001n);
const at = (offset: bigint) => consensusTimestamp(START + offset);
const memo = (offset: bigint, text: string): EntityChange => ({
  entity: ALICE,
  changedTimestamp: at(offset),
  memo: text,
});
const created: FixtureRows = {
  entities: [{ entity: ALICE, type: 'ACCOUNT', alias: null, evmAddress: null, createdTimestamp: at(0n) }],
  entityChanges: [{ ...memo(0n, 'a'), type: 'ACCOUNT' }],
};
const creation = aTransaction(START, { type: 11, entityId: ALICE, transfers: [aTransfer(1001n, 100n)] });
const pays = (offset: bigint, amount: bigint) =>
  aTransaction(START + offset, { transfers: [aTransfer(1001n, amount)] });

/** @param begins whether the ledger is known from its first block */
function ledgerOf(units: readonly FixtureRows[], begins: boolean, inOneCommit = false): MemoryBackend {
  const backend = memoryBackend();
  const all = units.map((rows, index): LedgerUnit => {
    const unit = fixtureUnit(`${index}`, rows);
    const hashes = { previousHash: Buffer.alloc(48, index), hash: Buffer.alloc(48, index + 1) };
    const header = { ...unit.header, ...hashes, kind: 'record', version: 6 } as const;
    return { ...unit, header: { ...header, blockNumber: begins ? BigInt(index) : BigInt(index + 7) } };
  });
  for (const commit of inOneCommit ? [all] : all.map((unit) => [unit]))
    doNow(commitUnits(backend, commit, false));
  return backend;
}
const history = (backend: MemoryBackend) =>
  backend
    .rows('entity_history')
    .map((row) => [
      (row['lower_ts'] as bigint) - (row['lower_ts'] === 0n ? 0n : START),
      (row['upper_ts'] as bigint) - START,
      row['memo'],
      row['balance'],
      row['balance_ts'] === null ? null : (row['balance_ts'] as bigint) - START,
    ]);
const current = (backend: MemoryBackend) => {
  const row = backend.rows('entity_settings').find(({ id }) => id === ALICE);
  return [(row?.['changed_ts'] as bigint) - START, row?.['memo']];
};

describe('the history of an entity', () => {
  const later = [
    { transactions: [pays(3n, -1n), pays(5n, -20n)], entityChanges: [memo(3n, 'b'), memo(5n, 'c')] },
    { transactions: [pays(7n, 4n), pays(8n, -2n)], entityChanges: [memo(8n, 'd')] },
  ];
  test.each([true, false])(
    'keeps what held before each change, with the balance by then (one commit: %s)',
    (one) => {
      const backend = ledgerOf([{ ...created, transactions: [creation] }, ...later], false, one);
      expect(history(backend)).toEqual([
        [0n, 3n, 'a', 100n, 0n],
        [3n, 5n, 'b', 99n, 3n],
        [5n, 8n, 'c', 83n, 7n],
      ]);
      expect(current(backend)).toEqual([8n, 'd']);
    },
  );

  test('has no row for two changes at one time, nor for one that counts alone', () => {
    const backend = ledgerOf(
      [
        { ...created, transactions: [creation] },
        { transactions: [pays(2n, 1n)], entityChanges: [{ entity: ALICE, ethereumNonce: 5n }] },
        { transactions: [pays(4n, 1n)], entityChanges: [memo(4n, 'b'), memo(4n, 'c')] },
      ],
      false,
    );
    expect(history(backend)).toEqual([[0n, 4n, 'a', 101n, 2n]]);
    expect(backend.rows('entity_history')[0]).toMatchObject({ ethereum_nonce: 5n });
    expect(current(backend)).toEqual([4n, 'c']);
  });

  test.each([true, false])(
    'of an account from before the import begins at 0 where it was known (one commit: %s)',
    (one) => {
      const units = [
        { transactions: [pays(1n, 6n)] },
        { transactions: [pays(3n, 1n)], entityChanges: [memo(3n, 'x')] },
      ];
      expect(history(ledgerOf(units, true, one))).toEqual([[0n, 3n, null, 6n, 1n]]);
      // Of an account that was there before, balances are not known, and before the first transfer nothing.
      expect(history(ledgerOf(units, false, one))).toEqual([[0n, 3n, null, null, null]]);
      expect(history(ledgerOf(units.slice(1), false, one))).toEqual([]);
    },
  );

  test('has no negative balance of an account that was there before the import began', () => {
    const unit = {
      ...created,
      transactions: [creation, pays(2n, -400n)],
      entityChanges: [...(created.entityChanges ?? []), memo(3n, 'b')],
    };
    for (const [begins, balance] of [
      [true, -300n],
      [false, null],
    ] as const) {
      expect(
        history(ledgerOf([unit], begins))
          .at(-1)
          ?.slice(0, 4),
      ).toEqual([0n, 3n, 'a', balance]);
    }
  });

  test('follows the order of the ledger where times step back, but not what a fixture told before', () => {
    const rows = {
      transactions: [pays(5n, 1n), pays(3n, 1n)],
      entityChanges: [memo(5n, 'b'), memo(3n, 'c')],
    };
    const backend = ledgerOf([{ ...created, transactions: [creation] }, rows], false);
    expect(history(backend).map((row) => row.slice(0, 3))).toEqual([[0n, 5n, 'a']]);
    expect(current(backend)).toEqual([5n, 'c']);
    const mixed = memoryBackend();
    doNow(commitUnits(mixed, [fixtureUnit('fixture', rows)], false));
    const again = fixtureUnit('0', {
      transactions: [pays(3n, 1n), pays(9n, 1n)],
      entityChanges: [memo(3n, 'c')],
    });
    doNow(commitUnits(mixed, [{ ...again, header: { ...again.header, kind: 'record', version: 6 } }], false));
    expect(current(mixed)).toEqual([5n, 'b']);
  });

  test('has a balance that is unknown until a statement tells it', () => {
    const balances = [{ account: ALICE, balance: 50n, timestamp: at(4n) }];
    const backend = ledgerOf(
      [
        { transactions: [pays(1n, 6n)], entityChanges: [memo(1n, 'x')] },
        {
          transactions: [pays(3n, 1n), pays(5n, 1n)],
          entityChanges: [memo(3n, 'y'), memo(9n, 'z')],
          balances,
        },
      ],
      false,
    );
    expect(history(backend)).toEqual([
      [1n, 3n, 'x', null, null],
      [3n, 9n, 'y', 51n, 5n],
    ]);
  });
});

describe('a period that begins because a reward was paid', () => {
  const day = (offset: bigint) => consensusTimestamp(START + offset);
  const period = (offset: bigint, start: bigint): EntityChange => ({
    entity: ALICE,
    changedTimestamp: at(offset),
    stakePeriodStart: day(start),
    isRewardPeriod: true,
  });

  test('changes nothing when one that begins then or later is stored', () => {
    const backend = ledgerOf(
      [
        { ...created, transactions: [creation] },
        { transactions: [pays(2n, 1n)], entityChanges: [period(2n, -9n)] },
        { transactions: [pays(3n, 1n)], entityChanges: [period(3n, -9n), period(3n, -10n)] },
        { transactions: [pays(4n, 1n)], entityChanges: [period(4n, -8n)] },
      ],
      false,
    );
    expect(history(backend).map(([lower, upper]) => [lower, upper])).toEqual([
      [0n, 2n],
      [2n, 4n],
    ]);
    expect(backend.rows('entity_settings')[0]).toMatchObject({ stake_period_start: day(-8n) });
  });
});

test('a row that a fixture states holds whatever the transactions beside it move', () => {
  const settings = { memo: 'now' } as never;
  const row = { entity: ALICE, publicKey: Buffer.alloc(1, 7), settings };
  const backend = memoryBackend();
  const unit = fixtureUnit('case', {
    transactions: [pays(9n, -5n)],
    entityRows: [
      { ...row, lower: at(3n), upper: null, balance: 80n, balanceTimestamp: null },
      {
        ...row,
        lower: 1n,
        upper: at(3n),
        balance: 30n,
        balanceTimestamp: 2n,
        settings: { memo: 'then' } as never,
      },
    ],
  });
  doNow(commitUnits(backend, [unit], false));
  expect(backend.rows('entity_history')).toMatchObject([
    { lower_ts: 1n, memo: 'then', balance: 30n, balance_ts: 2n },
  ]);
  expect(current(backend)).toEqual([3n, 'now']);
  expect(backend.rows('entity')).toMatchObject([{ id: ALICE, balance: 80n, balance_ts: null }]);
  expect(backend.rows('entity_settings')).toMatchObject([{ public_key: Buffer.alloc(1, 7) }]);
});
