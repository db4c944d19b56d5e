import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createStatusToken } from '../../src/status/index.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { type GoType, sendLikeGo, TERRAFORM_PROVIDERS, undecodable } from './go-statuspage-client.ts';

/** The types that the client decodes into. @see sbecker59/statuspage-api-client-go api/v1/statuspage/model_*.go */
const PUBLIC_COMPONENT: GoType = {
  id: 'string',
  page_id: 'string',
  group_id: 'string',
  created_at: 'time',
  updated_at: 'time',
  group: 'bool',
  name: 'string',
  description: 'string',
  position: 'int32',
  status: 'string',
  showcase: 'bool',
  only_show_if_degraded: 'bool',
  start_date: 'string',
};
const COMPONENT: GoType = { ...PUBLIC_COMPONENT, automation_email: 'string' };
const GROUP: GoType = {
  id: 'string',
  page_id: 'string',
  name: 'string',
  description: 'string',
  components: { listOf: 'string' },
  position: 'int32',
  created_at: 'time',
  updated_at: 'time',
};
const INCIDENT: GoType = {
  id: 'string',
  components: { listOf: PUBLIC_COMPONENT },
  created_at: 'time',
  impact: 'string',
  impact_override: 'string',
  incident_updates: {
    listOf: {
      id: 'string',
      incident_id: 'string',
      affected_components: { listOf: 'object' },
      body: 'string',
      created_at: 'time',
      custom_tweet: 'string',
      deliver_notifications: 'bool',
      display_at: 'time',
      status: 'string',
      tweet_id: 'string',
      updated_at: 'time',
    },
  },
  metadata: 'object',
  monitoring_at: 'time',
  name: 'string',
  page_id: 'string',
  postmortem_body: 'string',
  postmortem_body_last_updated_at: 'time',
  postmortem_ignored: 'bool',
  postmortem_notified_subscribers: 'bool',
  postmortem_notified_twitter: 'bool',
  // A boolean there: a time would be refused, so it has to stay null.
  postmortem_published_at: 'bool',
  resolved_at: 'time',
  scheduled_auto_completed: 'bool',
  scheduled_auto_in_progress: 'bool',
  scheduled_for: 'time',
  auto_transition_deliver_notifications_at_end: 'bool',
  auto_transition_deliver_notifications_at_start: 'bool',
  auto_transition_to_maintenance_state: 'bool',
  auto_transition_to_operational_state: 'bool',
  scheduled_remind_prior: 'bool',
  scheduled_reminded_at: 'time',
  scheduled_until: 'time',
  shortlink: 'string',
  status: 'string',
  updated_at: 'time',
};
const ERROR: GoType = { message: 'string' };

const TOKEN = createStatusToken('terraform', 'write', (count) => randomBytes(count));
let server: TestServer;
let page: string;
let provider = TERRAFORM_PROVIDERS[0]!;

beforeAll(async () => {
  server = await startTestServer({
    env: { STATUS_TOKENS: TOKEN.line, STATUS_BUILTIN_COMPONENTS: 'off', STATUS_TIME_ZONE: 'America/Tijuana' },
    background: false,
  });
});

afterAll(() => server.close());

/** Calls, and decodes what comes into the type that the client expects. */
async function call(method: string, path: string, type: GoType, body?: object, key = TOKEN.text) {
  const answer = await sendLikeGo(provider, key, method, `${server.url}/v1/pages${path}`, body);
  expect(undecodable(type, answer.body), `${method} ${path}`).toEqual([]);
  return { status: answer.status, body: answer.body as Readonly<Record<string, unknown>> };
}

beforeEach(async () => {
  const { body } = await call('GET', '', { listOf: { id: 'string', name: 'string', time_zone: 'string' } });
  page = (body as unknown as readonly { readonly id: string }[])[0]!.id;
});

const aComponent = (change: object = {}) => ({
  component: {
    name: 'API',
    description: '',
    status: 'operational',
    only_show_if_degraded: false,
    showcase: true,
    ...change,
  },
});

const create = async (path: string, type: GoType, body: object) => {
  const { status, body: created } = await call('POST', `/${page}/${path}`, type, body);
  expect(status).toBe(201);
  return String(created['id']);
};

describe.each(TERRAFORM_PROVIDERS)('the Terraform provider of $name, replayed', (each) => {
  beforeAll(() => {
    provider = each;
  });

  test('create, read, change and delete a component', async () => {
    const id = await create('components', COMPONENT, aComponent({ start_date: '2026-01-31' }));
    const path = `/${page}/components/${id}`;
    const read = await call('GET', path, COMPONENT);
    expect([read.status, read.body]).toMatchObject([
      200,
      { id, name: 'API', start_date: '2026-01-31', group: false },
    ]);

    const changed = await call(
      'PATCH',
      path,
      COMPONENT,
      aComponent({ name: 'A & <B>', status: 'partial_outage' }),
    );
    expect([changed.status, changed.body]).toMatchObject([
      200,
      { name: 'A & <B>', status: 'partial_outage' },
    ]);
    const list = await call('GET', `/${page}/components`, { listOf: COMPONENT });
    expect(list.status).toBe(200);

    expect(await call('DELETE', path, COMPONENT)).toEqual({ status: 204, body: null });
    const gone = await call('GET', path, ERROR);
    expect([gone.status, gone.body['message']]).toEqual([404, 'Component not found']);
  });

  test('create, read, change and delete a group', async () => {
    const ids = [
      await create('components', COMPONENT, aComponent()),
      await create('components', COMPONENT, aComponent({ name: 'Web' })),
    ];
    const aGroup = (name: string, components: readonly string[]) => ({
      component_group: { name, description: '', components },
    });
    const id = await create('component-groups', GROUP, aGroup('Public', ids));
    const path = `/${page}/component-groups/${id}`;
    const read = await call('GET', path, GROUP);
    expect([read.status, read.body]).toMatchObject([
      200,
      { name: 'Public', components: ids, description: null },
    ]);
    expect((await call('GET', `/${page}/component-groups`, { listOf: GROUP })).status).toBe(200);

    const change = aGroup('Renamed', ids.slice(1));
    const sent = each.sendsBareGroups ? change.component_group : change;
    const changed = await call('PATCH', path, GROUP, sent);
    expect([changed.status, changed.body]).toMatchObject([
      200,
      { name: 'Renamed', components: ids.slice(1) },
    ]);
    // Beside the group, where the published description of the API has it.
    const described = { component_group: { name: 'Renamed', components: ids }, description: 'All of it' };
    expect((await call('PATCH', path, GROUP, described)).body).toMatchObject({ description: 'All of it' });

    const deleted = await call('DELETE', path, GROUP);
    expect([deleted.status, deleted.body]).toMatchObject([200, { id }]);
    expect((await call('GET', path, ERROR)).status).toBe(404);
  });

  /** What the provider sends each time, changed or not; without components the list of ids is null. */
  const anIncident = (change: object = {}) => ({
    incident: {
      name: 'API down',
      status: 'investigating',
      impact_override: 'none',
      body: '',
      scheduled_remind_prior: false,
      scheduled_auto_in_progress: false,
      scheduled_auto_completed: false,
      component_ids: null,
      components: {},
      ...change,
    },
  });

  test('create, read, change and delete an incident with components', async () => {
    const component = await create('components', COMPONENT, aComponent());
    const attached = { component_ids: [component], components: { [component]: 'major_outage' } };
    const id = await create('incidents', INCIDENT, anIncident(attached));
    const path = `/${page}/incidents/${id}`;
    const read = await call('GET', path, INCIDENT);
    expect([read.status, read.body]).toMatchObject([
      200,
      { impact: 'none', impact_override: 'none', components: [{ id: component, status: 'major_outage' }] },
    ]);

    const again = await call('PATCH', path, INCIDENT, anIncident(attached));
    expect([again.status, again.body]).toEqual([200, read.body]);

    const over = { status: 'resolved', body: 'Fixed.', components: { [component]: 'operational' } };
    const changed = await call('PATCH', path, INCIDENT, anIncident({ ...attached, ...over }));
    expect([changed.status, changed.body]).toMatchObject([
      200,
      {
        status: 'resolved',
        components: [{ status: 'operational' }],
        incident_updates: [{ body: 'Fixed.' }, {}],
      },
    ]);

    const deleted = await call('DELETE', path, INCIDENT);
    expect([deleted.status, deleted.body]).toMatchObject([200, { id }]);
    expect((await call('GET', path, ERROR)).status).toBe(404);
  });

  test('create an incident without components, and leave it unchanged when nothing changed', async () => {
    const id = await create('incidents', INCIDENT, anIncident());
    const path = `/${page}/incidents/${id}`;
    const { body } = await call('GET', path, INCIDENT);
    for (const ids of [{ component_ids: null }, { component_ids: undefined }, { component_ids: [] }])
      expect((await call('PATCH', path, INCIDENT, anIncident(ids))).body).toEqual(body);
    await call('DELETE', path, INCIDENT);
  });

  test('create a maintenance with times as the client writes them', async () => {
    const window = { scheduled_for: '2090-01-01T02:00:00Z', scheduled_until: '2090-01-01T04:00:00.5+01:00' };
    const id = await create('incidents', INCIDENT, {
      incident: { name: 'Upgrade', status: 'scheduled', deliver_notifications: true, ...window },
    });
    const { body } = await call('GET', `/${page}/incidents/${id}`, INCIDENT);
    expect(Date.parse(String(body['scheduled_until']))).toBe(Date.parse(window.scheduled_until));
    expect((await call('GET', `/${page}/incidents/upcoming`, { listOf: INCIDENT })).status).toBe(200);
  });

  test('decode what is refused: a wrong key, an unknown page, a missing name', async () => {
    expect((await call('GET', `/${page}/components`, ERROR, undefined, 'wrong')).status).toBe(401);
    expect((await call('GET', '/nothing/components', ERROR)).status).toBe(404);
    const refused = await call('POST', `/${page}/components`, ERROR, aComponent({ name: '' }));
    expect([refused.status, refused.body['message']]).toEqual([422, "Name can't be blank"]);
  });
});

describe('the types of the Go client', () => {
  test('would not decode a wrong type', () => {
    expect(undecodable({ position: 'int32' }, { position: '1' })).toEqual([
      '.position: "1" is not of type int32',
    ]);
    expect(undecodable({ at: 'time' }, { at: '2026-01-01' })).toHaveLength(1);
    expect(undecodable({ listOf: 'string' }, [1])).toHaveLength(1);
    expect(undecodable(ERROR, { error: 'x' })).toEqual(['.message is missing']);
  });
});
