import { describe, expect, onTestFinished, test } from 'vitest';
import { settleChange } from '../edits/settle-change.ts';
import type { PageState } from '../model/page-state.ts';
import { beganAt } from '../page/views/incident-view.ts';
import { createBusyStatusPage } from '../testing/busy-page.ts';
import { openStatusArea, START } from '../testing/open-status-area.ts';

async function open() {
  const opened = await openStatusArea();
  onTestFinished(() => opened.close());
  const page = await createBusyStatusPage(opened.area);
  return { ...opened, page, repository: opened.area.repository };
}

const settle = (before: PageState, after: PageState) => ({
  changes: settleChange(before, after, START + 5000, 'test').changes,
  result: undefined,
});

describe('status repository', () => {
  test('what is written is read back the same', async () => {
    const { repository, page } = await open();
    const read = await repository.read(page.openIncidentId);
    const changed: PageState = {
      ...read,
      page: { ...read.page, description: 'About', supportUrl: 'https://help.example.org', allowFeeds: false },
      incidents: read.incidents.map((incident) => ({
        ...incident,
        metadata: { team: { name: 'ops' } },
        postmortem: { ...incident.postmortem, body: 'Why', bodyUpdatedAt: START, ignored: true },
      })),
    };
    const settled = settleChange(read, changed, START + 5000, 'test');
    await repository.change(null, () => ({ changes: settled.changes, result: undefined }));
    expect(await repository.read(null)).toEqual(settled.state);
  });

  test('a decision that throws leaves no trace', async () => {
    const { repository } = await open();
    const before = await repository.read(null);
    const failure = repository.change(null, () => {
      throw new Error('refused');
    });
    await expect(failure).rejects.toThrow('refused');
    expect(await repository.read(null)).toEqual(before);
  });

  test('a write that fails half-way leaves no trace', async () => {
    const { repository } = await open();
    const before = await repository.read(null);
    const failure = repository.change(null, (state) => {
      const [first, second] = state.components;
      if (first === undefined || second === undefined) throw new Error('no components');
      const twin = { ...first, id: 'bbbbbbbbbbbb' };
      const { changes } = settleChange(
        state,
        { ...state, components: [...state.components, twin] },
        1,
        'test',
      );
      // The second row has an id that exists: the first must go too.
      return { changes: changes && { ...changes, newComponents: [twin, second] }, result: undefined };
    });
    await expect(failure).rejects.toThrow(/UNIQUE/);
    expect(await repository.read(null)).toEqual(before);
  });

  test('reads the open incidents and the named one, the published ones also include closed ones', async () => {
    const { repository, page, area } = await open();
    const named = async (id: string | null) => (await repository.read(id)).incidents.map(({ name }) => name);
    expect(await named(null)).toEqual(['Open incident', 'Upcoming maintenance', 'Running maintenance']);
    await area.service.updateIncident(page.openIncidentId, { status: 'resolved' });
    expect(await named(null)).toEqual(['Upcoming maintenance', 'Running maintenance']);
    expect(await named(page.openIncidentId)).toContain('Open incident');
    expect((await repository.readPublished()).incidents).toHaveLength(5);
  });

  test('deleting a component takes it off closed incidents too and keeps their texts', async () => {
    const { repository, area, page } = await open();
    const [, second = ''] = page.componentIds;
    await area.service.deleteComponent(second);
    const incidents = (await repository.readPublished()).incidents;
    expect(incidents.some(({ componentIds }) => componentIds.includes(second))).toBe(false);
    const texts = incidents.flatMap(({ updates }) =>
      updates.flatMap((update) => update.affectedComponents ?? []),
    );
    expect(texts.some(({ code }) => code === second)).toBe(true);
  });

  test('every commit moves the revision, a change of nothing does not', async () => {
    const { repository } = await open();
    const revision = await repository.revision();
    await repository.change(null, (state) => settle(state, state));
    expect(await repository.revision()).toBe(revision);
    await repository.change(null, (state) =>
      settle(state, { ...state, page: { ...state.page, name: 'New' } }),
    );
    expect(await repository.revision()).toBe(revision + 1);
  });

  test('the past holds what began in a range, newest first, and maintenances when they are over', async () => {
    const { repository } = await open();
    const names = (entries: readonly { readonly name: string }[]) => entries.map(({ name }) => name);
    const all = { from: 0, to: START + 1 };
    const past = await repository.readPast(all, 100);
    expect(names(past)).toEqual(['Past incident', 'Open incident', 'Finished maintenance']);
    expect(past.map(beganAt)).toEqual([START, START, Date.parse('2020-01-01T00:00:00Z')]);
    const entries = await repository.readPastEntries(all);
    expect(entries).toEqual(past.map(({ id, name }) => expect.objectContaining({ id, name })));
    expect(entries.map(beganAt)).toEqual(past.map(beganAt));
    expect(await repository.readFirstBegan()).toBe(beganAt(past[2]!));
    expect(names(await repository.readPast(all, 1))).toEqual(['Past incident']);
    expect(await repository.readPast({ from: 0, to: START }, 100)).toHaveLength(1);
    expect(await repository.readPastEntries({ from: START, to: START + 1 })).toHaveLength(2);
  });
});
