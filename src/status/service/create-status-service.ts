import { isDeepStrictEqual } from 'node:util';
import { createComponent, deleteComponent, updateComponent } from '../edits/edit-component.ts';
import type { EditContext } from '../edits/edit-context.ts';
import { createGroup, deleteGroup, updateGroup } from '../edits/edit-group.ts';
import { updatePage } from '../edits/edit-page.ts';
import {
  deletePostmortem,
  publishPostmortem,
  revertPostmortem,
  writePostmortem,
} from '../edits/edit-postmortem.ts';
import { withoutIncident } from '../edits/edited-state.ts';
import { createIncident, editIncidentUpdate, updateIncident } from '../edits/incident-edits.ts';
import { byComponent, nameProbed, setMonitorStatuses } from '../edits/probed-components.ts';
import { runMaintenanceSchedule } from '../edits/run-maintenance-schedule.ts';
import type { Caller } from '../model/changes.ts';
import type { PageState } from '../model/page-state.ts';
import type { ComponentStatus } from '../rules/component-status.ts';
import { type Input, isObject } from '../rules/input-members.ts';
import { requireUnmodified } from '../rules/require-unmodified.ts';
import { createZonedTime } from '../rules/zoned-time.ts';
import type { StatusRepository } from '../store/status-repository.ts';
import type { SubscriberCalls } from '../subscribers/subscriber-calls.ts';
import {
  type ApplyChangeParts,
  type Change,
  type ChangeReport,
  createApplyChange,
  type Edited,
} from './apply-change.ts';
import { createStatusReads, type StatusReads } from './status-reads.ts';
import { COMPONENT, GROUP, INCIDENT, PAGE, POSTMORTEM, type Subject, updatesOf } from './subjects.ts';

interface StatusServiceDependencies extends ApplyChangeParts {
  readonly repository: StatusRepository;
  /** What a caller can do with subscribers. */
  readonly subscriberCalls: (caller: Caller) => SubscriberCalls;
}

const UNNAMED: Caller = { name: 'server' };

/**
 * Everything that people read and change of the status page: one method per call, one instant and one
 * transaction each.
 *
 * Inputs are the members of a call as parsed. Methods that name something throw StatusNotFoundError when
 * it does not exist, those that take an input StatusValidationError when that is refused; then nothing
 * is stored. Answers are the representations of the management API.
 *
 * @see contracts/status.md section 4
 */
export type StatusService = ReturnType<typeof callsOf> & {
  /** The same service for a named caller. @throws StatusConflictError from calls that its condition refuses. */
  by(caller: Caller): StatusService;
};

/** Makes the service on a repository whose page exists. */
export function createStatusService(dependencies: StatusServiceDependencies): StatusService {
  const apply = createApplyChange(dependencies);
  const reads = createStatusReads(dependencies.repository, dependencies.clock);
  const by = (caller: Caller): StatusService => ({ ...callsOf(dependencies, apply, reads, caller), by });
  return by(UNNAMED);
}

function callsOf(
  { repository, clock, newId, texts, subscriberCalls }: StatusServiceDependencies,
  apply: ReturnType<typeof createApplyChange>,
  reads: StatusReads,
  caller: Caller,
) {
  const { creating, changing, deleting } = editorChanges(caller);
  return {
    ...reads,
    ...subscriberCalls(caller),
    updatePage: (input: Input) => apply(changing(PAGE, 'update', null, (state) => updatePage(state, input))),
    createComponent: (input: Input) =>
      apply(creating(COMPONENT, (state, context) => createComponent(state, input, context))),
    updateComponent: (id: string, input: Input) =>
      apply(changing(COMPONENT, 'update', id, (state) => updateComponent(state, id, input))),
    async deleteComponent(id: string) {
      await apply(deleting(COMPONENT, id, (state) => deleteComponent(state, id)));
    },
    createGroup: (input: Input) =>
      apply(creating(GROUP, (state, context) => createGroup(state, input, context))),
    updateGroup: (id: string, input: Input) =>
      apply(changing(GROUP, 'update', id, (state) => updateGroup(state, id, input))),
    /** @returns the group as it was. */
    deleteGroup: (id: string) => apply(deleting(GROUP, id, (state) => deleteGroup(state, id))),
    /** Opens an incident or plans a maintenance. */
    createIncident: (input: Input) =>
      apply(creating(INCIDENT, (state, context) => createIncident(state, input, context))),
    /** Edits, updates, resolves or moves an incident or maintenance. */
    updateIncident: (id: string, input: Input) =>
      apply(changing(INCIDENT, 'update', id, (state, context) => updateIncident(state, id, input, context))),
    /** @returns the incident as it was. */
    deleteIncident: (id: string) => apply(deleting(INCIDENT, id, (state) => withoutIncident(state, id))),
    editIncidentUpdate: (incidentId: string, id: string, input: Input) =>
      apply(
        changing(updatesOf(incidentId), 'update', id, (state, context) =>
          editIncidentUpdate(state, incidentId, id, input, context),
        ),
      ),
    writePostmortem: (id: string, input: Input) =>
      apply(
        changing(POSTMORTEM, 'write', id, (state, context) => writePostmortem(state, id, input, context)),
      ),
    /** Shows it: the resolved incident goes to `postmortem`. */
    publishPostmortem: (id: string, input: Input) =>
      apply(
        changing(POSTMORTEM, 'publish', id, (state, context) => publishPostmortem(state, id, input, context)),
      ),
    /** Takes it back; the text stays. */
    revertPostmortem: (id: string) =>
      apply(changing(POSTMORTEM, 'revert', id, (state) => revertPostmortem(state, id))),
    async deletePostmortem(id: string) {
      await apply(deleting(POSTMORTEM, id, (state) => deletePostmortem(state, id)));
    },
    /** Does what is due now: reminders, starts and completions of maintenances. */
    async runMaintenanceSchedule() {
      // Nearly always nothing is due: that is found by a read.
      const state = await repository.read(null);
      const time = createZonedTime(state.page.timeZone);
      const isIdle = runMaintenanceSchedule(state, { now: clock.now(), newId, texts, time }) === state;
      if (!isIdle) await apply(automatic('schedule', runMaintenanceSchedule));
    },
    /** Sets smoothed probe results by component id. */
    setMonitorStatuses: (statuses: ReadonlyMap<string, ComponentStatus>) =>
      apply(automatic('monitor', (state) => setMonitorStatuses(state, statuses))),
    /** Sets smoothed results by name of the probe; a probe without a component is passed over. */
    setProbeStatuses: (statuses: ReadonlyMap<string, ComponentStatus>) =>
      apply(automatic('monitor', (state) => setMonitorStatuses(state, byComponent(state, statuses)))),
    /** Names components by their probe; a probe without a component is passed over. */
    async nameProbed(names: ReadonlyMap<string, string>) {
      // As above: names change once in months.
      const state = await repository.read(null);
      if (nameProbed(state, names) === state) return;
      await apply(automatic('monitor', (current) => nameProbed(current, names)));
    },
  };
}

/** What the server does by itself: it answers nothing and is not audited. */
function automatic(cause: string, edit: (state: PageState, context: EditContext) => PageState): Change<void> {
  return {
    incidentId: null,
    cause: () => cause,
    edit: (state, context) => ({ state: edit(state, context), id: '' }),
    report: () => ({
      answer: undefined,
      audit: null,
      applied: { call: `${cause}.run`, id: null, by: cause, changed: [] },
    }),
  };
}

/** A change of something that there is; its result is the next state. */
type Edit = (before: PageState, context: EditContext) => PageState;

type Verb = 'update' | 'write' | 'publish' | 'revert';

/**
 * The changes of one caller: what exists is changed on the caller's condition, and every change is audited under its
 * name. Each answers with the subject as the management API shows it.
 *
 * @throws StatusConflictError from edits that the condition refuses.
 */
function editorChanges({ name, unmodifiedSince = null }: Caller) {
  const report = <T>(
    call: string,
    id: string,
    at: number,
    { before, after, answer }: Descriptions<T>,
  ): ChangeReport<T> => {
    const members = changedMembers(before, after);
    const changed = before === null || after === null ? [] : Object.keys(members.after ?? {});
    return {
      answer,
      audit: { at, actor: name, call, subjectId: id, ...members },
      applied: { call, id, by: name, changed },
    };
  };

  const onCondition = <T>(subject: Subject<T>, id: string | null, edit: Edit) => {
    return (before: PageState, context: EditContext): Edited => {
      const found = id ?? before.page.id;
      if (unmodifiedSince !== null) requireUnmodified(subject.updatedAt(before, found), unmodifiedSince);
      return { state: edit(before, context), id: found };
    };
  };

  return {
    creating: <T extends object>(
      subject: Subject<T>,
      edit: (before: PageState, context: EditContext) => Edited,
    ): Change<T> => ({
      incidentId: null,
      cause: subject.cause,
      edit,
      report(_, after, id, now) {
        const created = subject.describe(after, id);
        return report(`${subject.noun}.create`, id, now, { before: null, after: created, answer: created });
      },
    }),
    /** @param id null for the page, which is there once. */
    changing: <T extends object>(
      subject: Subject<T>,
      verb: Verb,
      id: string | null,
      edit: Edit,
    ): Change<T> => ({
      incidentId: id === null ? null : subject.incidentOf(id),
      cause: subject.cause,
      edit: onCondition(subject, id, edit),
      report(old, next, found, now) {
        const before = subject.isThere(old, found) ? subject.describe(old, found) : null;
        const after = subject.describe(next, found);
        return report(`${subject.noun}.${verb}`, found, now, { before, after, answer: after });
      },
    }),
    /** Answers with the subject as it was. */
    deleting: <T extends object>(subject: Subject<T>, id: string, edit: Edit): Change<T> => ({
      incidentId: subject.incidentOf(id),
      cause: subject.cause,
      edit: onCondition(subject, id, edit),
      report(old, _, found, now) {
        const before = subject.describe(old, found);
        return report(`${subject.noun}.delete`, found, now, { before, after: null, answer: before });
      },
    }),
  };
}

/** The subject before and after a change; null where it does not exist. */
interface Descriptions<T> {
  readonly before: (T & object) | null;
  readonly after: (T & object) | null;
  readonly answer: T;
}

/**
 * The members in which two representations differ; of lists whose items have ids only the items that do.
 *
 * An incident grows with every update, so keeping it whole at each of them would grow with the square.
 */
export function changedMembers(
  old: object | null,
  next: object | null,
): { readonly before: Input | null; readonly after: Input | null } {
  const before = membersOf(old);
  const after = membersOf(next);
  if (before === null || after === null) return { before, after };
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  );
  return {
    before: Object.fromEntries(names.map((name) => [name, difference(before[name], after[name])])),
    after: Object.fromEntries(names.map((name) => [name, difference(after[name], before[name])])),
  };
}

function membersOf(value: object | null): Input | null {
  return value === null ? null : Object.fromEntries(Object.entries(value));
}

function difference(value: unknown, other: unknown): unknown {
  if (!isIdentifiedList(value) || !isIdentifiedList(other)) return value;
  const others = new Map(other.map((item) => [item['id'], item]));
  return value.filter((item) => !isDeepStrictEqual(item, others.get(item['id'])));
}

function isIdentifiedList(value: unknown): value is readonly Input[] {
  return Array.isArray(value) && value.every((item) => isObject(item) && 'id' in item);
}
