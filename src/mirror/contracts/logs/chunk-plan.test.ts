import { expect, test } from 'vitest';
import { packPlaces, placeNumbers, unpackPlaces } from '../../ledger/log-chunks/place-bits.ts';
import {
  type ConditionInChunk,
  type ConditionsInChunk,
  NO_CONDITIONS,
  planChunk,
  withCondition,
} from './chunk-plan.ts';

/** A condition in a chunk of 800 places: how many of them from which on have told keys, and the keys that are not told. */
function asked(position: number, first: number, count: number, ...untold: readonly bigint[]) {
  const numbers = Array.from({ length: count }, (_, index) => first + index);
  const bits = unpackPlaces(packPlaces(numbers, 800), 800);
  return { condition: { position, keys: [...untold, 1n] }, bits, untold };
}

test.each([
  ['told keys leave the places that all have', [asked(0, 0, 400), asked(1, 398, 400)], [398, 399], []],
  ['told keys that never meet leave nothing', [asked(0, 0, 400), asked(1, 400, 400)], [], []],
  [
    'nothing is searched when told keys exclude all',
    [asked(0, 0, 9), asked(1, 9, 9), asked(2, 0, 0, 7n)],
    [],
    [],
  ],
  ['the rows of a rare key are fewer', [asked(0, 0, 400), asked(4, 0, 0, 7n)], [], [[4, 7n]]],
  ['few places are fewer than the rows of rare keys', [asked(0, 5, 2), asked(1, 0, 0, 7n)], [5, 6], []],
  ['one of two rare keys is enough', [asked(1, 0, 0, 7n), asked(2, 0, 0, 8n)], [], [[1, 7n]]],
  [
    'with alternatives, rare keys of all conditions leave the places of told ones that meet',
    [asked(0, 0, 400, 7n), asked(1, 400, 400, 8n)],
    [],
    [
      [0, 7n],
      [1, 8n],
    ],
  ],
  [
    'alternatives of which one is rare',
    [asked(0, 0, 400), asked(1, 397, 400, 8n)],
    [397, 398, 399],
    [[1, 8n]],
  ],
] as const)('%s', (_what, conditions, places, keys) => {
  const told = conditions.reduce(
    (before: ConditionsInChunk | null, each: ConditionInChunk) => before && withCondition(before, each),
    NO_CONDITIONS,
  );
  const { bits, rows } = planChunk(told);
  expect(placeNumbers(bits)).toEqual(places);
  expect(rows.map((row) => [row.position, ...row.keys])).toEqual(keys);
});
