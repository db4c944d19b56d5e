import { describe, expect, test } from 'vitest';
import type { ComponentStatus } from '../rules/component-status.ts';
import { mergeLevels } from './component-monitor.ts';

const GOOD = 'operational';
const SLOW = 'degraded_performance';
const PART = 'partial_outage';
const OUT = 'major_outage';

describe('what replicas found of a part', () => {
  test.each<[string, ComponentStatus[], ComponentStatus]>([
    ['what one found, when there is one', [OUT], OUT],
    ['what three of three found', [OUT, OUT, OUT], OUT],
    ['what two of three found', [GOOD, OUT, OUT], OUT],
    ['not what one of three found', [GOOD, OUT, GOOD], GOOD],
    ['not what two of five found', [OUT, GOOD, GOOD, OUT, GOOD], GOOD],
    ['what more than half found at least', [GOOD, SLOW, OUT], SLOW],
    ['half out: a partial outage', [OUT, GOOD], PART],
    ['half of four out', [GOOD, OUT, GOOD, OUT], PART],
    ['half slow: slow', [SLOW, GOOD], SLOW],
    ['half in part, half out: a partial outage', [PART, OUT], PART],
    ['three of four out', [OUT, OUT, OUT, GOOD], OUT],
  ])('is %s', (_, found, merged) => {
    expect(mergeLevels(found)).toBe(merged);
    expect(mergeLevels([...found].reverse())).toBe(merged);
  });
});
