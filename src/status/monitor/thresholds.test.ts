import { describe, expect, test } from 'vitest';
import { DEFAULT_THRESHOLDS, levelAbove, levelFrom, parseThresholds } from './thresholds.ts';

describe('parseThresholds', () => {
  const problemsOf = (json: string) => {
    const problems: string[] = [];
    parseThresholds(json, (problem) => problems.push(problem));
    return problems;
  };

  test('keeps what is not given', () => {
    expect(parseThresholds('{}', expect.unreachable)).toEqual(DEFAULT_THRESHOLDS);
    const { disk, lag } = parseThresholds(
      '{"disk":{"degraded_performance":95,"partial_outage":null}}',
      expect.unreachable,
    );
    expect(lag).toEqual(DEFAULT_THRESHOLDS.lag);
    expect([94, 96, 98, 99.5].map((used) => levelAbove(used, disk))).toEqual([
      'operational',
      'degraded_performance',
      'degraded_performance',
      'major_outage',
    ]);
  });

  test.each([
    ['no JSON', '{"disk"', 'is not a JSON object'],
    ['a list', '[]', 'is not a JSON object'],
    ['an unknown name', '{"disc":{}}', '"disc" is not one of queue, lag, database,'],
    ['an unknown level', '{"disk":{"down":1}}', '"disk" must have numbers or null for major_outage,'],
    ['a text', '{"disk":{"major_outage":"99"}}', '"disk" must have'],
    ['a number in place of levels', '{"disk":99}', '"disk" must have'],
  ])('names what is wrong with %s', (_, json, problem) => {
    expect(problemsOf(json)[0]).toContain(problem);
  });
});

describe('levelAbove and levelFrom', () => {
  test('differ exactly at the limit', () => {
    const limits = { degraded_performance: 2, major_outage: 50 };
    expect([levelAbove(2, limits), levelFrom(2, limits)]).toEqual(['operational', 'degraded_performance']);
    expect([levelAbove(51, limits), levelFrom(1, limits)]).toEqual(['major_outage', 'operational']);
  });
});
