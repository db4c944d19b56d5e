import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { manageApp } from '../../../test/kit/status/manage-app.ts';
import { type OpenStatusArea, openStatusArea } from '../../../test/kit/status/open-status-area.ts';
import { visibleText } from '../../../test/kit/status/page-outline.ts';
import { COLOUR_TOKENS, STATES } from '../../pages/colour-tokens.ts';
import { contrast } from '../../pages/contrast.ts';
import type { StatusOptions } from '../index.ts';
import { renderBadge } from './elsewhere/render-badge.ts';

let opened: OpenStatusArea;
let app: FastifyInstance;

async function open(options: Partial<StatusOptions> = {}) {
  opened = await openStatusArea({ options });
  app = await manageApp(opened.area);
}

beforeEach(() => open());
const close = async () => {
  await app.close();
  await opened.close();
};
afterEach(close);

describe('GET /status/badge.svg', () => {
  test('says how the page is, in its picture and in its title', async () => {
    const { body, headers, statusCode } = await app.inject('/status/badge.svg?style=flat');
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'public, max-age=10, stale-while-revalidate=30, stale-if-error=86400',
    });
    expect(body).toContain('<title id="t">Ledgerlens: All Systems Operational</title>');
    expect(body).toContain(COLOUR_TOKENS.operational.light);
    const again = await app.inject({
      url: '/status/badge.svg',
      headers: { 'if-none-match': String(headers['etag']) },
    });
    expect(again.statusCode).toBe(304);
  });

  test('is not green beside an open incident', async () => {
    await opened.area.service.createComponent({ name: 'Reads' });
    await opened.area.service.createIncident({ name: 'Logs are late' });
    const { body } = await app.inject('/status/badge.svg');
    expect(body).toContain('Ledgerlens: Open Incident');
    expect(body).not.toContain(COLOUR_TOKENS.operational.light);
  });

  test('of a component or a group tells of it alone', async () => {
    const { service } = opened.area;
    const { id } = await service.createComponent({ name: 'Reads <&"', status: 'partial_outage' });
    expect((await app.inject(`/status/badge/${id}.svg`)).body).toContain(
      '<title id="t">Reads &lt;&amp;&quot;: Partial outage</title>',
    );
    const group = await service.createGroup({ name: 'API', components: [id] });
    expect((await app.inject(`/status/badge/${group.id}.svg`)).body).toContain('API: Partial outage');
    expect((await app.inject('/status/badge/123456789bcd.svg')).statusCode).toBe(404);
    expect((await app.inject(`/status/badge/${id}`)).statusCode).toBe(404);
    expect((await app.inject('/status/badge.svg?style=round')).statusCode).toBe(400);
  });

  test('is as wide as its texts, and long names are cut', () => {
    const widthOf = (label: string) =>
      Number(/width="(\d+)"/.exec(renderBadge({ label, text: 'Operational', mark: 'operational' }))?.[1]);
    // Four capital letters of 989 thousandths against four of 421, at 11 pixels.
    expect(widthOf('WWWW') - widthOf('IIII')).toBe(Math.ceil(4 * 0.989 * 11) - Math.ceil(4 * 0.421 * 11));
    expect(widthOf('x'.repeat(500))).toBe(widthOf('x'.repeat(300)));
  });

  test('its white letters can be read on every colour', () => {
    for (const state of STATES)
      expect(contrast('#ffffff', COLOUR_TOKENS[state].light)).toBeGreaterThanOrEqual(4.5);
    expect(contrast('#ffffff', '#3d444d')).toBeGreaterThanOrEqual(4.5);
  });
});

describe('GET /status/embed', () => {
  test('is a line that nobody may frame unless it is allowed', async () => {
    const { body, headers } = await app.inject('/status/embed');
    expect(headers['content-security-policy']).toMatch(/; frame-ancestors 'none'$/);
    expect(visibleText(body)).toContain('All Systems Operational');
    expect(body).toContain('href="https://status.example.org" target="_blank" rel="noopener"');
    expect(body).not.toMatch(/<script|\sstyle=/);
  });

  test('may be framed by those who are named; the page itself by nobody', async () => {
    await close();
    await open({ frameAncestors: 'https://www.example.org' });
    const policyOf = async (url: string) =>
      (await app.inject({ url, headers: { accept: 'text/html' } })).headers['content-security-policy'];
    expect(await policyOf('/status/embed')).toMatch(/; frame-ancestors https:\/\/www\.example\.org$/);
    expect(await policyOf('/status')).toMatch(/; frame-ancestors 'none'$/);
  });

  test('takes a theme', async () => {
    expect((await app.inject('/status/embed?theme=dark')).body).toContain(
      '<html lang="en" class="theme-dark">',
    );
    expect((await app.inject('/status/embed')).body).toContain('<html lang="en">');
    expect((await app.inject('/status/embed?theme=pink')).statusCode).toBe(400);
  });
});

describe('the look', () => {
  test('a logo stands before the name and is served with a policy of its own', async () => {
    await close();
    await open({ logo: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>') });
    const page = (await app.inject({ url: '/status', headers: { accept: 'text/html' } })).body;
    const src =
      /<a class="home" href="\/status\/"><img class="logo" src="([^"]+)" alt="">Ledgerlens<\/a>/.exec(page);
    expect(page).not.toContain('<script');
    const { headers, body } = await app.inject(src?.[1] ?? '');
    expect(body).toContain('<svg');
    expect(headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
    });
  });

  test('there is no logo without one', async () => {
    expect((await app.inject('/status/logo')).statusCode).toBe(404);
  });

  test.each(['GIF89a', '<html><svg></svg></html>', ''])('%j is refused as a logo', async (content) => {
    await expect(openStatusArea({ options: { logo: Buffer.from(content) } })).rejects.toThrow(
      'STATUS_LOGO_FILE',
    );
  });

  test('an accent changes the style sheet and its address', async () => {
    const sheetOf = async () =>
      /page\.css\?v=\w+/.exec(
        (await app.inject({ url: '/status', headers: { accept: 'text/html' } })).body,
      )?.[0];
    const before = await sheetOf();
    await close();
    await open({ accent: '#7b2cbf' });
    const after = await sheetOf();
    expect(after).not.toBe(before);
    expect((await app.inject(`/status/${after}`)).body).toContain(':root, .theme-light { --link: #7b2cbf; }');
  });
});
