import { describe, expect, test } from 'vitest';
import type { HighVolumeRates } from '../schedule/fee-schedule.ts';
import { highVolumeMultiplier } from './estimate-fee.ts';

function rates(maxMultiplier: number, ...points: readonly (readonly [number, number])[]): HighVolumeRates {
  return {
    maxMultiplier: BigInt(maxMultiplier),
    points: points.map(([utilization, multiplier]) => ({
      utilization: BigInt(utilization),
      multiplier: BigInt(multiplier),
    })),
  };
}

const curve = rates(150_000, [40, 4000], [60, 8000], [100, 10_000]);

describe('highVolumeMultiplier', () => {
  test.each<[string, HighVolumeRates | null, number, number]>([
    ['no rates', null, 5000, 1000],
    ['no curve: at the start', rates(5000), 0, 1000],
    ['no curve: half way, rounded down', rates(5001), 5000, 3000],
    ['no curve: at the end', rates(5000), 10_000, 5000],
    ['one point holds everywhere', rates(4000, [10_000, 4000]), 1, 4000],
    ['below the first point', curve, 0, 4000],
    ['on a point', curve, 60, 8000],
    ['between two points', curve, 47, 5400],
    ['above the last point', curve, 9999, 10_000],
    ['falling curves truncate toward zero', rates(9000, [0, 4000], [3, 2000]), 1, 3334],
    [
      'two points at one utilization: the first of them',
      rates(9000, [0, 2000], [5, 3000], [5, 6000], [10, 8000]),
      5,
      3000,
    ],
    [
      'above two points at one utilization: from the last',
      rates(9000, [0, 2000], [5, 3000], [5, 6000], [10, 8000]),
      6,
      6400,
    ],
    ['points below 1000 count as 1000', rates(9000, [0, 10], [10, 2000]), 5, 1500],
    ['never above the maximum', rates(3000, [0, 4000]), 0, 3000],
    ['a maximum below 1000 counts as 1000', rates(0, [0, 4000]), 0, 1000],
    ['utilization above 10000 counts as 10000', rates(5000), 99_999, 5000],
  ])('%s', (_name, schedule, utilization, expected) => {
    expect(highVolumeMultiplier(schedule, BigInt(utilization))).toBe(BigInt(expected));
  });
});
