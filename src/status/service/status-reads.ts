import type { Clock } from '../../values/clock.ts';
import {
  type ManagedComponent,
  type ManagedGroup,
  type ManagedIncident,
  type ManagedPage,
  type ManagedPostmortem,
  managedComponent,
  managedComponents,
  managedGroup,
  managedGroups,
  managedIncident,
  managedIncidents,
  managedPage,
  managedPostmortem,
} from '../documents/managed-representation.ts';
import { pageStatus } from '../documents/public-documents.ts';
import { earliestWindowFirst, newestIncidentsFirst } from '../model/page-order.ts';
import type { PageState } from '../model/page-state.ts';
import type { Stretch } from '../model/stretches.ts';
import { OPEN_STATUSES } from '../rules/incident-status.ts';
import type { OverallStatus } from '../rules/indicator.ts';
import type { Input } from '../rules/input-members.ts';
import { createZonedTime } from '../rules/zoned-time.ts';
import type { StatusRepository } from '../store/status-repository.ts';
import { type ManagedUptime, readUptime } from '../uptime/component-uptime.ts';

/** Lists of open incidents. @see contracts/status.md section 4, Endpoints served */
export type OpenList = 'unresolved' | 'upcoming' | 'scheduled' | 'active_maintenance';

/** What editors can read; methods that name something throw StatusNotFoundError when it does not exist. */
export interface StatusReads {
  readPage(): Promise<ManagedPage>;
  /** As visitors see it. @see contracts/status.md section 3, Overall indicator */
  readOverallStatus(): Promise<OverallStatus>;
  /** Leaves and groups in page order. */
  listComponents(): Promise<readonly ManagedComponent[]>;
  readComponent(id: string): Promise<ManagedComponent>;
  listGroups(): Promise<readonly ManagedGroup[]>;
  readGroup(id: string): Promise<ManagedGroup>;
  /** Of any kind and status, newest first. @param search text in any case; empty: all. */
  listIncidents(search: string, stretch: Stretch): Promise<readonly ManagedIncident[]>;
  /** Incidents newest first, maintenances by their start. */
  listOpenIncidents(list: OpenList): Promise<readonly ManagedIncident[]>;
  readIncident(id: string): Promise<ManagedIncident>;
  /** Also when it is not published. */
  readPostmortem(incidentId: string): Promise<ManagedPostmortem>;
  /** @param query `start` and `end` as given. @throws StatusValidationError as well. */
  readComponentUptime(id: string, query: Input): Promise<ManagedUptime>;
  /** The mean of the children. @throws StatusValidationError as well. */
  readGroupUptime(id: string, query: Input): Promise<ManagedUptime>;
  /** Calls that changed something, newest first. */
  listAudit(stretch: Stretch): Promise<readonly ManagedAuditEntry[]>;
}

/** A call of an editor. `before` and `after` hold the members that it changed. */
interface ManagedAuditEntry {
  readonly at: string;
  readonly actor: string;
  readonly call: string;
  readonly id: string;
  readonly before: Input | null;
  readonly after: Input | null;
}

/** Reads straight from the repository: editors see every commit at once. */
export function createStatusReads(repository: StatusRepository, clock: Clock): StatusReads {
  return {
    readPage: async () => managedPage(await repository.read(null)),
    readOverallStatus: async () => pageStatus(await repository.read(null)),
    listComponents: async () => managedComponents(await repository.read(null)),
    readComponent: async (id) => managedComponent(await repository.read(null), id),
    listGroups: async () => managedGroups(await repository.read(null)),
    readGroup: async (id) => managedGroup(await repository.read(null), id),
    async listIncidents(search, stretch) {
      const state = await repository.readHistory(search, stretch);
      return managedIncidents(state, newestIncidentsFirst(state.incidents));
    },
    async listOpenIncidents(list) {
      const state = await repository.read(null);
      return managedIncidents(state, openIncidents(state, list));
    },
    readIncident: async (id) => managedIncident(await repository.read(id), id),
    readPostmortem: async (id) => managedPostmortem(await repository.read(id), id),
    readComponentUptime: (id, query) => readUptime(repository, 'component', id, query, clock.now()),
    readGroupUptime: (id, query) => readUptime(repository, 'group', id, query, clock.now()),
    async listAudit(stretch) {
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
