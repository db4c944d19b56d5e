/** Real-time and maintenance entries share everything but their states. */
export type IncidentKind = 'realtime' | 'maintenance';

/** @see contracts/status.md section 3 */
export const REALTIME_STATUSES = [
  'investigating',
  'identified',
  'monitoring',
  'resolved',
  'postmortem',
] as const;
export const MAINTENANCE_STATUSES = ['scheduled', 'in_progress', 'verifying', 'completed'] as const;

export type RealtimeStatus = (typeof REALTIME_STATUSES)[number];
export type MaintenanceStatus = (typeof MAINTENANCE_STATUSES)[number];
export type IncidentStatus = RealtimeStatus | MaintenanceStatus;

/** States in which an entry is listed in the summary. */
export const OPEN_STATUSES: ReadonlySet<IncidentStatus> = new Set<IncidentStatus>([
  'investigating',
  'identified',
  'monitoring',
  'scheduled',
  'in_progress',
  'verifying',
]);

const TRANSITIONS: Readonly<Record<IncidentStatus, readonly IncidentStatus[]>> = {
  investigating: ['identified', 'monitoring', 'resolved'],
  identified: ['investigating', 'monitoring', 'resolved'],
  monitoring: ['investigating', 'identified', 'resolved'],
  resolved: ['investigating', 'identified', 'monitoring'],
  postmortem: [],
  scheduled: ['in_progress', 'verifying', 'completed'],
  in_progress: ['verifying', 'completed'],
  verifying: ['in_progress', 'completed'],
  completed: [],
};

/** The kind a state belongs to, or null for a text that is no state. */
export function kindOfStatus(value: unknown): IncidentKind | null {
  if ((REALTIME_STATUSES as readonly unknown[]).includes(value)) return 'realtime';
  return (MAINTENANCE_STATUSES as readonly unknown[]).includes(value) ? 'maintenance' : null;
}

/**
 * Whether an entry may go from one state to the other by an edit; staying is always allowed.
 *
 * `postmortem` is entered by publishing a postmortem, never by an edit.
 *
 * @see contracts/status.md section 3, Transitions
 */
export function canMove(from: IncidentStatus, to: IncidentStatus): boolean {
  return from === to || TRANSITIONS[from].includes(to);
}

interface Milestones {
  readonly status: IncidentStatus;
  readonly monitoringAt: number | null;
  readonly resolvedAt: number | null;
}

/** Sets the state and the instants that go with entering or leaving it. */
export function enterStatus<T extends Milestones>(entry: T, to: IncidentStatus, now: number): T {
  if (entry.status === to) return entry;
  const isWatching = to === 'monitoring' || to === 'verifying';
  const isDone = to === 'resolved' || to === 'completed';
  return {
    ...entry,
    status: to,
    monitoringAt: isWatching ? now : entry.monitoringAt,
    resolvedAt: isDone ? now : to === 'postmortem' ? entry.resolvedAt : null,
  };
}
