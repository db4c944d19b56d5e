import { gunzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createBusyStatusPage } from '../testing/busy-page.ts';
import { manageApp } from '../testing/manage-app.ts';
import { type OpenStatusArea, openStatusArea } from '../testing/open-status-area.ts';
import { headingFaults, visibleText } from '../testing/page-outline.ts';

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

let opened: OpenStatusArea;
let app: FastifyInstance;

beforeEach(async () => {
  opened = await openStatusArea();
  app = await manageApp(opened.area);
});

afterEach(async () => {
  await app.close();
  opened.close();
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
    opened.database.prepare("UPDATE status_page SET name = 'Renamed', revision = revision + 1").run();
    opened.clock.advance(1000);
    expect(await read('/status')).toContain('Renamed');
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
    opened.database
      .prepare('INSERT INTO status_downtime (started_at, ended_at) VALUES (?, ?)')
      .run(Date.parse('2026-03-01T10:00:00Z'), Date.parse('2026-03-01T10:05:00Z'));
    const page = visibleText(await read('/status'));
    expect(page).toContain(
      'Sunday, Mar 1, 2026 Service not running Sunday, Mar 1, 2026, 10:00 – 10:05 UTC (5 min)',
    );
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
