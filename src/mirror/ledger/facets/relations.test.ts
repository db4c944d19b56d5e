import { describe, expect, test } from 'vitest';
import { type MemoryBackend, memoryBackend } from '../../../../test/kit/mirror/ledger/memory-backend.ts';
import { aTransaction } from '../../../../test/kit/mirror/ledger-rows.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { entityId } from '../../../values/entity-id.ts';
import { doNow } from '../../../values/work.ts';
import { commitUnits } from '../commit/ledger-backend.ts';
import { type FixtureRows, fixtureUnit } from '../fixture-unit.ts';
import type { LedgerUnit, TokenRelation } from '../rows.ts';
import type { StatedRelation } from './stated-relations.ts';

const [ALICE, TOKEN] = [entityId(5n), entityId(90n)];
type Change<Kind = TokenRelation> = Kind extends unknown
  ? Omit<Kind, 'account' | 'token' | 'consensusTimestamp'>
  : never;
type Told = readonly [time: bigint, change: Change];

const COLUMNS = ['created_ts', 'associated', 'automatic', 'freeze_status', 'kyc_status', 'balance'] as const;
const ASSOCIATED = { isAssociated: true } as const;
const DISSOCIATED = { isAssociated: false } as const;

function commit(backend: MemoryBackend, name: string, rows: FixtureRows, isFromMiddle = false): void {
  const unit = fixtureUnit(name, rows);
  const record: LedgerUnit = {
    ...unit,
    header: { ...unit.header, kind: 'record', version: 6, blockNumber: 7n },
  };
  doNow(commitUnits(backend, [isFromMiddle ? record : unit], false));
}

/** Changes of Alice's relation, each in a transaction of its own. */
function changes(told: readonly Told[]): FixtureRows {
  return {
    transactions: told.map(([time]) => aTransaction(time)),
    tokenRelations: told.map(([time, change]) => ({
      ...change,
      account: ALICE,
      token: TOKEN,
      consensusTimestamp: consensusTimestamp(time),
    })),
  };
}

function relationAfter(told: readonly Told[], isFromMiddle = false) {
  const backend = memoryBackend();
  commit(backend, 'a', changes(told), isFromMiddle);
  const [row] = backend.rows('token_balance');
  return COLUMNS.map((name) => row?.[name] ?? null);
}

describe('relations of accounts and tokens', () => {
  test.each<[string, readonly Told[], readonly (bigint | null)[]]>([
    ['begin with an association', [[10n, ASSOCIATED]], [10n, 1n, 0n, null, null, 0n]],
    ['begin with a transfer', [[10n, { ...ASSOCIATED, isAutomatic: true }]], [10n, 1n, 1n, null, null, 0n]],
    [
      'begin with the statuses that the creation of a token gives',
      [[10n, { ...ASSOCIATED, freezeStatus: 'UNFROZEN', kycStatus: 'GRANTED' }]],
      [10n, 1n, 0n, 2n, 1n, 0n],
    ],
    [
      'take each status by itself',
      [
        [10n, ASSOCIATED],
        [11n, { freezeStatus: 'FROZEN' }],
        [12n, { kycStatus: 'REVOKED' }],
      ],
      [10n, 1n, 0n, 1n, 2n, 0n],
    ],
    [
      'end and keep what was said of them',
      [
        [10n, ASSOCIATED],
        [11n, { freezeStatus: 'FROZEN' }],
        [12n, DISSOCIATED],
      ],
      [10n, 0n, 0n, 1n, null, null],
    ],
    [
      'begin anew after their end',
      [
        [10n, { ...ASSOCIATED, isAutomatic: true }],
        [11n, { freezeStatus: 'FROZEN' }],
        [12n, DISSOCIATED],
        [13n, ASSOCIATED],
      ],
      [13n, 1n, 0n, null, null, 0n],
    ],
    [
      'keep the first association of a time',
      [
        [10n, ASSOCIATED],
        [10n, { ...ASSOCIATED, isAutomatic: true }],
      ],
      [10n, 1n, 0n, null, null, 0n],
    ],
    ['begin with a claim', [[10n, { ...ASSOCIATED, isIfMissing: true }]], [10n, 1n, 0n, null, null, 0n]],
    [
      'are left alone by a claim of what is held',
      [
        [10n, { ...ASSOCIATED, isAutomatic: true }],
        [11n, { ...ASSOCIATED, isIfMissing: true }],
      ],
      [10n, 1n, 1n, null, null, 0n],
    ],
    [
      'begin with a claim after their end',
      [
        [10n, ASSOCIATED],
        [11n, DISSOCIATED],
        [12n, { ...ASSOCIATED, isIfMissing: true }],
      ],
      [12n, 1n, 0n, null, null, 0n],
    ],
  ])('%s', (_title, told, expected) => {
    expect(relationAfter(told)).toEqual(expected);
  });

  test.each<[string, readonly Told[], readonly (bigint | null)[]]>([
    ['an association begins', [[10n, ASSOCIATED]], [10n, 1n, 0n, null, null, 0n]],
    [
      'a status tells of a relation that began before',
      [[10n, { freezeStatus: 'UNFROZEN' }]],
      [null, 1n, null, 2n, null, null],
    ],
    [
      'a claim may meet a relation that began before',
      [[10n, { ...ASSOCIATED, isIfMissing: true }]],
      [null, 1n, null, null, null, null],
    ],
    ['an end is known', [[10n, DISSOCIATED]], [null, 0n, null, null, null, null]],
  ])('in a ledger from the middle %s', (_title, told, expected) => {
    expect(relationAfter(told, true)).toEqual(expected);
  });

  test('stay through missing units, without their balance', () => {
    const backend = memoryBackend();
    commit(backend, 'a', changes([[10n, ASSOCIATED]]), true);
    commit(backend, 'b', { transactions: [aTransaction(20n)] }, true);
    expect(backend.rows('token_balance')).toEqual([
      expect.objectContaining({ created_ts: 10n, associated: 1n, balance: null, balance_ts: null }),
    ]);
  });

  test('are not changed by transactions that are stored already', () => {
    const backend = memoryBackend();
    commit(
      backend,
      'a',
      changes([
        [10n, ASSOCIATED],
        [11n, DISSOCIATED],
      ]),
    );
    const again = changes([[10n, ASSOCIATED]]);
    commit(backend, 'b', { ...again, transactions: [aTransaction(10n), aTransaction(12n)] });
    expect(backend.rows('token_balance')).toEqual([expect.objectContaining({ associated: 0n })]);
  });

  test('end when the state of a block has them no more', () => {
    const backend = memoryBackend();
    commit(backend, 'a', changes([[10n, { freezeStatus: 'FROZEN' }]]), true);
    const gone = { account: ALICE, token: TOKEN, balance: null, timestamp: consensusTimestamp(20n) };
    commit(backend, 'b', { transactions: [aTransaction(20n)], tokenStates: [gone] });
    expect(backend.rows('token_balance')).toEqual([
      expect.objectContaining({ associated: 0n, freeze_status: 1n, balance: null, balance_ts: 20n }),
    ]);
  });
});

describe('a relation that a fixture states', () => {
  const stated: StatedRelation = {
    account: ALICE,
    token: TOKEN,
    isAssociated: true,
    isAutomatic: true,
    createdTimestamp: consensusTimestamp(10n),
    freezeStatus: 'UNFROZEN',
    kycStatus: null,
    balance: 7n,
    balanceTimestamp: consensusTimestamp(15n),
  };
  const transfer = (time: bigint, amount: bigint) =>
    aTransaction(time, { tokenTransfers: [{ account: ALICE, token: TOKEN, amount, isApproval: false }] });

  test('has what it states, and its balance among the transactions of the fixture', () => {
    const backend = memoryBackend();
    commit(backend, 'a', {
      statedRelations: [stated],
      transactions: [transfer(12n, 100n), transfer(20n, 1n)],
    });
    expect(backend.rows('token_balance')).toEqual([
      {
        account_id: ALICE,
        token_id: TOKEN,
        created_ts: 10n,
        associated: 1n,
        automatic: 1n,
        freeze_status: 2n,
        kyc_status: null,
        balance: 8n,
        balance_ts: 20n,
      },
    ]);
  });

  test('makes no snapshot, and gives way to a relation that began later', () => {
    const backend = memoryBackend();
    commit(backend, 'a', { ...changes([[30n, ASSOCIATED]]) });
    const snapshots = backend.rows('token_balance_snapshot').length;
    commit(backend, 'b', { statedRelations: [stated], transactions: [aTransaction(31n)] });
    expect(backend.rows('token_balance')).toEqual([
      expect.objectContaining({ created_ts: 30n, automatic: 0n, balance: 0n }),
    ]);
    expect(backend.rows('token_balance_snapshot')).toHaveLength(snapshots);
  });
});
