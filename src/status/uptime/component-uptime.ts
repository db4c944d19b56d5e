import { findComponent } from '../edits/component-state.ts';
import { findGroup } from '../edits/edit-group.ts';
import { childrenOf } from '../model/page-order.ts';
import type { Range } from '../model/stretches.ts';
import { type Input, readInstant } from '../rules/input-members.ts';
import { ProblemList } from '../rules/problems.ts';
import { createZonedTime } from '../rules/zoned-time.ts';
import type { StatusRepository } from '../store/status-repository.ts';
import { intervalsOf, outageTime } from './status-history.ts';
import { type OutageTime, uptimePercentage } from './uptime-figures.ts';

/** Uptime of a component or group in a range. @see contracts/status.md section 9, v1 answer */
export interface ManagedUptime {
  readonly id: string;
  readonly name: string;
  readonly range_start: string;
  readonly range_end: string;
  /** Rounded half up to four decimals; of a group the mean of its children. */
  readonly uptime_percentage: number;
  /** Whole seconds, of a group the sum. */
  readonly major_outage: number;
  readonly partial_outage: number;
  /** Why the range is another one than asked for; null when it is not. */
  readonly warnings: string | null;
  readonly related_events: { readonly incidents: readonly string[] };
}

const DAY_MS = 86_400_000;
const DEFAULT_MS = 30 * DAY_MS;
/** Six months, the longest ones. */
const LONGEST_MS = 184 * DAY_MS;

/**
 * Reads `start` and `end`, dates or instants; by default 30 days that end now or, if that is earlier, at `end`.
 *
 * @throws StatusValidationError naming what is no date, or an end that is not after its start.
 */
function readRange(query: Input, now: number): Range {
  const problems = new ProblemList();
  const to = readInstant(query, 'end', now, problems);
  const from = readInstant(query, 'start', Math.min(to, now) - DEFAULT_MS, problems);
  if (from >= to) problems.addUnreadable('start');
  problems.throwIfAny();
  return { from, to };
}

/**
 * The uptime of a leaf component, or of a group as the mean of its children.
 *
 * @param noun what the path names, for the error.
 * @throws StatusNotFoundError, StatusValidationError
 */
export async function readUptime(
  repository: StatusRepository,
  noun: 'component' | 'group',
  id: string,
  query: Input,
  now: number,
): Promise<ManagedUptime> {
  const state = await repository.read(null);
  const subject = noun === 'group' ? findGroup(state, id) : findComponent(state, id);
  const time = createZonedTime(state.page.timeZone);
  const asked = readRange(query, now);
  const leaves = subject.group ? childrenOf(state.components, id) : [subject];
  const oldest = Math.min(...leaves.map(({ createdAt }) => createdAt));
  const range = cutRange(asked, Number.isFinite(oldest) ? oldest : asked.from, now);
  const events = await repository.readEvents(range.from);
  const outages = leaves.map((leaf) => {
    const own = events.filter(({ componentId }) => componentId === leaf.id);
    return outageTime(intervalsOf(own, now), range.from, range.to);
  });
  return {
    id: subject.id,
    name: subject.name,
    range_start: time.print(range.from),
    range_end: time.print(range.to),
    uptime_percentage: mean(outages.map(uptimePercentage)),
    major_outage: seconds(outages, 'major'),
    partial_outage: seconds(outages, 'partial'),
    warnings: describeCut(asked, range),
    related_events: {
      incidents: await repository.readRelatedIncidents(
        leaves.map((leaf) => leaf.id),
        range,
      ),
    },
  };
}

function cutRange({ from, to }: Range, createdAt: number, now: number): Range {
  const end = Math.max(Math.min(to, now), createdAt);
  return { from: Math.min(end, Math.max(from, createdAt, end - LONGEST_MS)), to: end };
}

function describeCut(asked: Range, range: Range): string | null {
  if (asked.from === range.from && asked.to === range.to) return null;
  return 'The range was cut: it begins with the component, ends now and has at most 184 days.';
}

function mean(percentages: readonly number[]): number {
  if (percentages.length === 0) return 100;
  const sum = percentages.reduce((total, each) => total + each, 0);
  return Math.round((sum / percentages.length) * 10_000) / 10_000;
}

function seconds(outages: readonly OutageTime[], kind: 'major' | 'partial'): number {
  return Math.round(outages.reduce((sum, each) => sum + each[kind], 0) / 1000);
}
