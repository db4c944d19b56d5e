import { describe, expect, test } from 'vitest';
import type { ComponentStatus } from '../rules/component-status.ts';
import { smoothStatus, startSmoothing } from './component-monitor.ts';

const SAMPLE_MS = 15_000;

function run(
  samples: readonly ComponentStatus[],
  everyMs = SAMPLE_MS,
  from: ComponentStatus = 'operational',
) {
  let state = startSmoothing(from);
  return samples.map((sample, index) => {
    state = smoothStatus(state, sample, index * everyMs);
    return state.status;
  });
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

describe('smoothStatus', () => {
  test('the third bad sample in a row shows, at the mildest of the three', () => {
    expect(run(['major_outage', 'partial_outage', 'degraded_performance'])).toEqual([
      'operational',
      'operational',
      'degraded_performance',
    ]);
  });

  test('a probe that flaps shows nothing', () => {
    const flapping = times(20, ['major_outage', 'operational'] as const).flat();
    expect(new Set(run(flapping))).toEqual(new Set(['operational']));
  });

  test('the eighth good sample in a row ends an outage that was stored before the start', () => {
    const statuses = run(times(8, 'operational'), SAMPLE_MS, 'major_outage');
    expect(statuses.lastIndexOf('major_outage')).toBe(6);
    expect(statuses[7]).toBe('operational');
  });

  test('nothing gets better within a minute of the last change, however quick the samples come', () => {
    const statuses = run([...times(3, 'major_outage' as const), ...times(70, 'operational' as const)], 1000);
    expect(statuses.indexOf('operational', 3)).toBe(62);
  });
});
