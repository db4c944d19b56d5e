import { expect, test } from 'vitest';
import type { LedgerTransaction } from '../rows.ts';
import { addedTransactions } from './plan-commit.ts';

const at = (time: bigint, hash = 1) =>
  ({ consensusTimestamp: time, hash: Uint8Array.of(hash) }) as unknown as LedgerTransaction;
const times = (units: readonly (readonly LedgerTransaction[])[]) =>
  units.map((unit) => unit.map(({ consensusTimestamp }) => consensusTimestamp as bigint));

test('units that overlap each other give each transaction once, and fill gaps', () => {
  const units = [
    [at(10n), at(30n)],
    [at(10n), at(20n)],
    [at(20n), at(30n), at(40n)],
  ];
  expect(times(addedTransactions(units, null, new Map()))).toEqual([[10n, 30n], [20n], [40n]]);
});

test('a stored transaction is left out, an earlier one that is missing is not', () => {
  const stored = new Map([[30n, Uint8Array.of(1)]]);
  expect(times(addedTransactions([[at(20n), at(30n), at(40n)]], 30n, stored))).toEqual([[20n, 40n]]);
});

test.each([
  ['stored', [[at(30n, 2)]], new Map([[30n, Uint8Array.of(1)]]), 30n],
  ['of a unit before', [[at(30n)], [at(30n, 2)]], new Map<bigint, Uint8Array>(), null],
])('another hash at the time of a transaction that is %s is refused', (_, units, stored, newest) => {
  expect(() => addedTransactions(units, newest, stored)).toThrow(/already stored at consensus time/);
});
