import type { Clock } from '../values/clock.ts';
import type { IncidentUpdateDocument } from './documents/schemas.ts';
import { createIncident } from './edits/create-incident.ts';
import { createComponent, deleteComponent, updateComponent } from './edits/edit-component.ts';
import type { EditContext } from './edits/edit-context.ts';
import { createGroup, deleteGroup, updateGroup } from './edits/edit-group.ts';
import { withoutIncident } from './edits/incident-state.ts';
import { runMaintenanceSchedule } from './edits/run-maintenance-schedule.ts';
import { setMonitorStatuses } from './edits/set-monitor-statuses.ts';
import { settleChange } from './edits/settle-change.ts';
import { editIncidentUpdate, updateIncident } from './edits/update-incident.ts';
import {
  type ManagedComponent,
  type ManagedGroup,
  type ManagedIncident,
  managedComponent,
  managedGroup,
  managedIncident,
  managedUpdate,
} from './managed-representation.ts';
import type { PageState } from './model.ts';
import type { ComponentStatus } from './rules/component-status.ts';
import type { UpdateTexts } from './rules/default-texts.ts';
import type { Input } from './rules/input-members.ts';
import { createZonedTime } from './rules/zoned-time.ts';
import type { StatusRepository } from './status-repository.ts';

export interface StatusServiceDependencies {
  readonly repository: StatusRepository;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly texts: UpdateTexts;
  /** Awaited after each commit and before the answer, so that the next read shows the change. */
  readonly onChanged: (change: AppliedChange) => Promise<void>;
}

/** A committed change, for the log. */
export interface AppliedChange {
  /** For example `component.update`. */
  readonly call: string;
  readonly id: string | null;
  readonly revision: number;
}

/**
 * Everything that changes the status page: one method per call, one instant and one transaction each.
 *
 * Inputs are the members of a call as parsed. Methods that name something throw StatusNotFoundError when
 * it does not exist, those that take an input StatusValidationError when that is refused; then nothing
 * is stored. Answers are the representations of the management API.
 *
 * @see contracts/status.md section 4
 */
export interface StatusService {
  createComponent(input: Input): Promise<ManagedComponent>;
  readComponent(id: string): Promise<ManagedComponent>;
  updateComponent(id: string, input: Input): Promise<ManagedComponent>;
  deleteComponent(id: string): Promise<void>;
  createGroup(input: Input): Promise<ManagedGroup>;
  readGroup(id: string): Promise<ManagedGroup>;
  updateGroup(id: string, input: Input): Promise<ManagedGroup>;
  /** @returns the group as it was. */
  deleteGroup(id: string): Promise<ManagedGroup>;
  /** Opens an incident or plans a maintenance. */
  createIncident(input: Input): Promise<ManagedIncident>;
  readIncident(id: string): Promise<ManagedIncident>;
  /** Edits, updates, resolves or moves an incident or maintenance. */
  updateIncident(id: string, input: Input): Promise<ManagedIncident>;
  /** @returns the incident as it was. */
  deleteIncident(id: string): Promise<ManagedIncident>;
  editIncidentUpdate(incidentId: string, updateId: string, input: Input): Promise<IncidentUpdateDocument>;
  /** Does what is due now: reminders, starts and completions of maintenances. */
  runMaintenanceSchedule(): Promise<void>;
  /** Sets smoothed probe results by component id. */
  setMonitorStatuses(statuses: ReadonlyMap<string, ComponentStatus>): Promise<void>;
}

/** What an edit makes of the state, and whose representation the caller gets. */
interface Edit {
  readonly state: PageState;
  readonly id: string;
}

/** Makes the service on a repository whose page exists. */
export function createStatusService(dependencies: StatusServiceDependencies): StatusService {
  const { repository, clock, newId, texts, onChanged } = dependencies;

  /** Runs one edit in its transaction; `describe` sees the states before and after it. */
  async function change<T>(
    call: string,
    named: { readonly incidentId?: string; readonly cause?: string },
    edit: (state: PageState, context: EditContext) => Edit,
    describe: (after: PageState, id: string, before: PageState) => T,
  ): Promise<T> {
    const { applied, answer } = await repository.change(named.incidentId ?? null, (before) => {
      // Read under the lock, so that later commits never carry earlier instants.
      const now = clock.now();
      const context = { now, newId, texts, time: createZonedTime(before.page.timeZone) };
      const { state, id } = edit(before, context);
      const settled = settleChange(before, state, now, named.cause ?? incidentCause(call, id));
      const applied: AppliedChange | null =
        settled.changes === null ? null : { call, id, revision: settled.state.page.revision };
      const result = { applied, answer: describe(settled.state, id, before) };
      return { changes: settled.changes, result };
    });
    if (applied !== null) await onChanged(applied);
    return answer;
  }

  const existing = (id: string) => (state: PageState) => ({ state, id });
  const nothing = () => undefined;

  return {
    createComponent: (input) =>
      change(
        'component.create',
        {},
        (state, context) => createComponent(state, input, context),
        managedComponent,
      ),
    readComponent: async (id) => managedComponent(await repository.read(null), id),
    updateComponent: (id, input) =>
      change(
        'component.update',
        {},
        (state) => existing(id)(updateComponent(state, id, input)),
        managedComponent,
      ),
    deleteComponent: (id) =>
      change('component.delete', {}, (state) => existing(id)(deleteComponent(state, id)), nothing),
    createGroup: (input) =>
      change('group.create', {}, (state, context) => createGroup(state, input, context), managedGroup),
    readGroup: async (id) => managedGroup(await repository.read(null), id),
    updateGroup: (id, input) =>
      change('group.update', {}, (state) => existing(id)(updateGroup(state, id, input)), managedGroup),
    deleteGroup: (id) =>
      change(
        'group.delete',
        {},
        (state) => existing(id)(deleteGroup(state, id)),
        (_after, _id, before) => managedGroup(before, id),
      ),
    createIncident: (input) =>
      change(
        'incident.create',
        {},
        (state, context) => createIncident(state, input, context),
        managedIncident,
      ),
    readIncident: async (id) => managedIncident(await repository.read(id), id),
    updateIncident: (id, input) =>
      change(
        'incident.update',
        { incidentId: id },
        (state, context) => existing(id)(updateIncident(state, id, input, context)),
        managedIncident,
      ),
    deleteIncident: (id) =>
      change(
        'incident.delete',
        { incidentId: id },
        (state) => existing(id)(withoutIncident(state, id)),
        (_after, _id, before) => managedIncident(before, id),
      ),
    editIncidentUpdate: (incidentId, updateId, input) =>
      change(
        'update.edit',
        { incidentId },
        (state, context) =>
          existing(incidentId)(editIncidentUpdate(state, incidentId, updateId, input, context)),
        (after) => managedUpdate(after, incidentId, updateId),
      ),
    runMaintenanceSchedule: () =>
      change(
        'schedule.run',
        { cause: 'schedule' },
        (state, context) => existing('')(runMaintenanceSchedule(state, context)),
        nothing,
      ),
    setMonitorStatuses: (statuses) =>
      change(
        'monitor.set',
        { cause: 'monitor' },
        (state) => existing('')(setMonitorStatuses(state, statuses)),
        nothing,
      ),
  };
}

/** What goes into component events: the incident whose call changed them, or the component's own call. */
function incidentCause(call: string, id: string): string {
  return call.startsWith('incident.') ? `incident:${id}` : 'component';
}
