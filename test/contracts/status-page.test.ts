import { expect, test } from 'vitest';
import { settleChange } from '../../src/status/edits/settle-change.ts';
import type { PageState } from '../../src/status/model/page-state.ts';
import { beganAt } from '../../src/status/page/views/incident-view.ts';
import { createBusyStatusPage } from '../kit/status/busy-page.ts';
import { isLeftOut } from '../support/left-out.ts';
import { forEachBackend, NOT_SHARED } from './backends.ts';
import { START, statusAreaOn } from './status-area.ts';

const settle = (before: PageState, after: PageState) => ({
  changes: settleChange(before, after, START + 5000, 'test').changes,
  result: undefined,
});
const renamed = (state: PageState, name: string) =>
  settle(state, { ...state, page: { ...state.page, name } });

forEachBackend('the stored status page', (begin, { isShared }) => {
  async function open() {
    const database = begin();
    const store = await database.open();
    const area = await statusAreaOn(store);
    const page = await createBusyStatusPage(area);
    return { area, page, repository: store.status.page, open: database.open };
  }

  test('gives back what was written', async () => {
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
    expect(await repository.readPage()).toEqual(settled.state.page);
  });

  test('has no trace of a decision that throws', async () => {
    const { repository } = await open();
    const before = await repository.read(null);
    const failure = repository.change(null, () => {
      throw new Error('refused');
    });
    await expect(failure).rejects.toThrow('refused');
    expect(await repository.read(null)).toEqual(before);
  });

  test('has no trace of a write that fails half-way', async () => {
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
    await expect(failure).rejects.toThrow();
    expect(await repository.read(null)).toEqual(before);
    expect(await repository.hasComponent('bbbbbbbbbbbb')).toBe(false);
  });

  test('is read with its open incidents and the named one, published with closed ones', async () => {
    const { repository, page, area } = await open();
    const named = async (id: string | null) => (await repository.read(id)).incidents.map(({ name }) => name);
    expect(await named(null)).toEqual(['Open incident', 'Upcoming maintenance', 'Running maintenance']);
    await area.service.updateIncident(page.openIncidentId, { status: 'resolved' });
    expect(await named(null)).toEqual(['Upcoming maintenance', 'Running maintenance']);
    expect(await named(page.openIncidentId)).toContain('Open incident');
    expect((await repository.readPublished()).incidents).toHaveLength(5);
    expect([
      await repository.hasIncident(page.openIncidentId),
      await repository.hasIncident('nothing'),
    ]).toEqual([true, false]);
  });

  test('takes a deleted component off closed incidents too and keeps their texts', async () => {
    const { repository, area, page } = await open();
    const [, second = ''] = page.componentIds;
    expect(await repository.hasComponent(second)).toBe(true);
    await area.service.deleteComponent(second);
    expect(await repository.hasComponent(second)).toBe(false);
    const { incidents } = await repository.readPublished();
    expect(incidents.some(({ componentIds }) => componentIds.includes(second))).toBe(false);
    const texts = incidents.flatMap(({ updates }) =>
      updates.flatMap((update) => update.affectedComponents ?? []),
    );
    expect(texts.some(({ code }) => code === second)).toBe(true);
  });

  test('moves its revision with every commit, not with a change of nothing', async () => {
    const { repository } = await open();
    const revision = await repository.revision();
    await repository.change(null, (state) => settle(state, state));
    expect(await repository.revision()).toBe(revision);
    await repository.change(null, (state) => renamed(state, 'New'));
    expect(await repository.revision()).toBe(revision + 1);
  });

  test('holds in its past what began in a range, newest first, and maintenances when they are over', async () => {
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

  test('finds incidents by a text in any letter case, newest first', async () => {
    const { repository } = await open();
    const found = async (search: string, offset = 0) =>
      (await repository.readHistory(search, { offset, limit: 10 })).incidents.map(({ name }) => name);
    expect(await found('MAINTENANCE')).toHaveLength(3);
    expect(await found('the CAUSE is known')).toEqual(['Open incident']);
    expect(await found('%')).toEqual([]);
    expect(await found('', 1)).toHaveLength(4);
  });

  test('tells when statuses changed, and what was down', async () => {
    const { repository, page } = await open();
    const events = await repository.readEvents(0);
    expect(events.length).toBeGreaterThan(page.componentIds.length);
    const last = await repository.readLastEvents();
    expect([...last.keys()].sort()).toEqual([...page.componentIds].sort());
    await repository.beat(START + 1000);
    const downtime = { from: START + 1000, to: START + 9000 };
    await repository.beginRun(START + 9000, (_state, { lastBeat, lastEvents }) => {
      expect([lastBeat, lastEvents.size]).toEqual([START + 1000, last.size]);
      return { changes: null, downtime };
    });
    expect(await repository.readDowntimes(START, START + 10_000)).toEqual([downtime]);
    expect(await repository.readDowntimes(START + 9001, START + 10_000)).toEqual([]);
    const [first = ''] = page.componentIds;
    expect(await repository.readRelatedIncidents([first], { from: 0, to: START + 1 })).toEqual([
      page.openIncidentId,
    ]);
  });

  test('records who changed it, and hands on what subscribers are to be told', async () => {
    const { repository, area } = await open();
    await area.service.createSubscriber({ endpoint: 'https://a.example.org/' });
    const [newest] = await repository.readAudit({ offset: 0, limit: 1 });
    expect(JSON.stringify(newest)).toContain('subscriber');
    const [first, ...others] = await repository.readNotices(0, 100);
    expect(others.length).toBeGreaterThan(0);
    expect(await repository.readNotices(first?.sequence ?? 0, 1)).toEqual([others[0]]);
    expect(await repository.readNotices(others.at(-1)?.sequence ?? 0, 1)).toEqual([]);
  });

  test('tells a start which parts no start knew before', async () => {
    const { repository } = await open();
    const told: (readonly string[])[] = [];
    const decide = (_state: PageState, fresh: readonly string[]) => {
      told.push(fresh);
      return null;
    };
    await repository.setUp(['one', 'two'], decide);
    await repository.setUp(['two', 'three'], decide);
    expect(told).toEqual([['one', 'two'], ['three']]);
  });

  test.skipIf(isLeftOut(isShared ? null : NOT_SHARED))(
    'is one for all processes: no change of one undoes that of another',
    async () => {
      const { repository, open: again } = await open();
      const other = (await again()).status.page;
      const revision = await other.revision();
      await repository.change(null, (state) => renamed(state, 'First'));
      expect(await other.revision()).toBe(revision + 1);
      await other.change(null, (state) => {
        expect(state.page.name).toBe('First');
        return settle(state, { ...state, page: { ...state.page, description: 'Second' } });
      });
      expect(await repository.readPage()).toMatchObject({ name: 'First', description: 'Second' });
    },
  );
});
