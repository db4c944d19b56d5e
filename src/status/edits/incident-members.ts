import { byFlag, FLAG_MEMBERS, type Incident } from '../model/page-state.ts';
import { type Impact, isImpact } from '../rules/indicator.ts';
import { type Input, isBlank, isGiven, isObject, readFlag, readInstant } from '../rules/input-members.ts';
import type { Problem, ProblemList } from '../rules/problems.ts';

/** Members of an incident that are stored as given. */
type StoredMembers = Pick<Incident, 'impactOverride' | 'metadata' | 'reminderIntervals' | 'flags'>;

/** What a new incident has unless the call says otherwise. */
export const BLANK_MEMBERS: StoredMembers = {
  impactOverride: null,
  metadata: {},
  reminderIntervals: null,
  flags: byFlag(() => false),
};

/** Reads the stored members of a call; those that are absent keep their value. */
export function readStoredMembers(
  input: Input,
  current: StoredMembers,
  problems: ProblemList,
): StoredMembers {
  // The old name counts only where the new one is absent.
  const isOldName =
    isGiven(input, 'scheduled_auto_transition') && !isGiven(input, FLAG_MEMBERS.autoInProgress);
  return {
    impactOverride: readImpactOverride(input, current.impactOverride, problems),
    metadata: readMetadata(input, current.metadata, problems),
    reminderIntervals: readReminderIntervals(input, current.reminderIntervals, problems),
    flags: byFlag((key) => {
      const member = isOldName && key === 'autoInProgress' ? 'scheduled_auto_transition' : FLAG_MEMBERS[key];
      return readFlag(input, member, current.flags[key], problems);
    }),
  };
}

/** The planned window of a maintenance; both null for a real-time incident. */
export type Window = Pick<Incident, 'scheduledFor' | 'scheduledUntil'>;

/** Reads the window of a maintenance; members that are absent keep their value. */
export function readWindow(input: Input, current: Window, problems: ProblemList): Window {
  const read = (member: string, value: number | null, blank: Problem) => {
    const kept = isGiven(input, member) ? null : value;
    if (kept === null && isBlank(input, member)) problems.add(blank);
    return readInstant(input, member, kept, problems);
  };
  const scheduledFor = read('scheduled_for', current.scheduledFor, 'scheduledForBlank');
  const scheduledUntil = read('scheduled_until', current.scheduledUntil, 'scheduledUntilBlank');
  if (scheduledFor !== null && scheduledUntil !== null && scheduledUntil <= scheduledFor) {
    problems.add('windowReversed');
  }
  return { scheduledFor, scheduledUntil };
}

/** Whether a call gives a start of a window; null and empty text do not count. */
export function hasWindowStart(input: Input): boolean {
  return !isBlank(input, 'scheduled_for');
}

/** The text `none` is a real override; null and empty text remove it. */
function readImpactOverride(input: Input, current: Impact | null, problems: ProblemList): Impact | null {
  if (!isGiven(input, 'impact_override')) return current;
  const value = input['impact_override'];
  if (value === null || value === '') return null;
  if (isImpact(value)) return value;
  problems.add('impactOverrideUnknown');
  return current;
}

function readMetadata(
  input: Input,
  current: Incident['metadata'],
  problems: ProblemList,
): Incident['metadata'] {
  const value = input['metadata'] ?? null;
  if (!isGiven(input, 'metadata')) return current;
  if (value === null) return {};
  if (isObject(value) && Object.values(value).every(isObject)) return value;
  problems.addUnreadable('metadata');
  return current;
}

function readReminderIntervals(input: Input, current: string | null, problems: ProblemList): string | null {
  if (!isGiven(input, 'reminder_intervals')) return current;
  const value = input['reminder_intervals'];
  if (value === null || typeof value === 'string') return value;
  problems.addUnreadable('reminder_intervals');
  return current;
}
