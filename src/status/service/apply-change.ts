import type { Clock } from '../../values/clock.ts';
import { describePage } from '../documents/describe-page.ts';
import { managedIncident } from '../documents/managed-representation.ts';
import { pageStatus } from '../documents/public-documents.ts';
import type { EditContext } from '../edits/edit-context.ts';
import { settleChange } from '../edits/settle-change.ts';
import type { AppliedChange, AuditEntry, Notice, StatusChanges } from '../model/changes.ts';
import type { PageState } from '../model/page-state.ts';
import type { UpdateTexts } from '../rules/default-texts.ts';
import { createZonedTime } from '../rules/zoned-time.ts';
import type { StatusRepository } from '../store/status-repository.ts';

/** The page after an edit, and what the edit was about. */
export interface Edited {
  readonly state: PageState;
  readonly id: string;
}

/** One change of the page, as data. */
export interface Change<T> {
  /** The incident that it is about, which is read beside the open ones; null: none. */
  readonly incidentId: string | null;
  /** Decides, purely. It throws to refuse; then nothing is stored. */
  readonly edit: (before: PageState, context: EditContext) => Edited;
  /** What the events of components name as their cause. */
  readonly cause: (id: string) => string;
  /** Says what is answered and recorded; nothing is recorded when nothing changed. */
  readonly report: (before: PageState, after: PageState, id: string, now: number) => ChangeReport<T>;
}

/** What is answered and recorded of a change. */
export interface ChangeReport<T> {
  readonly answer: T;
  /** Null: not to be audited. */
  readonly audit: AuditEntry | null;
  /** For the log. */
  readonly applied: Omit<AppliedChange, 'revision'>;
}

/** What changes are applied with. */
export interface ApplyChangeParts {
  readonly repository: Pick<StatusRepository, 'change'>;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly texts: UpdateTexts;
  /** Awaited after each commit and before the answer, so that the next read shows the change. */
  readonly onChanged: (change: AppliedChange) => Promise<void>;
}

type ApplyChange = <T>(change: Change<T>) => Promise<T>;

interface Result<T> {
  readonly answer: T;
  /** Null when nothing changed. */
  readonly applied: AppliedChange | null;
}

/**
 * The order of every change: the repository reads the state, the edit decides, its consequences are settled, the
 * repository stores them, and what was stored is announced.
 *
 * The repository decides once more when somebody else was faster, so everything before the storing is pure but for
 * the clock and the ids.
 */
export function createApplyChange(parts: ApplyChangeParts): ApplyChange {
  const { repository, clock, newId, texts, onChanged } = parts;
  return async <T>({ incidentId, edit, cause, report }: Change<T>): Promise<T> => {
    const { answer, applied } = await repository.change<Result<T>>(incidentId, (before) => {
      // Read after the state, so that later commits never carry earlier instants.
      const now = clock.now();
      const time = createZonedTime(before.page.timeZone);
      const { state, id } = edit(before, { now, newId, texts, time });
      const { state: after, changes } = settleChange(before, state, now, cause(id));
      const { answer, audit, applied } = report(before, after, id, now);
      if (changes === null) return { changes, result: { answer, applied: null } };
      const notices = noticesOf(after, changes, { now, newId });
      const { revision } = after.page;
      return { changes, audit, notices, result: { answer, applied: { ...applied, revision } } };
    });
    if (applied !== null) await onChanged(applied);
    return answer;
  };
}

/**
 * The notices of a change, in the order of its rows: updates first, then components.
 *
 * `deliver_notifications: false` of a call silences everything that the call did; what is backfilled is no news.
 *
 * @param state as it is after the change.
 * @see contracts/status.md section 11
 */
function noticesOf(
  state: PageState,
  changes: StatusChanges,
  context: { readonly now: number; readonly newId: () => string },
): readonly Notice[] {
  const isSilent =
    changes.newUpdates.length > 0 && changes.newUpdates.every(({ update }) => !update.deliverNotifications);
  if (isSilent) return [];
  const { id, updatedAt: _ } = changes.page;
  const overall = pageStatus(state);
  const page = { id, status_indicator: overall.indicator, status_description: overall.description };
  const backfilled = new Set(state.incidents.filter((each) => each.backfilled).map((each) => each.id));
  const news = { at: context.now, generatedAt: createZonedTime(changes.page.timeZone).print(context.now) };

  const incidents = changes.newUpdates
    .filter(({ incidentId, update }) => update.deliverNotifications && !backfilled.has(incidentId))
    .map(({ incidentId }): Notice => {
      const payload = { page, incident: managedIncident(state, incidentId) };
      return { id: context.newId(), kind: 'incident', subjectId: incidentId, ...news, payload };
    });
  const moved = changes.events.filter(({ from }) => from !== null);
  if (moved.length === 0) return incidents;
  const { components, time } = describePage(state);
  const components_ = moved.map(({ componentId, from, to, at }): Notice => {
    const component_update = {
      id: context.newId(),
      component_id: componentId,
      old_status: from,
      new_status: to,
      created_at: time.print(at),
      component_type: 'Component',
    };
    const component = components.find((each) => each.id === componentId);
    const payload = { page, component, component_update };
    return { id: component_update.id, kind: 'component', subjectId: componentId, ...news, payload };
  });
  return [...incidents, ...components_];
}
