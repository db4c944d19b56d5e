import { gunzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createBusyStatusPage } from '../../../test/kit/status/busy-page.ts';
import { manageApp } from '../../../test/kit/status/manage-app.ts';
import { type OpenStatusArea, openStatusArea } from '../../../test/kit/status/open-status-area.ts';
import { headingFaults, visibleText } from '../../../test/kit/status/page-outline.ts';

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

let opened: OpenStatusArea;
let app: FastifyInstance;

beforeEach(async () => {
  opened = await openStatusArea();
  app = await manageApp(opened.area);
});

afterEach(async () => {
  await app.close();
  await opened.close();
});

const read = async (url: string) => (await app.inject({ url, headers: BROWSER })).body;

describe('GET /status', () => {
  test('shows the sections of the contract in their order', async () => {
    await createBusyStatusPage(opened.area);
    const page = await read('/status');
    const headings = [...page.matchAll(/<h[12][^>]*>(.*?)<\/h[12]>/gs)].map(([, text = '']) =>
      visibleText(text),
    );
    expect(headings).toEqual([
      'Partially Degraded Service',
      'Current incidents',
      'Maintenance in progress',
      'Components',
      'Scheduled maintenance',
      'Past incidents',
    ]);
    expect(headingFaults(page)).toEqual([]);
    expect(visibleText(page)).toContain('Updated Mar 2, 2026, 09:00 UTC , 1 of 3 components operational');
  });

  test('a page without anything says so', async () => {
    const page = await read('/status');
    expect(headingFaults(page)).toEqual([]);
    expect(visibleText(page)).toContain('All Systems Operational Updated');
    expect(page).toContain('No components are listed.');
    expect(page).not.toContain('Current incidents');
    expect(page.match(/No incidents reported\./g)).toHaveLength(14);
  });

  test('has landmarks, a way to skip to the content and no script', async () => {
    const page = await read('/status');
    for (const landmark of ['<header>', '<main id="content"', '<footer>', '<nav ', 'href="#content"']) {
      expect(page).toContain(landmark);
    }
    expect(page).toContain('<html lang="en">');
    expect(page).not.toMatch(/<script|\son\w+=|\sstyle=/i);
  });

  test('loads nothing from another host', async () => {
    await createBusyStatusPage(opened.area);
    const page = await read('/status');
    const loaded = [...page.matchAll(/<(?:link|img|script|iframe)[^>]*(?:href|src)="([^"]*)"/g)].map(
      ([, url]) => url,
    );
    expect(loaded.length).toBeGreaterThan(1);
    expect(loaded.filter((url) => !/^(\/status\/|data:image)/.test(url ?? ''))).toEqual([]);
  });

  test('may run no script, be in no frame, and is not sniffed', async () => {
    const { headers } = await app.inject('/status');
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'public, max-age=10, stale-while-revalidate=30, stale-if-error=86400',
      vary: 'Accept, Accept-Encoding',
    });
  });

  test('whoever holds it gets 304, and HEAD gives the headers of GET', async () => {
    const get = await app.inject('/status');
    const again = await app.inject({
      url: '/status',
      headers: { 'if-none-match': String(get.headers['etag']) },
    });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    const head = await app.inject({ method: 'HEAD', url: '/status' });
    const { date: _date, ...expected } = get.headers;
    expect([head.statusCode, head.body]).toEqual([200, '']);
    expect(head.headers).toMatchObject(expected);
  });

  test('is sent compressed to those who take it', async () => {
    const plain = await app.inject('/status');
    const compressed = await app.inject({ url: '/status', headers: { 'accept-encoding': 'gzip' } });
    expect(compressed.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(compressed.rawPayload).toString()).toBe(plain.body);
  });

  test('shows a change at once, and keeps its tag while nothing changes', async () => {
    const before = await app.inject('/status');
    opened.clock.advance(61_000);
    const later = await app.inject('/status');
    expect(later.headers['etag']).toBe(before.headers['etag']);
    await opened.area.service.createIncident({ name: 'Reads are slow' });
    expect(await read('/status')).toContain('Reads are slow');
  });

  test('shows the change of another process within a second', async () => {
    await read('/status');
    const command = await openStatusArea({ store: opened.store });
    await command.area.service.updatePage({ name: 'Renamed' });
    expect(await read('/status')).not.toContain('Renamed');
    opened.clock.advance(1000);
    expect(await read('/status')).toContain('Renamed');
  });

  test('texts of authors run in the direction of their script', async () => {
    const { service } = opened.area;
    const { id } = await service.createComponent({ name: 'קריאה', description: 'קריאת נתונים.' });
    const incident = await service.createIncident({
      name: 'קריאה איטית',
      body: 'אנחנו בודקים.',
      components: { [id]: 'partial_outage' },
    });
    const home = await read('/status');
    expect(home).toContain('<bdi class="name">קריאה</bdi>');
    expect(home).toContain('<p class="muted small">קריאת נתונים.</p>');
    expect(home).toContain('<div class="body"><p>אנחנו בודקים.</p></div>');
    expect(await read('/status/page.css')).toMatch(
      /\.component > \.muted, \.body p, .*unicode-bidi: plaintext/,
    );
    const own = await read(`/status/incidents/${incident.id}`);
    expect(own).toContain('<h1><bdi>קריאה איטית</bdi></h1>');
    expect(own).toContain('<li><bdi>קריאה</bdi>: Operational → ');
  });

  test('a maintenance becomes overdue by itself', async () => {
    await opened.area.service.createIncident({
      name: 'Upgrade',
      status: 'scheduled',
      scheduled_for: '2026-03-02T10:00:00Z',
      scheduled_until: '2026-03-02T11:00:00Z',
    });
    expect(await read('/status')).not.toContain('overdue');
    opened.clock.advance(2 * 3_600_000);
    expect(await read('/status')).toContain('Start is overdue');
  });

  test('obeys the settings of the page', async () => {
    const page = await read('/status');
    expect(page).toContain('href="/status/history.rss"');
    expect(page).not.toContain('noindex');
    await opened.area.service.updatePage({
      hidden_from_search: true,
      allow_rss_atom_feeds: false,
      page_description: 'All <b>our</b> services',
      support_url: 'https://example.org/help',
      time_zone: 'America/New_York',
    });
    const changed = await read('/status');
    expect(changed).toContain('<meta name="robots" content="noindex">');
    expect(changed).not.toMatch(/history\.(rss|atom)/);
    expect(changed).toContain('All &lt;b&gt;our&lt;/b&gt; services');
    expect(changed).toContain('href="https://example.org/help"');
    expect(visibleText(changed)).toContain('04:00 EST');
  });

  test('the downtime of the server itself is shown on its day', async () => {
    const downtime = {
      from: Date.parse('2026-03-01T10:00:00Z'),
      to: Date.parse('2026-03-01T10:05:00Z'),
    };
    await opened.area.repository.beginRun(downtime.to, () => ({ changes: null, downtime }));
    const page = visibleText(await read('/status'));
    expect(page).toContain(
      'Sunday, Mar 1, 2026 Service not running Sunday, Mar 1, 2026, 10:00 – 10:05 UTC (5 min)',
    );
  });
});

describe('GET /status as text/plain', () => {
  test('is for those who ask for it and not for HTML', async () => {
    const plain = await app.inject({ url: '/status', headers: { accept: 'text/plain' } });
    expect(plain.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      vary: 'Accept, Accept-Encoding',
    });
    expect(plain.body).toMatch(/^Ledgerlens: All Systems Operational\n/);
    for (const accept of ['text/html, text/plain', '*/*', 'text/plain;q=0']) {
      const other = await app.inject({ url: '/status', headers: { accept } });
      expect(other.headers['content-type'], accept).toBe('text/html; charset=utf-8');
    }
  });
});

describe('GET /status/incidents/{id}', () => {
  test('shows all updates, what they moved and the components as they are now', async () => {
    const { openIncidentId } = await createBusyStatusPage(opened.area);
    const page = await read(`/status/incidents/${openIncidentId}`);
    expect(headingFaults(page)).toEqual([]);
    const text = visibleText(page);
    for (const part of [
      'Open incident Status Identified Impact Major impact Began Mar 2, 2026, 09:00 UTC',
      'Verification API Degraded performance',
      'Identified Mar 2, 2026, 09:00 UTC The cause is known. Verification API: Partial outage → Degraded performance',
      'Investigating Mar 2, 2026, 09:00 UTC Requests fail. Verification API: Operational → Partial outage',
    ]) {
      expect(text).toContain(part);
    }
  });

  test('shows a maintenance with its window', async () => {
    const { upcomingId } = await createBusyStatusPage(opened.area);
    const text = visibleText(await read(`/status/incidents/${upcomingId}`));
    expect(text).toContain('Window Sunday, Jan 1, 2090, 00:00 – 02:00 UTC (2 h)');
  });

  test('shows a published postmortem before the updates', async () => {
    const { service } = opened.area;
    const { id } = await service.createIncident({ name: 'Reads fail' });
    await service.updateIncident(id, { status: 'resolved' });
    await service.writePostmortem(id, { body_draft: 'It was a **full disk**.' });
    expect(await read(`/status/incidents/${id}`)).not.toContain('full disk');
    await service.publishPostmortem(id, {});
    const page = await read(`/status/incidents/${id}`);
    expect(headingFaults(page)).toEqual([]);
    expect(page).toContain('<strong>full disk</strong>');
    const home = await read('/status');
    expect(home).not.toContain('full disk');
    expect(visibleText(home)).toContain('Postmortem Mar 2, 2026, 09:00 UTC Resolved');
    expect(page.indexOf('>Postmortem</h2>')).toBeLessThan(page.indexOf('>Updates</h2>'));
  });

  test('with .json it is the document of the API', async () => {
    const { openIncidentId } = await createBusyStatusPage(opened.area);
    const page = await app.inject(`/status/incidents/${openIncidentId}.json`);
    const document = await app.inject(`/api/v2/incidents/${openIncidentId}.json`);
    expect([page.statusCode, page.body]).toEqual([200, document.body]);
    expect(page.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  test.each(['nobody', 'nobody.json', 'a.b', '%3Cscript%3E', 'x'.repeat(65)])(
    '%s is not there',
    async (id) => {
      const url = `/status/incidents/${id}`;
      const page = await app.inject({ url, headers: BROWSER });
      expect([page.statusCode, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
      expect(visibleText(page.body)).toContain('Page not found.');
      expect(page.body).not.toMatch(/<script/i);
      expect(page.headers).toMatchObject({ vary: 'Accept', 'x-content-type-options': 'nosniff' });
      expect(page.headers).not.toHaveProperty('etag');
      const other = await app.inject(url);
      expect([other.statusCode, other.json()]).toEqual([404, { error: 'Not found' }]);
    },
  );
});

describe('GET /status/history', () => {
  test('lists what began in three months, newest first, with links to the other pages', async () => {
    const { service } = opened.area;
    await service.createIncident({ name: 'Old', backfilled: true, backfill_date: '2025-11-20' });
    await service.createIncident({ name: 'Older', backfilled: true, backfill_date: '2025-06-20' });
    await createBusyStatusPage(opened.area);
    const first = await read('/status/history');
    expect(headingFaults(first)).toEqual([]);
    const headings = [...first.matchAll(/<h[23][^>]*>(.*?)<\/h[23]>/gs)].map(([, text = '']) =>
      visibleText(text),
    );
    expect(headings).toEqual([
      'March 2026',
      'Past incident',
      'Open incident',
      'February 2026',
      'January 2026',
    ]);
    expect(first).toContain('rel="next" href="/status/history?page=2"');
    const second = await read('/status/history?page=2');
    expect(visibleText(second)).toContain(
      'November 2025 Old No impact · Resolved Nov 20, 2025, 00:00 UTC October 2025',
    );
    expect(second).toContain('rel="prev" href="/status/history?page=1"');
  });

  test('goes back to the oldest entry, though it is older than the page', async () => {
    await createBusyStatusPage(opened.area);
    const months = (2026 - 2020) * 12 + 2;
    const last = Math.floor(months / 3) + 1;
    expect(visibleText(await read(`/status/history?page=${last}`))).toContain('Finished maintenance');
    expect((await app.inject(`/status/history?page=${last + 1}`)).statusCode).toBe(404);
  });

  test.each([
    ['0', 400],
    ['-1', 400],
    ['abc', 400],
    ['1.5', 400],
    ['1&page=2', 400],
    ['2', 404],
    ['1000000000', 404],
    ['9'.repeat(400), 404],
    ['1', 200],
    ['', 200],
  ])('page %s answers %i', async (number, status) => {
    const url = `/status/history?page=${number}`;
    const page = await app.inject({ url, headers: BROWSER });
    expect([page.statusCode, page.headers['content-type']]).toEqual([status, 'text/html; charset=utf-8']);
    const other = await app.inject(url);
    expect(other.statusCode).toBe(status);
    if (status === 400) {
      expect(visibleText(page.body)).toContain('page must be a whole number from 1.');
      expect(other.json()).toEqual({ error: 'page must be a whole number from 1' });
    }
  });
});

describe('GET /status/uptime', () => {
  test('shows the days as tables with the words of what happened', async () => {
    const { service } = opened.area;
    const { id } = await service.createComponent({ name: 'Reads' });
    opened.clock.advance(3_600_000);
    await service.updateComponent(id, { status: 'major_outage' });
    opened.clock.advance(3_600_000);
    await service.updateComponent(id, { status: 'operational' });
    const page = await read('/status/uptime');
    expect(headingFaults(page)).toEqual([]);
    expect(visibleText(page)).toContain(
      'March 2026: 50.00 % uptime Mon Tue Wed Thu Fri Sat Sun 1 No data 2 Major outage Mar 2: Major outage , 1 h',
    );
    expect(await read(`/status/uptime?component=${id}`)).toContain('<title>Uptime of Reads');
  });

  test.each(['component=nobody', 'component=1', 'page=2'])('%s is not there', async (query) => {
    await read('/status/uptime?page=1');
    expect((await app.inject({ url: `/status/uptime?${query}`, headers: BROWSER })).statusCode).toBe(404);
  });

  test.each(['page=0', 'component=a&component=b'])('%s is refused', async (query) => {
    expect((await app.inject(`/status/uptime?${query}`)).statusCode).toBe(400);
  });
});

describe('texts of editors', () => {
  const SCRIPT = '<script>alert(1)</script><img src=x onerror=alert(1)>"\'';

  test('never become markup, on whatever page', async () => {
    const { service } = opened.area;
    const component = await service.createComponent({ name: SCRIPT, description: SCRIPT });
    await service.createGroup({ name: `Group ${SCRIPT}`, components: [component.id] });
    const incident = await service.createIncident({
      name: SCRIPT,
      body: SCRIPT,
      components: { [component.id]: 'major_outage' },
    });
    await service.updatePage({ name: SCRIPT, page_description: SCRIPT });
    const paths = ['', '/history', '/uptime', `/incidents/${incident.id}`, '/incidents/nobody'];
    for (const path of paths) {
      const page = await read(`/status${path}`);
      expect(page, path).not.toMatch(/<script|<img|onerror=alert\(1\)>/i);
      expect(page, path).toContain('&lt;script&gt;');
    }
  });
});

describe('GET /status/page.css', () => {
  test('the address in the page may be kept for ever, any other only shortly', async () => {
    const address = /href="(\/status\/page\.css\?v=\w+)"/.exec(await read('/status'))?.[1] ?? '';
    const named = await app.inject(address);
    expect(named.headers).toMatchObject({
      'content-type': 'text/css; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    const old = await app.inject('/status/page.css?v=old');
    expect([old.body, old.headers['cache-control']]).toEqual([
      named.body,
      expect.stringContaining('max-age=10'),
    ]);
  });
});

describe('on a listener of its own', () => {
  test('the page stands at the root and links there', async () => {
    const own = Fastify();
    await own.register(opened.area.routes, { isOwnListener: true });
    const page = await own.inject('/');
    expect(page.statusCode).toBe(200);
    expect(page.body).not.toContain('/status/');
    expect(page.body).toContain('href="/history"');
    expect((await own.inject('/page.css')).statusCode).toBe(200);
    expect((await own.inject('/status')).statusCode).toBe(404);
    await own.close();
  });
});
