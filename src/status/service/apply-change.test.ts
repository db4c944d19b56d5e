import { describe, expect, test } from 'vitest';
import { openPage } from '../edits/open-page.ts';
import type { AppliedChange } from '../model/changes.ts';
import type { PageState } from '../model/page-state.ts';
import { DEFAULT_TEXTS } from '../rules/default-texts.ts';
import type { Decision, StatusRepository } from '../store/status-repository.ts';
import { type Change, createApplyChange } from './apply-change.ts';

/** A repository that finds another state at each decision, as when somebody else was faster; it stores the last one. */
function harness(names: readonly string[]) {
  let now = Date.parse('2026-03-02T09:00:00.000Z');
  const newId = () => 'abcdefghjkmn';
  const settings = { id: null, name: '', url: 'https://status.example.org', timeZone: 'Etc/UTC' };
  const page = openPage(null, settings, { now, newId })?.page;
  if (page === undefined) throw new Error('An absent page is always made');
  const steps: string[] = [];
  const stored: Decision<unknown>[] = [];
  const repository: Pick<StatusRepository, 'change'> = {
    async change<T>(_: string | null, decide: (state: PageState) => Decision<T>): Promise<T> {
      let last: Decision<T> | undefined;
      for (const name of names) {
        steps.push(`read ${name}`);
        last = decide({ page: { ...page, name }, components: [], incidents: [] });
      }
      if (last === undefined) throw new Error('The test names no state');
      if (last.changes !== null) {
        steps.push('store');
        stored.push(last);
      }
      return last.result;
    },
  };
  const announced: AppliedChange[] = [];
  const apply = createApplyChange({
    repository,
    clock: { now: () => ++now },
    newId,
    texts: DEFAULT_TEXTS,
    async onChanged(change) {
      steps.push('announce');
      announced.push(change);
    },
  });
  return { apply, steps, stored, announced };
}

/** Renames the page; the answer is its name before and after. */
function renaming(name: string): Change<readonly [string, string]> {
  return {
    incidentId: null,
    cause: () => 'test',
    edit: (before) => ({ state: { ...before, page: { ...before.page, name } }, id: before.page.id }),
    report: (before, after, id, at) => ({
      answer: [before.page.name, after.page.name],
      audit: { at, actor: 'somebody', call: 'page.update', subjectId: id, before: null, after: null },
      applied: { call: 'page.update', id, by: 'somebody', changed: ['name'] },
    }),
  };
}

describe('a change', () => {
  test('is read, decided, stored and announced, in this order', async () => {
    const { apply, steps, announced } = harness(['Old']);
    expect(await apply(renaming('New'))).toEqual(['Old', 'New']);
    expect(steps).toEqual(['read Old', 'store', 'announce']);
    expect(announced).toMatchObject([{ call: 'page.update', changed: ['name'] }]);
  });

  test('is decided anew on the state that it replaces, and answers and audits that decision alone', async () => {
    const { apply, steps, stored, announced } = harness(['Old', 'Older']);
    expect(await apply(renaming('New'))).toEqual(['Older', 'New']);
    expect(steps).toEqual(['read Old', 'read Older', 'store', 'announce']);
    const [{ audit, changes } = {}] = stored;
    expect(audit?.at).toBe(changes?.page.updatedAt);
    expect(announced).toMatchObject([{ revision: changes?.page.revision }]);
  });

  test('that makes no difference is answered, and neither stored nor announced', async () => {
    const { apply, steps } = harness(['Same']);
    expect(await apply(renaming('Same'))).toEqual(['Same', 'Same']);
    expect(steps).toEqual(['read Same']);
  });

  test('that is refused is neither stored nor announced', async () => {
    const { apply, steps } = harness(['Old']);
    const refused: Change<never> = {
      ...renaming('New'),
      edit: () => {
        throw new Error('refused');
      },
      report: () => {
        throw new Error('never reached');
      },
    };
    await expect(apply(refused)).rejects.toThrow('refused');
    expect(steps).toEqual(['read Old']);
  });
});
