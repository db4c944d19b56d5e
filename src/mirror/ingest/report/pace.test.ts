import { describe, expect, test } from 'vitest';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { describeSeconds, PaceMeter, secondsToCatchUp } from './pace.ts';

const at = (seconds: number) => consensusTimestamp(BigInt(1_700_000_000 + seconds) * 1_000_000_000n);

describe('the pace of a source', () => {
  test('is that of the last half minute', () => {
    const meter = new PaceMeter();
    // Two units of five transactions a second, each of two seconds of the ledger; the first ten seconds are ten times as fast.
    for (let half = 0; half < 20; half++) meter.add(50, at(half * 20), half * 500);
    for (let half = 20; half < 120; half++) meter.add(5, at(400 + half * 2), half * 500);
    const pace = meter.current(60_000);
    expect(pace).toEqual({ unitsPerSecond: 2, transactionsPerSecond: 10, ledgerSecondsPerSecond: 4 });
  });

  test('is unknown at first and after a pause', () => {
    const meter = new PaceMeter();
    expect(meter.current(0)).toBeNull();
    meter.add(1, at(0), 0);
    expect(meter.current(1)).toBeNull();
    meter.add(1, at(2), 2000);
    expect(meter.current(2000)).not.toBeNull();
    expect(meter.current(40_000)).toBeNull();
  });

  test('tells when the ledger has caught up with a network that goes on', () => {
    const pace = { unitsPerSecond: 1, transactionsPerSecond: 1, ledgerSecondsPerSecond: 11 };
    expect(secondsToCatchUp(3600, pace)).toBe(360);
    expect(secondsToCatchUp(3600, { ...pace, ledgerSecondsPerSecond: 1 })).toBeNull();
    expect([12, 90, 3700, 200_000].map(describeSeconds)).toEqual(['12 s', '1 min', '1 h 1 min', '2 d 7 h']);
  });
});
