import { describe, expect, onTestFinished, test } from 'vitest';
import { openStatusArea } from '../../test/kit/status/open-status-area.ts';
import type { Input } from './rules/input-members.ts';

async function open() {
  const opened = await openStatusArea();
  onTestFinished(() => opened.close());
  const { service, repository } = opened.area;
  const leaf = async (name: string, members: Input = {}) =>
    (await service.createComponent({ name, ...members })).id;
  const places = async () =>
    Object.fromEntries(
      (await repository.read(null)).components.map(({ name, groupId, position }) => [
        name,
        [groupId, position],
      ]),
    );
  const pageUpdatedAt = async () => (await repository.read(null)).page.updatedAt;
  return { ...opened, service, repository, leaf, places, pageUpdatedAt };
}

describe('writing components', () => {
  test('reads the values that web forms send', async () => {
    const { service } = await open();
    const form = {
      name: ' API ',
      showcase: 'false',
      only_show_if_degraded: '1',
      start_date: '',
      group_id: '',
    };
    expect(await service.createComponent(form)).toMatchObject({
      name: 'API',
      showcase: false,
      only_show_if_degraded: true,
      start_date: null,
      group_id: null,
    });
  });

  test('a start date may be any time, of which it is the day in UTC', async () => {
    const { service } = await open();
    const call = { name: 'A', start_date: '2026-03-02T00:30:00+01:00' };
    expect((await service.createComponent(call)).start_date).toBe('2026-03-01');
  });

  test.each<[Input, readonly string[]]>([
    [{ name: null }, ["Name can't be blank"]],
    [{ name: 'é'.repeat(256) }, ['Name is too long (maximum is 255 characters)']],
    [{ name: 'A', start_date: '2026-02-30' }, ['Start date is invalid']],
    [{ name: 'A', showcase: 'perhaps' }, ['Showcase is invalid']],
    [{ name: 'A', description: { text: 'x' } }, ['Description is invalid']],
    [
      { name: '', status: 'up', group_id: 'nope', showcase: 7 },
      [
        "Name can't be blank",
        'Status is not included in the list',
        'Group is invalid',
        'Showcase is invalid',
      ],
    ],
  ])('refuses %j', async (input, problems) => {
    const { service, repository } = await open();
    await expect(service.createComponent(input)).rejects.toMatchObject({
      code: 'status_validation',
      problems,
    });
    expect((await repository.read(null)).components).toEqual([]);
  });

  test('255 characters outside the basic plane are a valid name', async () => {
    const { service } = await open();
    await expect(service.createComponent({ name: '🙂'.repeat(255) })).resolves.toBeDefined();
  });

  test('half a surrogate pair is replaced before it is stored, so a repeated call finds it', async () => {
    const { service, clock } = await open();
    const texts = { name: 'A\ud83d', description: '\ude42' };
    const created = await service.createComponent(texts);
    expect(created).toMatchObject({ name: 'A\ufffd', description: '\ufffd' });
    expect(await service.readComponent(created.id)).toEqual(created);
    clock.advance(1000);
    expect(await service.updateComponent(created.id, texts)).toEqual(created);
  });

  test('a component that changes its group goes to the end there', async () => {
    const { service, leaf, places } = await open();
    const [a, b, c] = [await leaf('a'), await leaf('b'), await leaf('c')];
    const group = await service.createGroup({ name: 'g', components: [a, b] });
    await service.updateComponent(c, { group_id: group.id });
    expect(await places()).toEqual({ a: [group.id, 1], b: [group.id, 2], c: [group.id, 3], g: [null, 4] });
  });

  test('groups do not nest and have no status of their own', async () => {
    const { service, leaf } = await open();
    const first = await service.createGroup({ name: 'first', components: [await leaf('a')] });
    const second = await service.createGroup({ name: 'second', components: [await leaf('b')] });
    await expect(
      service.updateComponent(second.id, { group_id: first.id, status: 'operational' }),
    ).rejects.toMatchObject({ problems: ['Group is invalid', 'Status of a group cannot be set'] });
    await expect(service.createGroup({ name: 'third', components: [first.id] })).rejects.toMatchObject({
      problems: ['Components is invalid'],
    });
  });

  test('a list of children replaces the group; who is left out goes to the end of the top level', async () => {
    const { service, leaf, places, clock, pageUpdatedAt } = await open();
    const [a, b, c] = [await leaf('a'), await leaf('b'), await leaf('c')];
    const { id } = await service.createGroup({ name: 'g', components: [a, b] });
    clock.advance(1000);
    await service.updateGroup(id, { components: [c, b] });
    expect(await places()).toEqual({ a: [null, 5], b: [id, 2], c: [id, 1], g: [null, 4] });
    const moved = await pageUpdatedAt();
    clock.advance(1000);
    await service.updateGroup(id, { name: 'g', components: [c, b] });
    expect(await pageUpdatedAt()).toBe(moved);
    await expect(service.updateGroup(id, { components: [] })).rejects.toMatchObject({
      problems: ["Components can't be blank"],
    });
  });

  test('deleting a group by the path of components frees its children', async () => {
    const { service, leaf, places } = await open();
    const { id } = await service.createGroup({ name: 'g', components: [await leaf('a')] });
    await service.deleteComponent(id);
    expect(await places()).toEqual({ a: [null, 3] });
  });

  test('a change of the manual layer that nobody can see moves no timestamp', async () => {
    const { service, repository, leaf, clock, pageUpdatedAt } = await open();
    const id = await leaf('a');
    await service.setMonitorStatuses(new Map([[id, 'major_outage']]));
    const before = await pageUpdatedAt();
    clock.advance(1000);
    const answer = await service.updateComponent(id, { status: 'degraded_performance' });
    expect(answer.status).toBe('major_outage');
    expect(await pageUpdatedAt()).toBe(before);
    const [component] = (await repository.read(null)).components;
    expect(component).toMatchObject({ manualStatus: 'degraded_performance', updatedAt: before });
  });

  test('results of probes whose component is gone are ignored', async () => {
    const { service, leaf, repository } = await open();
    await leaf('a');
    const before = await repository.read(null);
    await service.setMonitorStatuses(new Map([['zzzzzzzzzzzz', 'major_outage']]));
    expect(await repository.read(null)).toEqual(before);
  });

  test('unknown ids are named by kind', async () => {
    const { service } = await open();
    await expect(service.readComponent('x')).rejects.toThrow('Component not found');
    await expect(service.updateGroup('x', {})).rejects.toThrow('Component group not found');
    await expect(service.deleteIncident('x')).rejects.toThrow('Incident not found');
  });
});
