import { describe, expect, test } from 'vitest';
import { COMPONENT_STATUSES, publicStatus, worstStatus } from './component-status.ts';
import {
  canMove,
  enterStatus,
  type IncidentStatus,
  kindOfStatus,
  MAINTENANCE_STATUSES,
  REALTIME_STATUSES,
} from './incident-status.ts';

describe('publicStatus', () => {
  test.each([
    ['operational', 'operational', 'operational'],
    ['operational', 'major_outage', 'major_outage'],
    ['degraded_performance', 'operational', 'degraded_performance'],
    ['degraded_performance', 'partial_outage', 'partial_outage'],
    ['major_outage', 'degraded_performance', 'major_outage'],
    ['under_maintenance', 'major_outage', 'under_maintenance'],
    ['operational', 'under_maintenance', 'under_maintenance'],
  ] as const)('manual %s and measured %s show %s', (manualStatus, monitorStatus, shown) => {
    expect(publicStatus({ manualStatus, monitorStatus })).toBe(shown);
  });

  test('the worst of all states is the last of the list, of none operational', () => {
    expect(worstStatus(COMPONENT_STATUSES)).toBe('major_outage');
    expect(worstStatus([])).toBe('operational');
  });
});

describe('canMove', () => {
  const ALLOWED: Readonly<Record<IncidentStatus, readonly IncidentStatus[]>> = {
    investigating: ['investigating', 'identified', 'monitoring', 'resolved'],
    identified: ['investigating', 'identified', 'monitoring', 'resolved'],
    monitoring: ['investigating', 'identified', 'monitoring', 'resolved'],
    resolved: ['investigating', 'identified', 'monitoring', 'resolved'],
    postmortem: ['postmortem'],
    scheduled: ['scheduled', 'in_progress', 'verifying', 'completed'],
    in_progress: ['in_progress', 'verifying', 'completed'],
    verifying: ['in_progress', 'verifying', 'completed'],
    completed: ['completed'],
  };
  const all: readonly IncidentStatus[] = [...REALTIME_STATUSES, ...MAINTENANCE_STATUSES];

  test.each(all)('%s goes exactly where the specification says', (from) => {
    expect(all.filter((to) => canMove(from, to))).toEqual(ALLOWED[from]);
  });
});

describe('enterStatus', () => {
  const blank = { status: 'investigating' as IncidentStatus, monitoringAt: null, resolvedAt: null };

  test('monitoring_at stays, resolved_at goes when an incident is opened again', () => {
    const watched = enterStatus(blank, 'monitoring', 1);
    const resolved = enterStatus(watched, 'resolved', 2);
    expect(resolved).toEqual({ status: 'resolved', monitoringAt: 1, resolvedAt: 2 });
    expect(enterStatus(resolved, 'identified', 3)).toEqual({
      status: 'identified',
      monitoringAt: 1,
      resolvedAt: null,
    });
    expect(enterStatus(resolved, 'postmortem', 3).resolvedAt).toBe(2);
  });

  test('verifying and completed set the same instants for maintenances', () => {
    const verified = enterStatus({ ...blank, status: 'in_progress' as IncidentStatus }, 'verifying', 5);
    expect(enterStatus(verified, 'completed', 6)).toEqual({
      status: 'completed',
      monitoringAt: 5,
      resolvedAt: 6,
    });
  });

  test('staying moves nothing', () => {
    const resolved = enterStatus(blank, 'resolved', 2);
    expect(enterStatus(resolved, 'resolved', 9)).toBe(resolved);
  });
});

describe('kindOfStatus', () => {
  test.each([
    ['resolved', 'realtime'],
    ['verifying', 'maintenance'],
    ['open', null],
    [7, null],
    [null, null],
  ])('%j belongs to %s', (status, kind) => {
    expect(kindOfStatus(status)).toBe(kind);
  });
});
