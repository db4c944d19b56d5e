import { describe, expect, test } from 'vitest';
import * as fc from '../../../test/support/properties.ts';
import { COMPONENT_STATUSES, type ComponentStatus } from './component-status.ts';
import {
  highestImpact,
  impactOfComponents,
  type OpenEntries,
  overallStatus,
  shownImpact,
} from './indicator.ts';

const NOTHING_OPEN: OpenEntries = { incidentImpacts: [], hasRunningMaintenance: false };
const LETTERS: Readonly<Record<string, ComponentStatus>> = {
  o: 'operational',
  u: 'under_maintenance',
  d: 'degraded_performance',
  p: 'partial_outage',
  m: 'major_outage',
};
const leaves = (letters: string) => [...letters].map((letter) => LETTERS[letter] ?? 'operational');

describe('overallStatus', () => {
  test.each([
    ['m', 'critical', 'Major System Outage'],
    ['mm', 'critical', 'Major System Outage'],
    ['mo', 'major', 'Partial System Outage'],
    ['mmp', 'major', 'Partial System Outage'],
    ['mmmmmpooo', 'major', 'Partial System Outage'],
    ['p', 'major', 'Partial System Outage'],
    ['ppp', 'major', 'Partial System Outage'],
    ['po', 'minor', 'Minor Service Outage'],
    ['pud', 'minor', 'Minor Service Outage'],
    ['dd', 'minor', 'Degraded System Service'],
    ['d', 'minor', 'Partially Degraded Service'],
    ['do', 'minor', 'Partially Degraded Service'],
    ['du', 'minor', 'Partially Degraded Service'],
    ['u', 'maintenance', 'Service Under Maintenance'],
    ['uo', 'maintenance', 'Service Under Maintenance'],
    ['uuu', 'maintenance', 'Service Under Maintenance'],
    ['o', 'none', 'All Systems Operational'],
    ['ooo', 'none', 'All Systems Operational'],
    ['', 'none', 'All Systems Operational'],
  ])('components %j give %s, %s', (letters, indicator, description) => {
    expect(overallStatus(leaves(letters), NOTHING_OPEN)).toEqual({ indicator, description });
  });

  test.each([
    [['minor'], false, 'minor', 'Minor Service Outage'],
    [['minor', 'major'], true, 'major', 'Partial System Outage'],
    [['critical', 'none'], false, 'critical', 'Major System Outage'],
    [['none'], true, 'maintenance', 'Service Under Maintenance'],
    [['maintenance'], false, 'none', 'All Systems Operational'],
    [[], true, 'maintenance', 'Service Under Maintenance'],
  ] as const)(
    'without components, impacts %j and running maintenance %j give %s',
    (impacts, running, indicator, description) => {
      const open: OpenEntries = { incidentImpacts: impacts, hasRunningMaintenance: running };
      expect(overallStatus([], open)).toEqual({ indicator, description });
    },
  );

  test('open entries do not count as soon as there is a component', () => {
    const open: OpenEntries = { incidentImpacts: ['critical'], hasRunningMaintenance: true };
    expect(overallStatus(['operational'], open).indicator).toBe('none');
  });

  test('does not depend on the order of the components', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...COMPONENT_STATUSES)), (statuses) => {
        expect(overallStatus([...statuses].reverse(), NOTHING_OPEN)).toEqual(
          overallStatus(statuses, NOTHING_OPEN),
        );
      }),
    );
  });
});

describe('impactOfComponents', () => {
  test.each([
    ['', 'none'],
    ['o', 'none'],
    ['u', 'none'],
    ['d', 'minor'],
    ['pd', 'minor'],
    ['p', 'major'],
    ['mo', 'major'],
    ['m', 'critical'],
  ])('attached components %j have impact %s', (letters, impact) => {
    expect(impactOfComponents(leaves(letters))).toBe(impact);
  });
});

describe('shownImpact', () => {
  test.each([
    ['realtime', null, 'minor', 'minor'],
    ['realtime', 'none', 'critical', 'none'],
    ['maintenance', null, 'major', 'maintenance'],
    ['maintenance', 'minor', 'none', 'minor'],
  ] as const)('%s with override %s and peak %s shows %s', (kind, impactOverride, peakImpact, shown) => {
    expect(shownImpact({ kind, impactOverride, peakImpact })).toBe(shown);
  });

  test('the highest of several impacts wins', () => {
    expect(highestImpact(['minor', 'critical', 'none'])).toBe('critical');
    expect(highestImpact([])).toBe('none');
  });
});
