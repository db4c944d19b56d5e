import type { Clock } from '../../values/clock.ts';
import {
  managedComponent,
  managedComponents,
  managedGroup,
  managedGroups,
  managedIncident,
  managedIncidents,
  managedPage,
  managedPostmortem,
} from '../documents/managed-representation.ts';
import type { ManagedAuditEntry, ManagedUptime } from '../documents/managed-schemas.ts';
import { pageStatus } from '../documents/public-documents.ts';
import { findGroup } from '../edits/edit-group.ts';
import { findComponent } from '../edits/edited-state.ts';
import { childrenOf, earliestWindowFirst, newestIncidentsFirst } from '../model/page-order.ts';
import type { PageState, Range, Stretch } from '../model/page-state.ts';
import { OPEN_STATUSES } from '../rules/incident-status.ts';
import { type Input, readInstant } from '../rules/input-members.ts';
import { ProblemList } from '../rules/problems.ts';
import { createZonedTime } from '../rules/zoned-time.ts';
import type { StatusRepository } from '../store/status-repository.ts';
import { intervalsOf, outageTime } from '../uptime/status-history.ts';
import { type OutageTime, uptimePercentage } from '../uptime/uptime-figures.ts';

/** Lists of open incidents. @see contracts/status.md section 4, Endpoints served */
export type OpenList = 'unresolved' | 'upcoming' | 'scheduled' | 'active_maintenance';

/** What editors can read; methods that name something throw StatusNotFoundError when it does not exist. */
export type StatusReads = ReturnType<typeof createStatusReads>;

/** Reads straight from the repository: editors see every commit at once. */
export function createStatusReads(repository: StatusRepository, clock: Clock) {
  return {
    readPage: async () => managedPage(await repository.read(null)),
    /** As visitors see it. @see contracts/status.md section 3, Overall indicator */
    readOverallStatus: async () => pageStatus(await repository.read(null)),
    /** Leaves and groups in page order. */
    listComponents: async () => managedComponents(await repository.read(null)),
    readComponent: async (id: string) => managedComponent(await repository.read(null), id),
    listGroups: async () => managedGroups(await repository.read(null)),
    readGroup: async (id: string) => managedGroup(await repository.read(null), id),
    /** Of any kind and status, newest first. @param search text in any case; empty: all. */
    async listIncidents(search: string, stretch: Stretch) {
      const state = await repository.readHistory(search, stretch);
      return managedIncidents(state, newestIncidentsFirst(state.incidents));
    },
    /** Incidents newest first, maintenances by their start. */
    async listOpenIncidents(list: OpenList) {
      const state = await repository.read(null);
      return managedIncidents(state, openIncidents(state, list));
    },
    readIncident: async (id: string) => managedIncident(await repository.read(id), id),
    /** Also when it is not published. */
    readPostmortem: async (id: string) => managedPostmortem(await repository.read(id), id),
    /** @param query `start` and `end` as given. @throws StatusValidationError as well. */
    readComponentUptime: (id: string, query: Input) =>
      readUptime(repository, 'component', id, query, clock.now()),
    /** The mean of the children. @throws StatusValidationError as well. */
    readGroupUptime: (id: string, query: Input) => readUptime(repository, 'group', id, query, clock.now()),
    /** Calls that changed something, newest first. */
    async listAudit(stretch: Stretch): Promise<readonly ManagedAuditEntry[]> {
      const { page } = await repository.read(null);
      const time = createZonedTime(page.timeZone);
      const entries = await repository.readAudit(stretch);
      return entries.map(({ at, subjectId, actor, call, before, after }) => ({
        at: time.print(at),
        actor,
        call,
        id: subjectId,
        before,
        after,
      }));
    },
  };
}

function openIncidents(state: PageState, list: OpenList) {
  const open = state.incidents.filter(({ status }) => OPEN_STATUSES.has(status));
  const maintenances = earliestWindowFirst(open.filter(({ kind }) => kind === 'maintenance'));
  switch (list) {
    case 'unresolved':
      return newestIncidentsFirst(open.filter(({ kind }) => kind === 'realtime'));
    case 'upcoming':
      return maintenances.filter(({ status }) => status === 'scheduled');
    case 'scheduled':
      return maintenances;
    case 'active_maintenance':
      return maintenances.filter(({ status }) => status !== 'scheduled');
  }
}

const DAY_MS = 86_400_000;
const DEFAULT_MS = 30 * DAY_MS;
/** Six months, the longest ones. */
const MAX_MS = 184 * DAY_MS;

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
async function readUptime(
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
      incidents: [
        ...(await repository.readRelatedIncidents(
          leaves.map((leaf) => leaf.id),
          range,
        )),
      ],
    },
  };
}

function cutRange({ from, to }: Range, createdAt: number, now: number): Range {
  const end = Math.max(Math.min(to, now), createdAt);
  return { from: Math.min(end, Math.max(from, createdAt, end - MAX_MS)), to: end };
}

function describeCut(asked: Range, range: Range): string | null {
  if (asked.from === range.from && asked.to === range.to) return null;
  return 'The range was shortened: it begins with the component, ends now and covers at most 184 days.';
}

function mean(percentages: readonly number[]): number {
  if (percentages.length === 0) return 100;
  const sum = percentages.reduce((total, each) => total + each, 0);
  return Math.round((sum / percentages.length) * 10_000) / 10_000;
}

function seconds(outages: readonly OutageTime[], kind: 'major' | 'partial'): number {
  return Math.round(outages.reduce((sum, each) => sum + each[kind], 0) / 1000);
}
