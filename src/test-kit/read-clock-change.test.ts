import { describe, expect, test } from 'vitest';
import { readClockChange } from './read-clock-change.ts';

describe('readClockChange', () => {
  test.each([
    ['{"advanceMs":60000}', { kind: 'advance', milliseconds: 60_000 }],
    ['{"now":"2024-01-31T00:00:00Z"}', { kind: 'move', now: 1_706_659_200_000, isStopped: null }],
    [
      '{"now":"2024-01-31T01:00:00+01:00","stopped":true}',
      { kind: 'move', now: 1_706_659_200_000, isStopped: true },
    ],
    ['{"now":5,"stopped":false}', { kind: 'move', now: 5, isStopped: false }],
  ])('%s', (text, change) => {
    expect(readClockChange(text)).toEqual(change);
  });

  test.each([
    ['', 'the body must be'],
    ['[]', 'the body must be'],
    ['{}', 'the body must be'],
    ['{"advanceMs":1,"now":5}', 'the body must be'],
    ['{"advance":1}', '"advance" is not a known member'],
    ['{"advanceMs":-1}', '"advanceMs" must be an integer from 0'],
    ['{"advanceMs":"60000"}', '"advanceMs" must be an integer from 0'],
    ['{"advanceMs":1e300}', '"advanceMs" must be an integer from 0'],
    ['{"advanceMs":1,"stopped":true}', '"stopped" is allowed only with "now"'],
    ['{"now":"yesterday"}', '"now" must be an instant'],
    ['{"now":"2024-01-31T00:00:00"}', '"now" must be an instant'],
    ['{"now":"2024-13-31T00:00:00Z"}', '"now" must be an instant'],
    ['{"now":1e16}', '"now" must be an instant'],
    ['{"now":5,"stopped":1}', '"stopped" must be true or false'],
  ])('%s is refused', (text, reason) => {
    expect(() => readClockChange(text)).toThrow(
      expect.objectContaining({ code: 'invalid_clock', message: expect.stringContaining(reason) }),
    );
  });
});
