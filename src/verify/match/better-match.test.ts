import { expect, test } from 'vitest';
import { type RankedGrades, takesPlaceOf } from './better-match.ts';

type Grade = RankedGrades['runtime'];

const of = (language: RankedGrades['language'], creation: Grade, runtime: Grade) => ({
  language,
  creation,
  runtime,
});

test.each([
  [of('Solidity', null, 'match'), of('Yul', 'match', 'match'), true],
  [of('Vyper', 'match', 'match'), of('Yul', 'match', 'match'), true],
  [of('Solidity', 'match', null), of('Yul', 'match', 'match'), false],
  [of('Yul', 'match', 'match'), of('Solidity', null, 'match'), false],
  [of('Yul', 'match', 'match'), of('Solidity', 'match', null), true],
  [of('Yul', 'match', 'match'), of('Yul', null, 'match'), true],
  [of('Solidity', 'match', 'match'), of('Vyper', null, 'match'), true],
])('%j in place of %j: %s', (candidate, stored, expected) => {
  expect(takesPlaceOf(candidate, stored)).toBe(expected);
});
