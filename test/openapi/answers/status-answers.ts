import { randomBytes } from 'node:crypto';
import { createStatusToken } from '../../../src/status/index.ts';
import { MANAGE_CALLS } from '../../support/manage-calls.ts';
import type { RecordingServer } from './recording-server.ts';

const WRITER = createStatusToken('writer', 'write', randomBytes);
const READER = createStatusToken('reader', 'read', randomBytes);

export const STATUS_ENVIRONMENT = {
  STATUS_TOKENS: `${WRITER.line},${READER.line}`,
  STATUS_WEBHOOK_PRIVATE: 'on',
};

const NOTHING = '000000000000';
const as = (token: string) => ({ authorization: `OAuth ${token}` });

/** Calls everything of the status area, with an incident, a maintenance and what may be refused. */
export async function askStatus({ ask }: RecordingServer): Promise<void> {
  const [page] = (await ask('GET', '/v1/pages', { headers: as(WRITER.text) })).body as [{ id: string }];
  const call = async (method: string, path: string, body?: unknown, headers = as(WRITER.text)) => {
    const answer = await ask(
      method,
      `/v1/pages/${page.id}${path}`,
      body === undefined ? { headers } : { body, headers },
    );
    return answer.body as {
      readonly id: string;
      readonly incident_updates: readonly [{ readonly id: string }];
    };
  };
  const component = await call('POST', '/components', {
    component: { name: 'JSON-RPC relay', description: 'Answers wallets', start_date: '2026-01-01' },
  });
  const other = await call('POST', '/components', { component: { name: 'Consensus nodes' } });
  const group = await call('POST', '/component-groups', {
    component_group: {
      name: 'Network',
      components: [component.id, other.id],
      description: 'What everything needs',
    },
  });
  await call('PATCH', `/components/${component.id}`, {
    component: { description: 'Answers wallets and tools' },
  });
  await call('PATCH', `/component-groups/${group.id}`, {
    component_group: { description: 'Nodes and relays' },
  });
  await call('PATCH', '', { page: { time_zone: 'Europe/Berlin', page_description: 'A test network' } });
  const subscriber = await call('POST', '/subscribers', {
    subscriber: { endpoint: 'https://example.org/hook', email: 'a@example.org' },
  });

  const incident = await call('POST', '/incidents', {
    incident: {
      name: 'Blocks are late',
      body: 'New blocks take longer than usual.',
      components: { [component.id]: 'partial_outage' },
      metadata: { ticket: { number: 7 } },
    },
  });
  await call('POST', '/incidents', {
    incident: {
      name: 'Upgrade',
      scheduled_for: '2099-01-01T10:00:00Z',
      scheduled_until: '2099-01-01T12:00:00Z',
      component_ids: [other.id],
      scheduled_remind_prior: true,
    },
  });
  const running = await call('POST', '/incidents', {
    incident: {
      name: 'New certificates',
      status: 'in_progress',
      scheduled_for: '2020-01-01T10:00:00Z',
      scheduled_until: '2099-01-01T12:00:00Z',
      component_ids: [other.id],
    },
  });
  await askPublic({ ask }, [component.id, group.id], [incident.id, running.id]);
  await call('PATCH', `/incidents/${incident.id}`, {
    incident: {
      status: 'resolved',
      body: 'They are on time again.',
      components: { [component.id]: 'operational' },
    },
  });
  const update = incident.incident_updates[0].id;
  await call('PATCH', `/incidents/${incident.id}/incident_updates/${update}`, {
    incident_update: { body: 'Blocks took longer.' },
  });
  const postmortem = `/incidents/${incident.id}/postmortem`;
  await call('PUT', postmortem, { postmortem: { body_draft: 'A disk was full.' } });
  await call('PUT', `${postmortem}/publish`, { postmortem: { notify_subscribers: false } });
  await call('GET', postmortem);
  for (const path of [
    '',
    '/audit',
    '/components',
    `/components/${component.id}`,
    `/components/${component.id}/uptime`,
    '/component-groups',
    `/component-groups/${group.id}`,
    `/component-groups/${group.id}/uptime`,
    '/incidents',
    `/incidents/${incident.id}`,
    ...['unresolved', 'upcoming', 'scheduled', 'active_maintenance'].map((list) => `/incidents/${list}`),
    '/subscribers',
    `/subscribers/${subscriber.id}`,
  ]) {
    await call('GET', path);
  }
  await call('GET', `/components/${component.id}/uptime?start=2019-01-01`);
  await askPublic({ ask }, [component.id, group.id], [incident.id, running.id]);
  await askRefused(call, incident.id, component.id);
  await askRefusedEverywhere({ ask }, page.id);
  await call('PUT', `${postmortem}/revert`);
  await call('DELETE', postmortem);
  await call('DELETE', `/subscribers/${subscriber.id}`);
  await call('DELETE', `/incidents/${incident.id}`);
  await call('DELETE', `/component-groups/${group.id}`);
  await call('DELETE', `/components/${component.id}`);
  await ask('GET', '/v1/pages');
}

async function askPublic(
  { ask }: Pick<RecordingServer, 'ask'>,
  components: readonly string[],
  incidents: readonly string[],
): Promise<void> {
  for (const path of [
    'summary',
    'status',
    'components',
    'incidents',
    'incidents/unresolved',
    'scheduled-maintenances',
    'scheduled-maintenances/upcoming',
    'scheduled-maintenances/active',
    'uptime',
    ...components.map((id) => `components/${id}`),
    ...incidents.map((id) => `incidents/${id}`),
    'components/000000000000',
    'incidents/000000000000',
  ]) {
    await ask('GET', `/api/v2/${path}.json`);
    await ask('GET', `/api/v2/${path}.json`, { headers: { 'if-none-match': '*' } });
  }
  for (const feed of ['rss', 'atom']) {
    await ask('GET', `/status/history.${feed}`);
    await ask('GET', `/status/history.${feed}`, { headers: { 'if-none-match': '*' } });
  }
  await ask('GET', `/status/i/${incidents[0]}`);
  await ask('GET', '/status/i/000000000000');
}

/** Each call without a token, with one that may only read, for another page, and with a body that is none. */
async function askRefusedEverywhere({ ask }: Pick<RecordingServer, 'ask'>, page: string): Promise<void> {
  for (const { method, noun, template } of MANAGE_CALLS) {
    if (!template.includes('{pageId}')) {
      await ask(method, template, { headers: as('nobody') });
      continue;
    }
    const pathOf = (id: string) =>
      template.replace('{pageId}', id).replace('{id}', NOTHING).replace('{updateId}', NOTHING);
    await ask(method, pathOf(page), { headers: as('nobody') });
    await ask(method, pathOf(NOTHING), { headers: as(WRITER.text) });
    if (/\{id\}/.test(template)) await ask(method, pathOf(page), { headers: as(WRITER.text) });
    if (method !== 'GET') await ask(method, pathOf(page), { headers: as(READER.text) });
    if (noun === null) continue;
    await ask(method, pathOf(page), {
      headers: { ...as(WRITER.text), 'content-type': 'application/json' },
      body: '{',
    });
    await ask(method, pathOf(page), {
      headers: { ...as(WRITER.text), 'content-type': 'text/plain' },
      body: 'x',
    });
  }
}

type Call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<'authorization', string>,
) => Promise<unknown>;

/** No token, one that may only read, nothing of that id, a member that is wrong, a body that is none. */
async function askRefused(call: Call, incident: string, component: string): Promise<void> {
  await call('GET', '/components', undefined, as('nobody'));
  await call('POST', '/components', { component: { name: 'x' } }, as(READER.text));
  await call('GET', '/components/000000000000');
  await call('GET', '/incidents/000000000000');
  await call('GET', '/subscribers/000000000000');
  await call('GET', '/components?per_page=none');
  await call('PATCH', '', { page: { time_zone: 'Nowhere' } });
  await call('POST', '/components', { component: {} });
  await call('PATCH', `/components/${component}`, { component: { status: 'broken' } });
  await call('POST', '/component-groups', { component_group: {} });
  await call('POST', '/incidents', { incident: { name: '', status: 'unknown' } });
  await call('PATCH', `/incidents/${incident}`, { incident: { status: 'unknown' } });
  await call('POST', '/subscribers', { subscriber: {} });
  await call('POST', '/incidents', '{"incident":');
  const earlier = { ...as(WRITER.text), 'if-unmodified-since': 'Wed, 01 Jan 2020 00:00:00 GMT' };
  await call('PATCH', `/incidents/${incident}`, { incident: { name: 'Late' } }, earlier);
}
