import { gunzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createBusyStatusPage } from '../../../test/kit/status/busy-page.ts';
import { type OpenStatusArea, openStatusArea } from '../../../test/kit/status/open-status-area.ts';
import { parseContent, parseXml, type XmlElement } from '../../../test/support/strict-xml.ts';

let opened: OpenStatusArea;
let app: FastifyInstance;

beforeEach(async () => {
  opened = await openStatusArea({ options: { timeZone: 'America/New_York' } });
  app = await appOf(opened);
});

afterEach(async () => {
  await app.close();
  await opened.close();
});

async function appOf({ area }: OpenStatusArea, isOwnListener = false) {
  const made = Fastify();
  made.setErrorHandler((error, request, reply) => {
    const { statusCode, body } = area.errors.fromError(error, request);
    return reply.code(statusCode).send(body);
  });
  await made.register(area.routes, { isOwnListener });
  return made;
}

const read = async (format: 'rss' | 'atom') => (await app.inject(`/status/history.${format}`)).body;
const allOf = (parent: XmlElement | undefined, name: string) =>
  (parent?.children ?? []).filter((child) => child.name === name);
const textOf = (parent: XmlElement | undefined, name: string) => allOf(parent, name)[0]?.text;
const atomEntries = async () => allOf(parseXml(await read('atom')), 'entry');
const rssItems = async () => allOf(parseXml(await read('rss')).children[0], 'item');

/** Whatever XML lets an author try. */
const HOSTILE = '</title>]]><script>alert(1)</script>&amp;&unknown; "\u0001\uFFFE';

describe.each(['rss', 'atom'] as const)('GET /history.%s', (format) => {
  test('is well-formed without entries, with a busy page and with hostile texts', async () => {
    const counts: number[] = [];
    const count = async () => counts.push((format === 'rss' ? await rssItems() : await atomEntries()).length);
    await count();
    await createBusyStatusPage(opened.area);
    await count();
    const { service } = opened.area;
    await service.updatePage({ name: HOSTILE });
    await service.createIncident({ name: HOSTILE, body: `${HOSTILE}<![CDATA[ <!-- **bold <b>` });
    await count();
    expect(counts).toEqual([0, 5, 6]);
    const feed = await read(format);
    for (const text of ['<script', ']]>', '\u0001', '\uFFFE']) expect(feed).not.toContain(text);
  });

  test('is the same below the page and at the root, alone at the root of its own listener', async () => {
    await createBusyStatusPage(opened.area);
    const feed = await read(format);
    expect((await app.inject(`/history.${format}`)).body).toBe(feed);
    const own = await appOf(opened, true);
    expect((await own.inject(`/history.${format}`)).body).toBe(feed);
    expect((await own.inject(`/status/history.${format}`)).statusCode).toBe(404);
    await own.close();
  });

  test('is sent as documents are: type, caching, conditional reads, HEAD, compression', async () => {
    await createBusyStatusPage(opened.area);
    const url = `/status/history.${format}`;
    const { statusCode, headers, body } = await app.inject(url);
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': `application/${format}+xml; charset=utf-8`,
      'cache-control': 'public, max-age=10, stale-while-revalidate=30, stale-if-error=86400',
      'access-control-expose-headers': 'ETag',
      vary: 'Accept-Encoding',
      'last-modified': 'Mon, 02 Mar 2026 09:00:00 GMT',
    });
    const unchanged = await app.inject({ url, headers: { 'if-none-match': `${headers.etag}` } });
    expect([unchanged.statusCode, unchanged.body]).toEqual([304, '']);
    const head = await app.inject({ url, method: 'HEAD' });
    expect([head.statusCode, head.body, head.headers.etag]).toEqual([200, '', headers.etag]);
    const packed = await app.inject({ url, headers: { 'accept-encoding': 'gzip' } });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(packed.rawPayload).toString()).toBe(body);
  });

  test('is not found while the page allows no feeds', async () => {
    await read(format);
    await opened.area.service.updatePage({ allow_rss_atom_feeds: false });
    const { statusCode, body } = await app.inject(`/history.${format}`);
    expect([statusCode, body]).toEqual([404, '{"error":"Not found"}']);
    await opened.area.service.updatePage({ allow_rss_atom_feeds: true });
    expect(await read(format)).toMatch(/^<\?xml/);
  });
});

describe('an entry of the feeds', () => {
  test('keeps its id and its link while its date moves with each update', async () => {
    const { service } = opened.area;
    const { id } = await service.createIncident({ name: 'API down' });
    const idOf = `tag:status.example.org,2026:Incident/${id}`;
    const link = `https://status.example.org/i/${id}`;
    const dates = async () => {
      const [entry] = await atomEntries();
      const [item] = await rssItems();
      expect([textOf(entry, 'id'), textOf(item, 'guid')]).toEqual([idOf, idOf]);
      expect([allOf(entry, 'link')[0]?.attributes['href'], textOf(item, 'link')]).toEqual([link, link]);
      return ['published', 'updated', 'pubDate'].map((name) => textOf(entry, name) ?? textOf(item, name));
    };
    expect(await dates()).toEqual([
      '2026-03-02T04:00:00.000-05:00',
      '2026-03-02T04:00:00.000-05:00',
      'Mon, 02 Mar 2026 09:00:00 GMT',
    ]);
    opened.clock.advance(60_000);
    await service.updateIncident(id, { status: 'resolved' });
    await service.updatePage({ time_zone: 'Asia/Tokyo', name: 'Other name' });
    expect(await dates()).toEqual([
      '2026-03-02T18:00:00.000+09:00',
      '2026-03-02T18:01:00.000+09:00',
      'Mon, 02 Mar 2026 09:01:00 GMT',
    ]);
  });

  test('shows all updates as HTML, newest first, with times of the page', async () => {
    const { service } = opened.area;
    const { id } = await service.createIncident({ name: 'API <down>', body: 'Requests **fail**.' });
    opened.clock.advance(60_000);
    await service.updateIncident(id, { status: 'resolved', body: 'It is\nover.' });
    const [entry] = await atomEntries();
    expect(textOf(entry, 'title')).toBe('API <down>');
    const time = (clock: string) =>
      `<time datetime="2026-03-02T${clock}:00.000-05:00">Mar 2, 2026, ${clock} EST</time>`;
    expect(textOf(entry, 'content')).toBe(
      `<p><strong>Resolved</strong> – ${time('04:01')}</p><p>It is<br/>over.</p>` +
        `<p><strong>Investigating</strong> – ${time('04:00')}</p><p>Requests <strong>fail</strong>.</p>`,
    );
    expect(allOf(entry, 'content')[0]?.attributes).toEqual({ type: 'html' });
    expect(textOf(entry, 'summary')).toBe('Resolved: It is\nover.');
    await service.updateIncident(id, { body: `**${'x'.repeat(400)}**` });
    expect(textOf((await atomEntries())[0], 'summary')).toBe(`Resolved: ${'x'.repeat(289)}…`);
  });

  test('has the same content in both feeds', async () => {
    await createBusyStatusPage(opened.area);
    const [entry] = await atomEntries();
    const [item] = await rssItems();
    expect(textOf(item, 'description')).toBe(textOf(entry, 'content'));
    expect(allOf(item, 'guid')[0]?.attributes).toEqual({ isPermaLink: 'false' });
  });

  test('of a maintenance also tells its start and end', async () => {
    await opened.area.service.createIncident({
      name: 'Upgrade',
      scheduled_for: '2026-03-08T06:30:00Z',
      scheduled_until: '2026-03-08T07:30:00Z',
    });
    const [entry] = await atomEntries();
    const shown = parseContent(textOf(entry, 'content') ?? '').children[0];
    expect(shown?.text).toBe('Scheduled for  – ');
    expect(allOf(shown, 'time').map(({ attributes }) => attributes['datetime'])).toEqual([
      '2026-03-08T01:30:00.000-05:00',
      '2026-03-08T03:30:00.000-04:00',
    ]);
  });

  test('stands for each of the 25 newest, backfilled ones too, until it is deleted', async () => {
    const { service } = opened.area;
    const titles = async () => (await atomEntries()).map((entry) => textOf(entry, 'title'));
    await service.createIncident({ name: 'Old', backfilled: true, backfill_date: '2026-01-05' });
    for (let index = 1; index <= 24; index++) {
      opened.clock.advance(1_000);
      await service.createIncident({ name: `Incident ${index}` });
    }
    expect(await titles()).toEqual([
      ...Array.from({ length: 24 }, (_, index) => `Incident ${24 - index}`),
      'Old',
    ]);
    opened.clock.advance(1_000);
    const { id } = await service.createIncident({ name: 'Newest' });
    expect((await titles()).length).toBe(25);
    expect(await titles()).not.toContain('Old');
    await service.deleteIncident(id);
    expect((await titles()).at(0)).toBe('Incident 24');
    expect((await titles()).at(-1)).toBe('Old');
  });
});

test('the ids of the feed name the host alone, whatever the address of the page', async () => {
  for (const [url, host] of [
    ['http://127.0.0.1:8080/status', '127.0.0.1'],
    ['http://[::1]:8080', '::1'],
    ['https://Status.Example.org', 'status.example.org'],
  ] as const) {
    await opened.area.service.updatePage({ url });
    const feed = parseXml(await read('atom'));
    expect(textOf(feed, 'id')).toMatch(new RegExp(`^tag:${host},2026:Page/\\w{12}$`));
    expect(allOf(feed, 'link').map(({ attributes }) => attributes['href'])).toEqual([
      `${url}/history.atom`,
      url,
    ]);
  }
});
