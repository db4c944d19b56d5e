import type { Clock } from '../../values/clock.ts';
import { createIncident } from '../edits/create-incident.ts';
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
import { describeSubject, requireUnmodified, type Subject } from '../edits/edit-subject.ts';
import { withoutIncident } from '../edits/incident-state.ts';
import { nameProbed } from '../edits/name-probed.ts';
import { runMaintenanceSchedule } from '../edits/run-maintenance-schedule.ts';
import { byComponent, setMonitorStatuses } from '../edits/set-monitor-statuses.ts';
import { type SettledChange, settleChange } from '../edits/settle-change.ts';
import { editIncidentUpdate, updateIncident } from '../edits/update-incident.ts';
import type { PageState } from '../model.ts';
import { type AuditEntry, changedMembers } from '../records/audit-entry.ts';
import { noticesOf } from '../records/notice.ts';
import type { UpdateTexts } from '../rules/default-texts.ts';
import { createZonedTime } from '../rules/zoned-time.ts';
import type { StatusRepository } from '../store/status-repository.ts';
import type { SubscriberCalls } from '../subscribers/subscriber-calls.ts';
import { createStatusReads } from './status-reads.ts';
import type { AppliedChange, Caller, StatusService } from './status-service.ts';

export interface StatusServiceDependencies {
  readonly repository: StatusRepository;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly texts: UpdateTexts;
  /** Awaited after each commit and before the answer, so that the next read shows the change. */
  readonly onChanged: (change: AppliedChange) => Promise<void>;
  /** What a caller can do with subscribers. */
  readonly subscriberCalls: (caller: Caller) => SubscriberCalls;
}

const UNNAMED: Caller = { name: 'server' };

type Noun = Subject['noun'];

/** Makes the service on a repository whose page exists. */
export function createStatusService(dependencies: StatusServiceDependencies): StatusService {
  const { repository, clock, newId, texts, onChanged, subscriberCalls } = dependencies;

  /** Runs one edit in its transaction; `judge` says what is recorded and answered. */
  async function change<T>(
    incidentId: string | null,
    cause: string | ((id: string) => string),
    edit: (state: PageState, context: EditContext) => { readonly state: PageState; readonly id: string },
    judge: (before: PageState, settled: SettledChange, id: string, now: number) => Judgement<T>,
  ): Promise<T> {
    const { applied, answer } = await repository.change<Committed<T>>(incidentId, (before) => {
      // Read under the lock, so that later commits never carry earlier instants.
      const now = clock.now();
      const context = { now, newId, texts, time: createZonedTime(before.page.timeZone) };
      const { state, id } = edit(before, context);
      const settled = settleChange(before, state, now, typeof cause === 'string' ? cause : cause(id));
      const { answer, audit, applied } = judge(before, settled, id, now);
      const { changes } = settled;
      if (changes === null) return { changes, result: { applied: null, answer } };
      const notices = noticesOf(settled.state, changes, { now, newId });
      const revision = settled.state.page.revision;
      return { changes, audit, notices, result: { applied: { ...applied, revision }, answer } };
    });
    if (applied !== null) await onChanged(applied);
    return answer;
  }

  function calls(caller: Caller): StatusService {
    /** A call of an editor about one subject. The answer is what the subject became, or what it was. */
    function edited<T>(
      noun: Noun,
      verb: 'create' | 'update' | 'delete' | 'write' | 'publish' | 'revert',
      id: string,
      edit: (state: PageState, context: EditContext) => PageState | { state: PageState; id: string },
      incidentId = '',
    ): Promise<T> {
      const call = `${noun}.${verb}`;
      const subject = (found: string): Subject => ({ noun, id: found, incidentId });
      const isOfIncident = noun === 'incident' || noun === 'postmortem';
      const named = isOfIncident ? id : incidentId;
      return change<T>(
        named === '' ? null : named,
        (found) => (isOfIncident ? `incident:${found}` : 'component'),
        (state, context) => {
          if (verb !== 'create') requireUnmodified(state, subject(id), caller.unmodifiedSince ?? null);
          const next = edit(state, context);
          return 'state' in next ? next : { state: next, id };
        },
        (before, { state }, found, now) => {
          const old = verb === 'create' ? null : describeSubject(before, subject(found));
          const fresh = verb === 'delete' ? null : describeSubject(state, subject(found));
          const members = changedMembers(old, fresh);
          const audit = { at: now, actor: caller.name, call, subjectId: found, ...members };
          const changed = old === null || fresh === null ? [] : Object.keys(members.after ?? {});
          // The noun decides the representation, and each method below names the one of its noun.
          return {
            answer: (fresh ?? old) as T,
            audit,
            applied: { call, id: found, by: caller.name, changed },
          };
        },
      );
    }

    const automatic = (cause: string, edit: (state: PageState, context: EditContext) => PageState) =>
      change<void>(
        null,
        cause,
        (state, context) => ({ state: edit(state, context), id: '' }),
        () => ({
          answer: undefined,
          audit: null,
          applied: { call: `${cause}.run`, id: null, by: cause, changed: [] },
        }),
      );

    return {
      ...createStatusReads(repository, clock),
      ...subscriberCalls(caller),
      by: calls,
      updatePage: (input) =>
        edited('page', 'update', '', (state) => ({ state: updatePage(state, input), id: state.page.id })),
      createComponent: (input) =>
        edited('component', 'create', '', (state, context) => createComponent(state, input, context)),
      updateComponent: (id, input) =>
        edited('component', 'update', id, (state) => updateComponent(state, id, input)),
      deleteComponent: async (id) => {
        await edited('component', 'delete', id, (state) => deleteComponent(state, id));
      },
      createGroup: (input) =>
        edited('group', 'create', '', (state, context) => createGroup(state, input, context)),
      updateGroup: (id, input) => edited('group', 'update', id, (state) => updateGroup(state, id, input)),
      deleteGroup: (id) => edited('group', 'delete', id, (state) => deleteGroup(state, id)),
      createIncident: (input) =>
        edited('incident', 'create', '', (state, context) => createIncident(state, input, context)),
      updateIncident: (id, input) =>
        edited('incident', 'update', id, (state, context) => updateIncident(state, id, input, context)),
      deleteIncident: (id) => edited('incident', 'delete', id, (state) => withoutIncident(state, id)),
      editIncidentUpdate: (incidentId, updateId, input) =>
        edited(
          'update',
          'update',
          updateId,
          (state, context) => editIncidentUpdate(state, incidentId, updateId, input, context),
          incidentId,
        ),
      writePostmortem: (id, input) =>
        edited('postmortem', 'write', id, (state, context) => writePostmortem(state, id, input, context)),
      publishPostmortem: (id, input) =>
        edited('postmortem', 'publish', id, (state, context) => publishPostmortem(state, id, input, context)),
      revertPostmortem: (id) => edited('postmortem', 'revert', id, (state) => revertPostmortem(state, id)),
      deletePostmortem: async (id) => {
        await edited('postmortem', 'delete', id, (state) => deletePostmortem(state, id));
      },
      async runMaintenanceSchedule() {
        // Nearly always nothing is due: that is found without the write lock.
        const state = await repository.read(null);
        const time = createZonedTime(state.page.timeZone);
        const isIdle = runMaintenanceSchedule(state, { now: clock.now(), newId, texts, time }) === state;
        if (!isIdle) await automatic('schedule', runMaintenanceSchedule);
      },
      setMonitorStatuses: (statuses) => automatic('monitor', (state) => setMonitorStatuses(state, statuses)),
      setProbeStatuses: (statuses) =>
        automatic('monitor', (state) => setMonitorStatuses(state, byComponent(state, statuses))),
      async nameProbed(names) {
        // As above: names change once in months.
        const state = await repository.read(null);
        if (nameProbed(state, names) !== state) {
          await automatic('monitor', (current) => nameProbed(current, names));
        }
      },
    };
  }

  return calls(UNNAMED);
}

interface Committed<T> {
  readonly answer: T;
  /** Null when nothing changed. */
  readonly applied: AppliedChange | null;
}

/** What is answered and recorded of a change; nothing is recorded when nothing changed. */
interface Judgement<T> {
  readonly answer: T;
  readonly audit: AuditEntry | null;
  readonly applied: Omit<AppliedChange, 'revision'>;
}
