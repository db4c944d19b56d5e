import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type OpenStatusArea, openStatusArea } from '../../../../test/kit/status/open-status-area.ts';
import { createPageContents } from '../page-content.ts';

const SITE = { base: '/status', root: '', version: '1.0.0' };

let opened: OpenStatusArea;

beforeEach(async () => {
  opened = await openStatusArea();
});

afterEach(() => opened.close());

const text = () => createPageContents(opened.area.repository).text(SITE, opened.clock.now());

describe('renderText', () => {
  test('tells the state, the components and what is open', async () => {
    const { service } = opened.area;
    const group = await service.createComponent({ name: 'Reads' });
    const second = await service.createComponent({ name: 'Writes' });
    await service.createGroup({ name: 'API', components: [second.id] });
    await service.createIncident({ name: 'Reads fail', components: { [group.id]: 'major_outage' } });
    opened.clock.advance(60_000);
    expect(await text()).toBe(
      [
        'Ledgerlens: Partial System Outage',
        'Updated Mar 2, 2026, 09:00 UTC, 1 of 2 components operational',
        'Components:',
        '  Reads: Major outage, 0.00 % uptime',
        '  API - Writes: Operational, 100 % uptime',
        'Current incidents:',
        '  Reads fail (Investigating), since Mar 2, 2026, 09:00 UTC',
        'https://status.example.org',
        '',
      ].join('\n'),
    );
  });

  test('never has more than twenty lines, and names what does not work first', async () => {
    const { service } = opened.area;
    for (let index = 0; index < 9; index += 1) await service.createComponent({ name: `Part ${index}` });
    const last = await service.createComponent({ name: 'Last' });
    for (let index = 0; index < 5; index += 1) {
      await service.createIncident({
        name: `Incident ${index}`,
        components: { [last.id]: 'partial_outage' },
      });
      const plan = { status: 'scheduled', scheduled_for: '2026-03-03', scheduled_until: '2026-03-04' };
      await service.createIncident({ ...plan, name: `Plan ${index}` });
      const { id } = await service.createIncident({ ...plan, name: `Run ${index}` });
      await service.updateIncident(id, { status: 'in_progress' });
    }
    const lines = (await text()).trimEnd().split('\n');
    expect(lines).toHaveLength(20);
    expect(lines[3]).toMatch(/^ {2}Last: Partial outage/);
    expect(lines.filter((line) => line.startsWith('  and '))).toEqual([
      '  and 5 more',
      '  and 3 more',
      '  and 4 more',
      '  and 4 more',
    ]);
    expect(lines.at(-1)).toBe('https://status.example.org');
  });

  test('lets no name steer a terminal or break a line', async () => {
    await opened.area.service.createComponent({ name: 'A\u001b[31m\u009b\r\nB\u202e' });
    expect(await text()).toContain('  A [31m B : Operational');
  });
});
