import { describe, expect, test } from 'vitest';
import { memoryBackend } from '../../../../test/kit/mirror/ledger/memory-backend.ts';
import { aTransaction } from '../../../../test/kit/mirror/ledger-rows.ts';
import * as fc from '../../../../test/support/properties.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { entityId } from '../../../values/entity-id.ts';
import { doNow } from '../../../values/work.ts';
import { commitUnits } from '../commit/ledger-backend.ts';
import { fixtureUnit } from '../fixture-unit.ts';
import type { AllowanceChange } from './allowances.ts';

const START = 1_700_000_000_000_000_000n;

interface Given {
  readonly kind: 'hbar' | 'token' | 'nft';
  readonly is: 'grant' | 'debit';
  readonly owner: bigint;
  readonly spender: bigint;
  readonly amount: bigint;
}

/** Each in a transaction of its own. */
function changeAt({ amount, is, kind, owner, spender }: Given, index: number): AllowanceChange {
  const timestamp = consensusTimestamp(START + BigInt(index));
  const token = kind === 'hbar' ? null : entityId(90n);
  const parties = { kind, owner: entityId(owner), spender: entityId(spender), token, timestamp };
  return is === 'grant'
    ? { ...parties, is, granted: amount, amount }
    : { ...parties, is, spent: amount + 1n };
}

function unitOf(changes: readonly AllowanceChange[], name: string) {
  return fixtureUnit(name, {
    transactions: changes.map(({ timestamp }) => aTransaction(timestamp)),
    allowances: changes,
  });
}

/** Change by change, in the plainest way. */
function naively(changes: readonly AllowanceChange[]): ReadonlyMap<string, readonly bigint[]> {
  const rows = new Map<string, readonly bigint[]>();
  for (const change of changes) {
    const key = [change.kind, change.owner, change.spender].join('/');
    const [left, granted, at] = rows.get(key) ?? [];
    if (change.is === 'grant') rows.set(key, [change.amount, change.granted, change.timestamp]);
    else if (left !== undefined && granted !== undefined && at !== undefined)
      rows.set(key, [left > change.spent ? left - change.spent : 0n, granted, at]);
  }
  return rows;
}

function stored(units: readonly (readonly AllowanceChange[])[]): ReadonlyMap<string, readonly bigint[]> {
  const backend = memoryBackend();
  for (const [index, changes] of units.entries())
    doNow(commitUnits(backend, [unitOf(changes, `${index}`)], false));
  const kinds = ['hbar', 'token', 'nft'];
  return new Map(
    backend.rows('allowance').map((row) => {
      const key = [kinds[Number(row['kind'])], row['owner_id'], row['spender_id']].join('/');
      return [key, [row['amount'], row['amount_granted'], row['lower_ts']] as bigint[]];
    }),
  );
}

const given = fc.record<Given>({
  kind: fc.constantFrom('hbar', 'token', 'nft'),
  is: fc.constantFrom('grant', 'debit', 'debit'),
  owner: fc.constantFrom(5n, 6n),
  spender: fc.constantFrom(6n, 7n),
  amount: fc.bigInt({ min: 0n, max: 9n }),
});

describe('approvals', () => {
  test('are what is granted less what is spent, however the ledger is cut into units', () => {
    fc.assert(
      fc.property(fc.array(given, { minLength: 1, maxLength: 40 }), fc.nat({ max: 40 }), (list, cut) => {
        const changes = list.map(changeAt);
        const parts = [changes.slice(0, cut), changes.slice(cut)].filter((part) => part.length > 0);
        expect(stored(parts)).toEqual(naively(changes));
      }),
    );
  });

  test('a transaction that is stored already is not taken off again', () => {
    const changes = [
      changeAt({ kind: 'hbar', is: 'grant', owner: 5n, spender: 6n, amount: 9n }, 0),
      changeAt({ kind: 'hbar', is: 'debit', owner: 5n, spender: 6n, amount: 1n }, 1),
    ];
    const later = changeAt({ kind: 'hbar', is: 'debit', owner: 5n, spender: 6n, amount: 2n }, 2);
    expect([...stored([changes, [...changes.slice(1), later]]).values()]).toEqual([[4n, 9n, START]]);
  });

  test('what is spent before a stated allowance is in it', () => {
    const statement = changeAt({ kind: 'token', is: 'grant', owner: 5n, spender: 6n, amount: 9n }, 5);
    const before = changeAt({ kind: 'token', is: 'debit', owner: 5n, spender: 6n, amount: 3n }, 4);
    expect([...stored([[statement], [before, changeAt({ ...GRANT_OF_OTHERS }, 9)]]).values()]).toContainEqual(
      [9n, 9n, START + 5n],
    );
  });
});

const GRANT_OF_OTHERS: Given = { kind: 'hbar', is: 'grant', owner: 6n, spender: 7n, amount: 1n };
