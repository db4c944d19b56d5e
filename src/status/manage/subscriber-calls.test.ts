import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { manageApp } from '../../../test/kit/status/manage-app.ts';
import {
  type OpenStatusArea,
  openStatusArea,
  TEST_TOKENS,
} from '../../../test/kit/status/open-status-area.ts';
import { MAX_SUBSCRIBERS } from '../subscribers/subscriber.ts';

let opened: OpenStatusArea;
let app: FastifyInstance;
let page: string;

async function open(webhookPrivate = false): Promise<void> {
  opened = await openStatusArea({ options: { webhookPrivate } });
  app = await manageApp(opened.area);
  page = (await opened.area.service.readPage()).id;
}

beforeEach(() => open());
afterEach(close);

async function close(): Promise<void> {
  await app.close();
  await opened.close();
}

async function call(
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
) {
  const answer = await app.inject({
    method,
    url: `/v1/pages/${page}/subscribers${path}`,
    headers: {
      authorization: `OAuth ${TEST_TOKENS.write.text}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: answer.statusCode, body: answer.json() };
}

const subscribe = (members: unknown) => call('POST', '', { subscriber: members });
const refusal = (...texts: readonly string[]) => ({
  status: 422,
  body: { error: texts, message: texts.join(', ') },
});

describe('subscribers', () => {
  test('are made with a secret that only this answer shows, read, listed and deleted', async () => {
    const made = await subscribe({ endpoint: ' https://hooks.example.org/a?b=c ', email: 'ops@example.org' });
    expect(made.status).toBe(201);
    const { secret, ...members } = made.body;
    expect(Object.keys(made.body)).toEqual(['id', 'mode', 'endpoint', 'email', 'created_at', 'secret']);
    expect(members).toEqual({
      id: expect.stringMatching(/^[0-9b-df-hj-np-tv-z]{12}$/),
      mode: 'webhook',
      endpoint: 'https://hooks.example.org/a?b=c',
      email: 'ops@example.org',
      created_at: '2026-03-02T09:00:00.000Z',
    });
    expect(secret).toMatch(/^[\w-]{43}$/);

    const { body: second } = await subscribe({ endpoint: 'https://hooks.example.org/b' });
    expect(second.email).toBeNull();
    expect(second.secret).not.toBe(secret);
    const { secret: _, ...secondMembers } = second;
    expect(await call('GET', '')).toEqual({ status: 200, body: [members, secondMembers] });
    expect(await call('GET', '?per_page=1&page=2')).toEqual({ status: 200, body: [secondMembers] });
    expect(await call('GET', '.json?page=2')).toEqual({ status: 200, body: [] });
    expect(await call('GET', '?page=0')).toEqual(refusal('Page is invalid'));
    expect(await call('GET', `/${members.id}`)).toEqual({ status: 200, body: members });
    expect(await call('GET', `/${members.id}.json`)).toEqual({ status: 200, body: members });

    expect(await call('DELETE', `/${members.id}`)).toEqual({ status: 200, body: members });
    const missing = { status: 404, body: { error: 'Subscriber not found', message: 'Subscriber not found' } };
    expect(await call('DELETE', `/${members.id}`)).toEqual(missing);
    expect(await call('GET', `/${members.id}`)).toEqual(missing);
    expect(await call('GET', '')).toEqual({ status: 200, body: [secondMembers] });
  });

  test('are made from web forms as well', async () => {
    const form = 'subscriber[endpoint]=https%3A%2F%2Fhooks.example.org%2F&subscriber[email]=';
    const answer = await call('POST', '', form, { 'content-type': 'application/x-www-form-urlencoded' });
    expect(answer).toMatchObject({ status: 201, body: { email: null } });
  });

  test.each([
    ["Endpoint can't be blank", {}],
    ["Endpoint can't be blank", { endpoint: ' ' }],
    ["Endpoint can't be blank", { email: 'ops@example.org' }],
    ["Endpoint can't be blank", { phone_number: '5551234', phone_country: 'US' }],
    ['Endpoint must be an absolute http or https address', { endpoint: '/hook' }],
    ['Endpoint must be an absolute http or https address', { endpoint: 'ftp://example.org/' }],
    ['Endpoint must be an absolute http or https address', { endpoint: 'javascript:alert(1)' }],
    ['Endpoint must be an absolute http or https address', { endpoint: 'https:///example.org' }],
    ['Endpoint must be an absolute http or https address', { endpoint: 'https://exa mple.org' }],
    ['Endpoint must be an absolute http or https address', { endpoint: 'https://example.org/\r\nX: y' }],
    ['Endpoint must not contain a user name or password', { endpoint: 'https://me:pass@example.org/' }],
    ['Endpoint is too long', { endpoint: `https://example.org/${'a'.repeat(2048)}` }],
    ['unless STATUS_WEBHOOK_PRIVATE is on', { endpoint: 'http://127.0.0.1:9/' }],
    ['unless STATUS_WEBHOOK_PRIVATE is on', { endpoint: 'http://169.254.169.254/latest' }],
    ['unless STATUS_WEBHOOK_PRIVATE is on', { endpoint: 'http://[::ffff:10.0.0.1]/' }],
    ['unless STATUS_WEBHOOK_PRIVATE is on', { endpoint: 'http://localhost/' }],
    ['Email is invalid', { endpoint: 'https://example.org/', email: 'nobody' }],
    ['Email is invalid', { endpoint: 'https://example.org/', email: `${'a'.repeat(251)}@b.c` }],
    ['Endpoint is invalid', { endpoint: ['https://example.org/'] }],
  ])('are refused with their reason: %s', async (text, members) => {
    const { status, body } = await subscribe(members);
    expect([status, body.message]).toEqual([422, expect.stringContaining(text)]);
    expect((await call('GET', '')).body).toEqual([]);
    expect((await opened.area.service.listAudit({ offset: 0, limit: 10 })).length).toBe(0);
  });

  test('with private addresses are taken when the operator allows it', async () => {
    await close();
    await open(true);
    for (const endpoint of ['http://127.0.0.1:9/', 'http://localhost/', 'http://[fd00::1]/']) {
      expect((await subscribe({ endpoint })).status).toBe(201);
    }
  });

  test('have different endpoints, however they are written', async () => {
    await subscribe({ endpoint: 'https://example.org' });
    for (const endpoint of ['https://EXAMPLE.org:443/', 'https://example.org/#part'])
      expect(await subscribe({ endpoint })).toEqual(refusal('Endpoint has already been taken'));
    expect((await subscribe({ endpoint: 'http://example.org' })).status).toBe(201);
  });

  test('are limited in number', async () => {
    for (let index = 1; index < MAX_SUBSCRIBERS; index += 1)
      await opened.area.service.createSubscriber({ endpoint: `https://example.org/${index}` });
    const { body: last } = await subscribe({ endpoint: 'https://example.org/last' });
    const oneMore = { endpoint: 'https://example.org/more' };
    expect(await subscribe(oneMore)).toEqual(refusal('Subscribers are limited to 1000: delete one first'));
    await call('DELETE', `/${last.id}`);
    expect((await subscribe(oneMore)).status).toBe(201);
  });

  test('are in the audit without their secret, and never move the page', async () => {
    const before = await opened.area.repository.revision();
    const { body: made } = await subscribe({ endpoint: 'https://example.org/' });
    await call('DELETE', `/${made.id}`);
    const audit = await opened.area.service.listAudit({ offset: 0, limit: 10 });
    const { secret, ...members } = made;
    expect(audit).toEqual([
      {
        at: made.created_at,
        actor: 'tester',
        call: 'subscriber.delete',
        id: made.id,
        before: members,
        after: null,
      },
      {
        at: made.created_at,
        actor: 'tester',
        call: 'subscriber.create',
        id: made.id,
        before: null,
        after: members,
      },
    ]);
    expect(JSON.stringify(audit)).not.toContain(secret);
    expect(await opened.area.repository.revision()).toBe(before);
    expect(opened.logged.filter((text) => text === 'subscribers of the status page changed')).toHaveLength(2);
  });

  test.each([
    ['GET', '/count'],
    ['GET', '/histogram_by_state.json'],
    ['GET', '/unsubscribed?page=1'],
    ['POST', '/reactivate'],
    ['POST', '/resend_confirmation.json'],
    ['PATCH', '/x'],
    ['PUT', '/x.json'],
    ['POST', '/x/resend_confirmation'],
  ] as const)('have no other calls: %s %s', async (method, path) => {
    const body = { error: 'Not found', message: 'Not found' };
    expect(await call(method, path)).toEqual({ status: 404, body });
  });

  test('need a token that may write, and an unchanged subject when the caller says so', async () => {
    const reader = { authorization: `OAuth ${TEST_TOKENS.read.text}` };
    const nobody = { authorization: 'OAuth x' };
    const body = { subscriber: { endpoint: 'https://example.org/' } };
    expect((await call('POST', '', body, reader)).status).toBe(403);
    expect((await call('GET', '', undefined, nobody)).status).toBe(401);
    const { body: made } = await call('POST', '', body);
    expect((await call('GET', `/${made.id}`, undefined, reader)).status).toBe(200);
    const early = { 'if-unmodified-since': 'Mon, 02 Mar 2026 08:59:59 GMT' };
    expect((await call('DELETE', `/${made.id}`, undefined, early)).status).toBe(409);
    const now = { 'if-unmodified-since': 'Mon, 02 Mar 2026 09:00:00 GMT' };
    expect((await call('DELETE', `/${made.id}`, undefined, now)).status).toBe(200);
  });
});
