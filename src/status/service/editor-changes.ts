import type { EditContext } from '../edits/edit-context.ts';
import type { Caller } from '../model/changes.ts';
import type { PageState } from '../model/page-state.ts';
import { requireUnmodified } from '../rules/require-unmodified.ts';
import type { Change, ChangeReport, Edited } from './apply-change.ts';
import { changedMembers } from './changed-members.ts';
import type { Subject } from './subjects.ts';

/** A change of something that there is; its result is the next state. */
type Edit = (before: PageState, context: EditContext) => PageState;

/** How an editor creates, changes and deletes; each answers with the subject as the management API shows it. */
interface EditorChanges {
  creating<T extends object>(
    subject: Subject<T>,
    edit: (before: PageState, context: EditContext) => Edited,
  ): Change<T>;
  /** @param id null for the page, which is there once. */
  changing<T extends object>(subject: Subject<T>, verb: Verb, id: string | null, edit: Edit): Change<T>;
  /** Answers with the subject as it was. */
  deleting<T extends object>(subject: Subject<T>, id: string, edit: Edit): Change<T>;
}

type Verb = 'update' | 'write' | 'publish' | 'revert';

/**
 * The changes of one caller: what exists is changed on the caller's condition, and every change is audited under its
 * name.
 *
 * @throws StatusConflictError from edits that the condition refuses.
 */
export function editorChanges({ name, unmodifiedSince = null }: Caller): EditorChanges {
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
    creating: (subject, edit) => ({
      incidentId: null,
      cause: subject.cause,
      edit,
      report(_, after, id, now) {
        const created = subject.describe(after, id);
        return report(`${subject.noun}.create`, id, now, { before: null, after: created, answer: created });
      },
    }),
    changing: (subject, verb, id, edit) => ({
      incidentId: id === null ? null : subject.incidentOf(id),
      cause: subject.cause,
      edit: onCondition(subject, id, edit),
      report(old, next, found, now) {
        const before = subject.isThere(old, found) ? subject.describe(old, found) : null;
        const after = subject.describe(next, found);
        return report(`${subject.noun}.${verb}`, found, now, { before, after, answer: after });
      },
    }),
    deleting: (subject, id, edit) => ({
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
