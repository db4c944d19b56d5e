import { expect, test } from 'vitest';
import { isFinal } from './schedule-answers.ts';

const SECOND = 1_000_000_000n;
const CREATED = 1_700_000_000n * SECOND;
const waiting = {
  consensusTimestamp: CREATED,
  executedTimestamp: null,
  expirationTime: null,
  isDeleted: false,
};

test.each([
  ['executed', { executedTimestamp: CREATED + 1n }, CREATED + 1n, true],
  ['deleted', { isDeleted: true }, CREATED, true],
  ['waiting without an end, just before 31 minutes', {}, CREATED + 1860n * SECOND - 1n, false],
  ['waiting without an end, after 31 minutes', {}, CREATED + 1860n * SECOND, true],
  [
    'waiting, just before a minute after its end',
    { expirationTime: CREATED },
    CREATED + 60n * SECOND - 1n,
    false,
  ],
  ['waiting, a minute after its end', { expirationTime: CREATED }, CREATED + 60n * SECOND, true],
  ['of which deletion is not known', { isDeleted: null }, CREATED, false],
])('a schedule that is %s', (_what, given, now, expected) => {
  expect(isFinal({ ...waiting, ...given }, now)).toBe(expected);
});
