import { expect, test } from 'vitest';
import * as fc from '../../../test/support/properties.ts';
import { COMPONENT_STATUSES } from '../rules/component-status.ts';
import { createZonedTime } from '../rules/zoned-time.ts';
import { componentDays, intervalsOf, lastDays, worstOfDays } from './status-history.ts';

const NOW = Date.parse('2026-03-30T12:00:00Z');
const days = lastDays(createZonedTime('Europe/Berlin'), NOW, 5);
const start = days[0]?.start ?? 0;

test('worstOfDays finds what componentDays finds, whatever happened', () => {
  const instant = fc.integer({ min: start - 86_400_000, max: NOW });
  const change = fc.record({ at: instant, to: fc.constantFrom(...COMPONENT_STATUSES) });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
      const inOrder = changes.map((each) => ({ ...each, componentId: 'c' })).sort((a, b) => a.at - b.at);
      const intervals = intervalsOf(inOrder, NOW);
      expect(worstOfDays(intervals, days)).toEqual(
        componentDays(intervals, days).map(({ status }) => status),
      );
    }),
  );
});
