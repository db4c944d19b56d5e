import { describe, expect, test } from 'vitest';
import { type MemoryBackend, memoryBackend } from '../../../../test/kit/mirror/ledger/memory-backend.ts';
import { randomUnits } from '../../../../test/kit/mirror/ledger/random-units.ts';
import { knownBalances, withStates } from '../../../../test/kit/mirror/ledger/stated-units.ts';
import { aTransaction } from '../../../../test/kit/mirror/ledger-rows.ts';
import * as fc from '../../../../test/support/properties.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { entityId } from '../../../values/entity-id.ts';
import { doNow } from '../../../values/work.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { commitUnits } from '../commit/ledger-backend.ts';
import { fixtureUnit } from '../fixture-unit.ts';
import type { LedgerUnit } from '../rows.ts';

const draws = fc.array(
  fc.array(
    fc.record({
      account: fc.constantFrom(3n, 5n, 6n, 7n),
      token: fc.constantFrom(90n, 91n, 95n),
      balance: fc.bigInt({ min: 0n, max: 9n }),
    }),
    { maxLength: 3 },
  ),
  { minLength: 1, maxLength: 4 },
);

function committed(...commits: readonly (readonly LedgerUnit[])[]): MemoryBackend {
  const backend = memoryBackend();
  for (const units of commits) doNow(commitUnits(backend, units, false));
  return backend;
}

const at = consensusTimestamp;
const [payer, other] = [entityId(5n), entityId(6n)];

/** A block of a ledger that begins with this number. */
function block(number: bigint, rows: Parameters<typeof fixtureUnit>[1], previous?: LedgerUnit): LedgerUnit {
  const unit = fixtureUnit(`block ${number}`, rows);
  const previousHash = previous?.header.hash ?? new Uint8Array(48);
  return {
    ...unit,
    header: { ...unit.header, kind: 'block', blockNumber: number, version: 7, previousHash },
  };
}

const move = (time: bigint, amount: bigint) =>
  aTransaction(time, {
    transfers: [
      { account: payer, amount: -amount, isApproval: false },
      { account: other, amount, isApproval: false },
    ],
  });

describe('balances that the state of blocks tells', () => {
  test('make the same ledger however units are split into commits', () => {
    fc.assert(
      fc.property(randomUnits(), draws, fc.nat(), (given, drawn, cut) => {
        const units = withStates(given, drawn);
        const middle = cut % units.length;
        const together = committed(units).dump();
        expect(committed(units.slice(0, middle), units.slice(middle)).dump()).toBe(together);
        expect(committed(...units.map((unit) => [unit])).dump()).toBe(together);
      }),
      { numRuns: 60 },
    );
  });

  test('change nothing of what transfers from the first block make', () => {
    fc.assert(
      fc.property(randomUnits({ isWhole: true }), draws, (given, drawn) => {
        const units = withStates(given, drawn).map((unit) => ({ ...unit, tokenStates: [] }));
        expect(committed(units).dump()).toBe(committed(given).dump());
      }),
      { numRuns: 60 },
    );
  });

  test('that differ by one tinybar from what is known refuse the unit, whichever account it is', () => {
    fc.assert(
      fc.property(randomUnits({ isWhole: true }), fc.constantFrom(3n, 5n, 6n, 7n), (given, account) => {
        const balance = (knownBalances(given).get(account) ?? 0n) + 1n;
        const timestamp = given.at(-1)?.header.consensusEnd ?? at(0n);
        const wrong = { account: entityId(account), balance, timestamp };
        const units = given.map((unit, index) =>
          index === given.length - 1 ? { ...unit, accountStates: [wrong] } : unit,
        );
        const backend = memoryBackend();
        expect(() => doNow(commitUnits(backend, units, false))).toThrowError(
          expect.objectContaining({ code: 'balance_mismatch' }),
        );
        expect(backend.dump()).toBe('');
      }),
      { numRuns: 40 },
    );
  });

  test('are what a ledger that begins in the middle knows, and what its transfers then move', () => {
    const first = block(7n, {
      transactions: [move(10n, 4n)],
      accountStates: [{ account: payer, balance: 96n, timestamp: at(10n) }],
    });
    const second = block(8n, { transactions: [move(20n, 1n)] }, first);
    const third = block(
      9n,
      {
        transactions: [move(30n, 1n)],
        accountStates: [{ account: payer, balance: 94n, timestamp: at(30n) }],
      },
      second,
    );
    const { rows } = committed([first, second, third]);
    const balances = new Map(rows('entity').map((row) => [row['id'], [row['balance'], row['balance_ts']]]));
    expect(balances.get(payer)).toEqual([94n, 30n]);
    expect(balances.get(other)).toEqual([null, null]);
    expect(rows('stated_balance')).toEqual([
      {
        place: 10n,
        account_id: 5n,
        token_id: 0n,
        consensus_ts: 10n,
        balance: 96n,
      },
    ]);
  });

  test('are unknown, not negative, where a contract was made of an account that began before the ledger', () => {
    const created = aTransaction(10n, { type: TYPE.CONTRACTCREATEINSTANCE, entityId: payer });
    const spends = block(7n, { transactions: [created, move(11n, 4n)] });
    const inLedgerFromGenesis = block(0n, { transactions: [created, move(11n, 4n)] });
    const balanceOf = (unit: LedgerUnit) =>
      committed([unit])
        .rows('entity')
        .find((row) => row['id'] === payer)?.['balance'];
    expect(balanceOf(spends)).toBeNull();
    expect(balanceOf(inLedgerFromGenesis)).toBe(-4n);
  });

  test('of tokens win over what was added up', () => {
    const token = entityId(90n);
    const first = block(0n, {
      transactions: [
        aTransaction(10n, { tokenTransfers: [{ token, account: payer, amount: 5n, isApproval: false }] }),
      ],
      tokenStates: [
        { account: payer, token, balance: 5n, timestamp: at(10n) },
        { account: other, token, balance: 3n, timestamp: at(10n) },
      ],
    });
    const gone = { account: other, token, balance: null, timestamp: at(20n) };
    const second = block(1n, { transactions: [move(20n, 0n)], tokenStates: [gone] }, first);
    const { rows } = committed([first], [second]);
    expect(
      rows('token_balance').map((row) => [row['account_id'], row['balance'], row['balance_ts']]),
    ).toEqual([
      [5n, 5n, 10n],
      [6n, null, 20n],
    ]);
    expect(rows('stated_balance').map((row) => [row['account_id'], row['balance']])).toEqual([
      [6n, 3n],
      [6n, null],
    ]);
  });

  test('are in the snapshot at the end of their unit', () => {
    const quarter = 900_000_000_000n;
    const first = block(7n, { transactions: [move(1n, 0n)] });
    const second = block(
      8n,
      {
        transactions: [move(quarter, 1n)],
        accountStates: [{ account: payer, balance: 10n, timestamp: at(quarter) }],
      },
      first,
    );
    const copied = committed([first, second]).rows('balance_snapshot');
    expect(
      copied.filter((row) => row['account_id'] === payer).map((row) => [row['consensus_ts'], row['balance']]),
    ).toEqual([[quarter, 10n]]);
  });
});
