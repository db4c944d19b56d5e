import { describe, expect, test } from 'vitest';
import { aTransaction } from '../../../../test/kit/mirror/ledger-rows.ts';
import { fixtureUnit } from '../fixture-unit.ts';
import type { LedgerUnit, UnitHeader } from '../rows.ts';
import { changeSince, changeTime, inPlaces, placesIn } from './change-order.ts';

function aUnit(kind: UnitHeader['kind'], times: readonly bigint[]): LedgerUnit {
  const unit = fixtureUnit('unit', {});
  const transactions = times.map((at) => aTransaction(at));
  return { ...unit, header: { ...unit.header, kind }, transactions };
}

describe('a change', () => {
  const folded = (kind: UnitHeader['kind'], ...retold: readonly bigint[]) => ({
    unit: aUnit(kind, []),
    retold: new Set(retold),
    streamsUntil: 9n,
  });

  test.each(['record', 'block', 'fixture'] as const)('that is later holds since its time (%s)', (kind) => {
    expect(changeSince(7n, 5n, folded(kind))).toBe(7n);
    expect(changeSince(5n, 5n, folded(kind))).toBe(5n);
    expect(changeSince(5n, null, folded(kind))).toBe(5n);
  });

  test('whose time steps back holds since that which it replaces', () => {
    expect(changeSince(3n, 5n, folded('record'))).toBe(5n);
    expect(changeTime(3n, 5n, folded('block'))).toBe(5n);
  });

  test('that is older changes nothing of what a fixture states of later than record files have come', () => {
    expect(changeSince(3n, 9n, folded('record'))).toBe(9n);
    expect(changeSince(3n, 10n, folded('record'))).toBeNull();
  });

  test('that is older changes nothing in a fixture, and when its transaction was stored before', () => {
    expect(changeSince(3n, 5n, folded('fixture'))).toBeNull();
    expect(changeSince(3n, 5n, folded('record', 3n))).toBeNull();
    expect(changeTime(3n, 5n, folded('fixture'))).toBe(3n);
  });
});

test('places in a unit are those of its transactions, in a fixture the times', () => {
  const places = (kind: UnitHeader['kind']) =>
    [30n, 10n, 20n, 5n].map(placesIn(aUnit(kind, [30n, 10n, 20n])));
  expect(places('block')).toEqual([0n, 1n, 2n, 3n]);
  expect(places('fixture')).toEqual([30n, 10n, 20n, 5n]);
});

test('rows stand as their transactions do, those of one as they stood', () => {
  const rows = [20n, 10n, 30n, 10n].map((at, index) => ({ consensusTimestamp: at, index }));
  const order = (kind: UnitHeader['kind']) =>
    inPlaces(aUnit(kind, [30n, 10n, 20n]), rows).map(({ index }) => index);
  expect(order('record')).toEqual([2, 1, 3, 0]);
  expect(order('fixture')).toEqual([1, 3, 0, 2]);
});
