import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { manageApp } from '../../../test/kit/status/manage-app.ts';
import { type OpenStatusArea, openStatusArea } from '../../../test/kit/status/open-status-area.ts';
import { visibleText } from '../../../test/kit/status/page-outline.ts';

let opened: OpenStatusArea;
let app: FastifyInstance;

beforeEach(async () => {
  opened = await openStatusArea();
  app = await manageApp(opened.area);
  await opened.area.service.createComponent({ name: 'Reads' });
});

afterEach(async () => {
  await app.close();
  await opened.close();
});

const page = async () => (await app.inject({ url: '/status', headers: { accept: 'text/html' } })).body;
const text = async () => (await app.inject({ url: '/status', headers: { accept: 'text/plain' } })).body;
const status = async () => (await app.inject('/api/v2/status.json')).json().status;

describe('an open incident without components', () => {
  test.each([
    [undefined, 'Open Incident', 'degraded'],
    ['none', 'Open Incident', 'degraded'],
    ['minor', 'Open Incident: Minor impact', 'degraded'],
    ['major', 'Open Incident: Major impact', 'partial'],
    ['critical', 'Open Incident: Critical impact', 'major'],
  ])('of impact %s is what the page and its text form say first', async (impact, heading, mark) => {
    const members = impact === undefined ? {} : { impact_override: impact };
    await opened.area.service.createIncident({ name: 'Logs are late', ...members });
    expect(await page()).toContain(`<div class="banner is-${mark}" role="status">`);
    expect(visibleText((await page()).match(/<h1>.*?<\/h1>/)?.[0] ?? '')).toBe(heading);
    expect(await page()).toContain(`<title>${heading} – Ledgerlens</title>`);
    expect(await page()).not.toContain('All Systems Operational');
    expect(await page()).not.toContain('class="card is-operational"');
    expect(await text()).toContain(`Ledgerlens: ${heading}\n`);
  });

  test('leaves the indicator of the API to the components, as the contract has it', async () => {
    await opened.area.service.createIncident({ name: 'Logs are late', impact_override: 'critical' });
    expect(await status()).toEqual({ indicator: 'none', description: 'All Systems Operational' });
    const summary = (await app.inject('/api/v2/summary.json')).json();
    expect([summary.status.indicator, summary.incidents[0].impact]).toEqual(['none', 'critical']);
  });

  test.each(['/status/history.rss', '/status/history.atom'])('stands in %s', async (url) => {
    await opened.area.service.createIncident({ name: 'Logs are late' });
    expect((await app.inject(url)).body).toContain('Logs are late');
  });

  test('a page without any component tells of it too', async () => {
    for (const { id } of await opened.area.service.listComponents())
      await opened.area.service.deleteComponent(id);
    await opened.area.service.createIncident({ name: 'Logs are late' });
    expect(await page()).toContain('Open Incident');
  });

  test('is over when it is resolved', async () => {
    const { id } = await opened.area.service.createIncident({ name: 'Logs are late' });
    await opened.area.service.updateIncident(id, { status: 'resolved' });
    expect(await page()).toContain('All Systems Operational');
  });
});

test('components that do not work say so in the banner, whatever the incident beside them', async () => {
  const [component] = await opened.area.service.listComponents();
  await opened.area.service.createIncident({
    name: 'Reads fail',
    impact_override: 'critical',
    components: { [component?.id ?? '']: 'degraded_performance' },
  });
  expect(await page()).toContain(
    '<h1><svg class="icon" aria-hidden="true"><use href="#i-degraded"/></svg> Partially Degraded Service</h1>',
  );
});
