import { describe, expect, test } from 'vitest';
import { writtenStream } from '../../../../test/kit/mirror/ingest/memory-file-tree.ts';
import { memoryLedger } from '../../../../test/kit/mirror/ingest/memory-ledger.ts';
import { type MemoryBackend, memoryBackend } from '../../../../test/kit/mirror/ledger/memory-backend.ts';
import { naiveBalances } from '../../../../test/kit/mirror/ledger/naive-balances.ts';
import { randomUnits } from '../../../../test/kit/mirror/ledger/random-units.ts';
import { aTransaction } from '../../../../test/kit/mirror/ledger-rows.ts';
import * as fc from '../../../../test/support/properties.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { entityId } from '../../../values/entity-id.ts';
import { doNow } from '../../../values/work.ts';
import { createDirectorySource } from '../../ingest/source/directory-source.ts';
import { type FixtureRows, fixtureUnit } from '../fixture-unit.ts';
import type { LedgerUnit } from '../rows.ts';
import { commitUnits } from './ledger-backend.ts';

const NOT_SHOWN = false;

function committed(...commits: readonly (readonly LedgerUnit[])[]): MemoryBackend {
  const backend = memoryBackend();
  for (const units of commits) doNow(commitUnits(backend, units, NOT_SHOWN));
  return backend;
}

const sum = (values: readonly unknown[]) =>
  values.reduce<bigint>((total, value) => total + (value as bigint), 0n);

describe('the ledger that units make', () => {
  test('is the same however they are split into commits', () => {
    fc.assert(
      fc.property(randomUnits(), fc.nat(), fc.nat(), (units, one, other) => {
        const [first, second] = [one % units.length, other % units.length].sort((a, b) => a - b);
        const together = committed(units).dump();
        expect(committed(units.slice(0, first), units.slice(first, second), units.slice(second)).dump()).toBe(
          together,
        );
        expect(committed(...units.map((unit) => [unit])).dump()).toBe(together);
      }),
    );
  });

  test('keeps the time of a balance beyond int64 through a jump, in one commit as in several', () => {
    const account = entityId(5n);
    const most = 2n ** 63n - 1n;
    const statement = (balance: bigint, time: bigint) => ({
      account,
      balance,
      timestamp: consensusTimestamp(time),
    });
    const moved = (time: bigint) =>
      aTransaction(time, { transfers: [{ account, amount: most, isApproval: false }] });
    const record = (name: string, rows: FixtureRows, previousHash: Uint8Array): LedgerUnit => {
      const unit = fixtureUnit(name, rows);
      return {
        ...unit,
        header: { ...unit.header, kind: 'record', version: 6, blockNumber: 7n, previousHash },
      };
    };
    const first = record(
      'a',
      { transactions: [moved(20n)], balances: [statement(most, 10n)] },
      new Uint8Array(48),
    );
    const jump = record('b', { transactions: [aTransaction(30n)] }, new Uint8Array(48).fill(1));
    const late = fixtureUnit('c', { transactions: [aTransaction(40n)], balances: [statement(3n, 15n)] });
    const apart = committed([first], [jump], [late]);
    expect(apart.rows('entity')).toMatchObject([{ id: 5n, balance: null, balance_ts: 20n }]);
    expect(committed([first, jump, late]).dump()).toBe(apart.dump());
  });

  test('keeps the first exchange rates of a time, whatever a later unit tells of it', () => {
    const rate = (time: bigint, contents: number) => ({
      consensusTimestamp: consensusTimestamp(time),
      contents: Buffer.of(contents),
    });
    const unit = (time: bigint, ...rates: FixtureRows['rates'] & object) =>
      fixtureUnit(`unit ${time}`, { transactions: [aTransaction(time)], rates });
    const units = [
      unit(50n, rate(10n, 1), rate(20n, 2)),
      unit(51n, rate(20n, 3), rate(30n, 2)),
      unit(52n, rate(40n, 4), rate(40n, 5)),
    ];
    const apart = committed(...units.map((each) => [each]));
    expect(apart.rows('rate_observation')).toEqual([
      { consensus_ts: 10n, contents: Buffer.of(1) },
      { consensus_ts: 20n, contents: Buffer.of(2) },
      { consensus_ts: 40n, contents: Buffer.of(4) },
    ]);
    expect(committed(units).dump()).toBe(apart.dump());
  });

  test('stays as it is when units come again', () => {
    fc.assert(
      fc.property(randomUnits(), (units) => {
        const backend = committed(units);
        const before = backend.dump();
        expect(doNow(commitUnits(backend, units, NOT_SHOWN))).toEqual(units.map(() => 'already-stored'));
        expect(backend.dump()).toBe(before);
      }),
    );
  });

  test('has as much hbar as before', () => {
    fc.assert(
      fc.property(randomUnits({ isWhole: true }), (units) => {
        const backend = committed(units);
        expect(sum(backend.rows('entity').map((row) => row['balance'] ?? 0n))).toBe(0n);
      }),
    );
  });

  test('has of each token what transfers made and destroyed, where everybody has enough to give', () => {
    const credits = [90n, 91n].flatMap((token) =>
      [3n, 5n, 6n, 7n].map((account) => ({
        ...{ token: entityId(token), account: entityId(account), amount: 1000n, isApproval: false },
      })),
    );
    const first = fixtureUnit('credits', { transactions: [aTransaction(1n, { tokenTransfers: credits })] });
    fc.assert(
      fc.property(randomUnits({ isWhole: true }), (given) => {
        const units = [first, ...given];
        const backend = committed(units);
        const moved = units
          .flatMap(({ transactions }) => transactions)
          .flatMap(({ tokenTransfers }) => tokenTransfers);
        for (const token of [90n, 91n]) {
          const held = backend.rows('token_balance').filter((row) => row['token_id'] === token);
          expect(sum(held.map((row) => row['balance']))).toBe(
            sum(moved.filter((each) => each.token === token).map(({ amount }) => amount)),
          );
        }
      }),
    );
  });

  test('has the balances and snapshots that transfer after transfer makes', () => {
    fc.assert(
      fc.property(randomUnits({ isWhole: true }), (units) => {
        const naive = naiveBalances(units);
        const backend = committed(units);
        const known = backend.rows('entity').filter((row) => typeof row['balance'] === 'bigint');
        expect(new Map(known.map((row) => [`${row['id']}`, rowBalance(row)]))).toEqual(naive.hbar);
        const tokens = backend.rows('token_balance');
        expect(
          new Map(tokens.map((row) => [`${row['account_id']}/${row['token_id']}`, rowBalance(row)])),
        ).toEqual(naive.tokens);
        const copies = [
          ...backend
            .rows('balance_snapshot')
            .map((row) => [`${row['account_id']}@${row['consensus_ts']}`, row['balance']] as const),
          ...backend
            .rows('token_balance_snapshot')
            .map(
              (row) =>
                [`${row['account_id']}/${row['token_id']}@${row['consensus_ts']}`, row['balance']] as const,
            ),
        ];
        expect(new Map(copies)).toEqual(naive.snapshots);
      }),
    );
  });
});

function rowBalance(row: Readonly<Record<string, unknown>>): {
  readonly balance: unknown;
  readonly at: unknown;
} {
  return { balance: row['balance'], at: row['balance_ts'] };
}

describe('commitUnits', () => {
  /** Two for each kind of row at most, however many transactions there are; the write transaction around it makes two more. The first file has the most: the nodes too. */
  const MAX_CALLS = 70;
  const TRANSACTION_CALLS = 2;

  test('stores a record file of 250 mixed transactions with few calls of the database', async () => {
    const { tree } = await writtenStream({
      files: 12,
      transactionsPerFile: 250,
      accounts: 300,
      mix: 'everything',
    });
    const read = memoryLedger();
    await read.import(createDirectorySource('/stream', tree));
    expect(read.units).toHaveLength(12);
    const minute = 60_000_000_000n;
    // The last but one takes a snapshot, the last a full one in another half year.
    const later = new Map([
      [10, 3n * minute],
      [11, 400_000n * minute],
    ]);
    const units = read.units.map((unit, index) => {
      const consensusEnd = consensusTimestamp(unit.header.consensusEnd + (later.get(index) ?? 0n));
      return { ...unit, header: { ...unit.header, consensusEnd } };
    });
    const backend = memoryBackend();
    const calls = units.map((unit) => {
      const before = backend.calls;
      doNow(commitUnits(backend, [unit], NOT_SHOWN));
      return backend.calls - before + TRANSACTION_CALLS;
    });
    expect(backend.rows('balance_snapshot_time')).toHaveLength(2);
    expect(Math.max(...calls)).toBeLessThanOrEqual(MAX_CALLS);
    const shared = memoryBackend();
    doNow(commitUnits(shared, units, NOT_SHOWN));
    expect(shared.calls).toBeLessThanOrEqual(2 * MAX_CALLS);
  });
});
