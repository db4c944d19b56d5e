import { describe, expect, test } from 'vitest';
import { blankComponent } from '../../edits/edited-state.ts';
import type { Component, PageState } from '../../model/page-state.ts';
import { createZonedTime } from '../../rules/zoned-time.ts';
import { componentUptimes, uptimePage } from './uptime-view.ts';

const at = (text: string) => Date.parse(text);
const CONTEXT = { now: 0, newId: () => '', texts: {} as never, time: createZonedTime('Etc/UTC') };
const aComponent = (id: string, more: Partial<Component> = {}): Component => ({
  ...blankComponent(CONTEXT),
  id,
  name: id,
  ...more,
});
const stateOf = (...components: Component[]): PageState => ({ page: {} as never, components, incidents: [] });

describe('uptimePage', () => {
  test('lists what the status page lists, groups where they stand', () => {
    const state = stateOf(
      aComponent('last', { position: 3 }),
      aComponent('inner', { groupId: 'group' }),
      aComponent('group', { group: true, position: 2 }),
      aComponent('first', { position: 1 }),
      aComponent('plain', { showcase: false }),
      aComponent('hidden', { onlyShowIfDegraded: true }),
    );
    expect(uptimePage(state, null, 1).components.map(({ id }) => id)).toEqual(['first', 'inner', 'last']);
  });

  test('shows ten at a time, and nothing behind the last ones', () => {
    const state = stateOf(...Array.from({ length: 11 }, (_, index) => aComponent(`c${index}`)));
    expect(uptimePage(state, null, 1)).toMatchObject({ hasNext: true });
    expect(uptimePage(state, null, 2)).toMatchObject({ hasNext: false, components: [{ id: 'c10' }] });
    expect(() => uptimePage(state, null, 3)).toThrow('Not found');
    expect(uptimePage(stateOf(), null, 1).components).toEqual([]);
  });

  test('one component can be asked for, a group or an unknown one cannot', () => {
    const state = stateOf(aComponent('leaf', { showcase: false }), aComponent('group', { group: true }));
    expect(uptimePage(state, 'leaf', 1)).toMatchObject({ number: null, components: [{ id: 'leaf' }] });
    for (const id of ['group', 'nobody']) expect(() => uptimePage(state, id, 1)).toThrow('not found');
  });
});

describe('componentUptimes', () => {
  const leaf = aComponent('leaf');
  const NOW = at('2026-04-01T12:00:00Z');

  test('has whole months from the one in which the bars begin, up to today', () => {
    const [uptime] = componentUptimes([leaf], stateOf(leaf), [], CONTEXT.time, NOW);
    expect(uptime?.months.map(({ month, days }) => [month, days.length])).toEqual([
      ['2026-04', 1],
      ['2026-03', 31],
      ['2026-02', 28],
      ['2026-01', 31],
    ]);
    expect(uptime?.months.map((month) => month.uptime)).toEqual([null, null, null, null]);
  });

  test('measures days of 23 hours where the clock goes forward', () => {
    const berlin = createZonedTime('Europe/Berlin');
    const midnight = at('2026-03-28T23:00:00Z');
    const events = [
      { componentId: 'leaf', to: 'operational', at: at('2026-03-01T00:00:00Z') },
      { componentId: 'leaf', to: 'major_outage', at: midnight },
      { componentId: 'leaf', to: 'operational', at: midnight + 23 * 3_600_000 },
    ] as const;
    const [uptime] = componentUptimes([leaf], stateOf(leaf), events, berlin, NOW);
    const march = uptime?.months[1]?.days ?? [];
    expect(march[28]).toMatchObject({ date: '2026-03-29', status: 'major_outage' });
    expect(march[28]?.durations.major_outage).toBe(23 * 3_600_000);
    expect([march[27]?.status, march[29]?.status]).toEqual(['operational', 'operational']);
    expect(uptime?.months[1]?.uptime).toBe('96.90');
  });
});
