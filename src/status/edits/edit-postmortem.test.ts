import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { manageApp } from '../../../test/kit/status/manage-app.ts';
import {
  type OpenStatusArea,
  openStatusArea,
  TEST_TOKENS,
} from '../../../test/kit/status/open-status-area.ts';

let opened: OpenStatusArea;
let app: FastifyInstance;
let base: string;
let id: string;

beforeEach(async () => {
  opened = await openStatusArea();
  app = await manageApp(opened.area);
  const { service } = opened.area;
  base = `/v1/pages/${(await service.readPage()).id}/incidents`;
  id = (await service.createIncident({ name: 'Outage' })).id;
});

afterEach(async () => {
  await app.close();
  await opened.close();
});

async function call(method: 'GET' | 'PUT' | 'PATCH' | 'DELETE', path: string, payload?: object) {
  const headers = { authorization: `OAuth ${TEST_TOKENS.write.text}` };
  const url = `${base}/${id}${path}`;
  const response = await app.inject(
    payload === undefined ? { method, url, headers } : { method, url, headers, payload },
  );
  return { status: response.statusCode, body: response.body === '' ? null : response.json() };
}

const write = (text: string) => call('PUT', '/postmortem', { postmortem: { body_draft: text } });
const resolve = () => opened.area.service.updateIncident(id, { status: 'resolved', body: 'Over.' });
const incident = async () => (await app.inject('/api/v2/incidents.json')).json().incidents[0];

describe('postmortem', () => {
  test('is seen by editors alone until it is published', async () => {
    expect(await write('A disk was full.')).toMatchObject({
      status: 200,
      body: { body: null, body_draft: 'A disk was full.', published_at: null },
    });
    expect((await call('GET', '/postmortem')).body.body_draft).toBe('A disk was full.');
    expect(JSON.stringify(await incident())).not.toContain('A disk was full.');
    expect((await call('GET', '')).body).toMatchObject({
      postmortem_body: 'A disk was full.',
      postmortem_published_at: null,
    });
  });

  test('published, it takes the resolved incident to that status with an update, once', async () => {
    await write('A disk was full.');
    await resolve();
    const { resolved_at } = await incident();
    opened.clock.advance(60_000);
    const { body } = await call('PUT', '/postmortem/publish', {});
    expect(body).toMatchObject({ body: 'A disk was full.', published_at: '2026-03-02T09:01:00.000Z' });
    const published = await incident();
    expect(published).toMatchObject({ status: 'postmortem', resolved_at });
    expect(published.incident_updates[0]).toMatchObject({ status: 'postmortem', body: 'A disk was full.' });
    opened.clock.advance(60_000);
    await call('PUT', '/postmortem/publish', {});
    expect(await incident()).toEqual(published);
    const kinds = (await opened.area.repository.readNotices(0, 10)).map(({ kind }) => kind);
    expect(kinds).toEqual(['incident', 'incident', 'incident']);
  });

  test('a new text of a published one shows when it is published again', async () => {
    await write('First.');
    await resolve();
    await call('PUT', '/postmortem/publish', { postmortem: { notify_subscribers: false } });
    await write('Second.');
    expect((await incident()).incident_updates[0].body).toBe('First.');
    expect((await call('GET', '/postmortem')).body).toMatchObject({ body: 'First.', body_draft: 'Second.' });
    await call('PUT', '/postmortem/publish', {});
    expect((await incident()).incident_updates).toMatchObject([{ body: 'Second.' }, { body: 'Over.' }, {}]);
  });

  test('reverted and deleted, the incident is resolved as before', async () => {
    await write('A disk was full.');
    await resolve();
    const before = await incident();
    await call('PUT', '/postmortem/publish', {});
    expect((await call('PUT', '/postmortem/revert')).body).toMatchObject({
      body: null,
      body_draft: 'A disk was full.',
    });
    expect(await incident()).toEqual(before);
    await call('PUT', '/postmortem/publish', {});
    expect((await call('DELETE', '/postmortem')).status).toBe(204);
    expect(await incident()).toEqual(before);
    expect((await call('GET', '/postmortem')).status).toBe(404);
    const calls = (await opened.area.service.listAudit({ offset: 0, limit: 9 })).map((entry) => entry.call);
    expect(calls.slice(0, 5)).toEqual([
      'postmortem.delete',
      'postmortem.publish',
      'postmortem.revert',
      'postmortem.publish',
      'incident.update',
    ]);
  });

  test('of an open incident cannot be published, and without a text there is none', async () => {
    expect((await call('PUT', '/postmortem/publish', {})).status).toBe(404);
    expect((await call('PUT', '/postmortem/revert')).status).toBe(404);
    expect((await write('')).body.error).toEqual(["Body draft can't be blank"]);
    expect((await call('PUT', '/postmortem', {})).body.error).toEqual(["Body draft can't be blank"]);
    expect((await write('x'.repeat(25_001))).body.error).toEqual([
      'Body is too long (maximum is 25000 characters)',
    ]);
    await write('Text.');
    expect((await call('PUT', '/postmortem/publish', {})).body.error).toEqual([
      'Status cannot change from investigating to postmortem',
    ]);
    expect((await call('PATCH', '', { incident: { status: 'postmortem' } })).status).toBe(422);
  });

  test('is not for maintenances, and must be a text', async () => {
    const window = { scheduled_for: '2026-03-03T00:00:00Z', scheduled_until: '2026-03-03T01:00:00Z' };
    id = (await opened.area.service.createIncident({ name: 'Upgrade', ...window })).id;
    expect(await write('Text.')).toMatchObject({
      status: 422,
      body: { error: ['Status is not valid for a scheduled maintenance'] },
    });
    const { body } = await call('PUT', '/postmortem', { postmortem: { body_draft: ['Text.'] } });
    expect(body.error).toEqual(['Status is not valid for a scheduled maintenance', 'Body draft is invalid']);
  });
});
