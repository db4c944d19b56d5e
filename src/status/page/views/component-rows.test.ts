import { describe, expect, test } from 'vitest';
import { printHtml } from '../../../pages/html.ts';
import { blankComponent } from '../../edits/edited-state.ts';
import type { Component, PageState } from '../../model/page-state.ts';
import { createZonedTime } from '../../rules/zoned-time.ts';
import { lastDays } from '../../uptime/status-history.ts';
import { pageFrame } from '../page-site.ts';
import { renderComponents } from '../rendering/render-components.ts';
import { componentRows } from './component-rows.ts';

const time = createZonedTime('Etc/UTC');
const NOW = Date.parse('2026-03-02T12:00:00Z');
const DAY_MS = 86_400_000;
const days = lastDays(time, NOW, 2);
const blank = blankComponent({ now: 0, newId: () => '', texts: {} as never, time });
const aComponent = (id: string, more: Partial<Component> = {}): Component => ({
  ...blank,
  id,
  name: id,
  ...more,
});
const created = (componentId: string) => ({ componentId, to: 'operational', at: NOW - 10 * DAY_MS }) as const;

function rowsOf(...components: Component[]) {
  const state: PageState = { page: {} as never, components, incidents: [] };
  const outage = { componentId: 'broken', to: 'major_outage', at: NOW - DAY_MS } as const;
  const events = components
    .map(({ id }) => created(id))
    .flatMap((event) => (event.componentId === 'broken' ? [event, outage] : [event]));
  return componentRows(state, { events, days, now: NOW });
}

const print = (rows: ReturnType<typeof rowsOf>) => {
  const frame = pageFrame({ base: '', root: '', version: '' }, { timeZone: 'Etc/UTC' } as never, NOW);
  return printHtml(
    renderComponents(
      rows,
      days.map(({ date }) => date),
      frame,
    ),
  );
};

describe('componentRows', () => {
  test('come in page order, with the children in their group', () => {
    const rows = rowsOf(
      aComponent('b', { position: 2 }),
      aComponent('child', { groupId: 'group' }),
      aComponent('group', { group: true, position: 1 }),
    );
    expect(rows).toMatchObject([{ id: 'group', children: [{ id: 'child' }] }, { id: 'b' }]);
  });

  test('what only shows when degraded is left out while it works, and an empty group with it', () => {
    const quiet = { onlyShowIfDegraded: true, groupId: 'group' };
    const group = aComponent('group', { group: true });
    expect(rowsOf(group, aComponent('a', quiet))).toEqual([]);
    const slow = aComponent('a', { ...quiet, manualStatus: 'degraded_performance' });
    expect(rowsOf(group, slow)).toMatchObject([{ status: 'degraded_performance', children: [{ id: 'a' }] }]);
  });

  test('only showcased components have a bar', () => {
    const [shown, plain] = rowsOf(
      aComponent('a', { position: 1 }),
      aComponent('b', { position: 2, showcase: false }),
    );
    expect(shown).toMatchObject({ bar: { days: ['operational', 'operational'], uptime: '100' } });
    expect(plain).toMatchObject({ bar: null });
  });

  test('the uptime of a group is the mean of its components, its status the worst of them', () => {
    const rows = rowsOf(
      aComponent('group', { group: true }),
      aComponent('fine', { groupId: 'group' }),
      aComponent('broken', { groupId: 'group', manualStatus: 'major_outage' }),
    );
    // The bars begin 36 hours ago, 24 of which were an outage.
    expect(rows).toMatchObject([{ uptime: '66.66', status: 'major_outage' }]);
  });
});

describe('renderComponents', () => {
  test('groups are folded unless something is wrong in them', () => {
    const group = aComponent('group', { group: true });
    expect(print(rowsOf(group, aComponent('fine', { groupId: 'group' })))).toContain(
      '<details class="group">',
    );
    const broken = aComponent('broken', { groupId: 'group', manualStatus: 'major_outage' });
    expect(print(rowsOf(group, broken))).toContain('<details class="group" open>');
  });

  test('a component shows name, description, state in words, uptime and the way to its days', () => {
    const printed = print(
      rowsOf(aComponent('broken', { description: 'What it is for', manualStatus: 'major_outage' })),
    );
    for (const part of [
      '>broken<',
      '>What it is for<',
      'Major outage',
      '33.33 % uptime',
      'href="/uptime?component=broken"',
    ]) {
      expect(printed).toContain(part);
    }
  });

  test('says since when it is measured, where that is less than the bar shows', () => {
    const young = (at: number) => [{ componentId: 'young', to: 'operational', at }] as const;
    const state: PageState = { page: {} as never, components: [aComponent('young')], incidents: [] };
    const printed = (at: number) => print(componentRows(state, { events: young(at), days, now: NOW }));
    expect(printed(NOW - 10 * DAY_MS)).not.toContain('uptime since');
    expect(printed(NOW - DAY_MS)).toContain(
      '100 % uptime since <time datetime="2026-03-01">Mar 1, 2026</time>',
    );
    expect(printed(NOW - 3_600_000)).toMatch(/uptime since <time [^>]*>Mar 2, 2026, 11:00 UTC</);
  });

  test('today is told of as it is so far', () => {
    expect(print(rowsOf(aComponent('broken')))).toContain('Mar 2, today so far: Major outage 12 h');
  });
});
