import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startTestServer } from '../../../test/support/test-server.ts';
import type { Invocation } from '../command.ts';
import { execute } from './status.ts';

let folder: string;
let env: Record<string, string>;
const printed: string[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'status-command-'));
  env = { DATABASE_URL: `sqlite:${join(folder, 'page.sqlite')}`, PUBLIC_URL: 'https://ledger.example.org' };
  vi.spyOn(console, 'log').mockImplementation((text: string) => void printed.push(text));
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

async function status(words: string, values: Invocation['values'] = {}) {
  printed.length = 0;
  expect(await execute({ positionals: words.split(' '), values, env })).toBe(0);
  return printed.join('\n');
}

/** For actions that print what the management API would answer. */
async function run(...positionals: string[]) {
  printed.length = 0;
  await execute({ positionals, values: {}, env });
  return JSON.parse(printed.join('\n'));
}

describe('ledgerlens status', () => {
  test('does what the management API does, and the server shows it', async () => {
    const api = await run('create', 'component', 'name=Mirror REST API');
    const group = await run('create', 'group', 'name=Mirror', `components[]=${api.id}`);
    expect(group).toMatchObject({ name: 'Mirror', components: [api.id] });
    const incident = await run(
      'create',
      'incident',
      'name=Reads fail',
      'body=Many fail.',
      `components[${api.id}]=major_outage`,
    );
    expect(incident).toMatchObject({ status: 'investigating', impact: 'critical' });
    await run('update', 'incident', incident.id, 'status=identified', 'body=A disk is full.');
    const [newest] = (await run('show', 'incident', incident.id)).incident_updates;
    await run('update', 'update', incident.id, newest.id, 'body=The disk is full.');
    expect(await run('update', 'page', 'name=My ledger')).toMatchObject({ name: 'My ledger' });

    expect(await status('show')).toMatch(
      /My ledger {2}https:\/\/ledger\.example\.org\/status.*\nMajor System Outage\n[\s\S]*major_outage +\w{12} +Mirror - Mirror REST API[\s\S]*identified +critical/,
    );
    const server = await startTestServer({ env });
    const summary = (await (await fetch(`${server.url}/api/v2/summary.json`)).json()) as Record<
      string,
      unknown
    >;
    expect(summary).toMatchObject({
      page: { name: 'My ledger' },
      incidents: [
        { id: incident.id, incident_updates: [{ body: 'The disk is full.' }, { body: 'Many fail.' }] },
      ],
    });
    // The server runs, and the command changes its page.
    await run('update', 'incident', incident.id, 'status=resolved', `components[${api.id}]=operational`);
    const incidents = async () => {
      const answer = await fetch(`${server.url}/api/v2/summary.json`);
      return ((await answer.json()) as { incidents: unknown[] }).incidents;
    };
    await expect.poll(incidents).toEqual([]);
    await server.close();
    expect(await status('audit')).toMatch(/command +incident\.update +\w{12} +status, /);
    expect(await status('list incidents')).toMatch(/resolved +critical .* Reads fail/);
  });

  test('deletes things, and says what is not there', async () => {
    const api = await run('create', 'component', 'name=A');
    expect(await status(`delete component ${api.id}`)).toBe(`Component ${api.id} is deleted.`);
    await expect(run('delete', 'component', api.id)).rejects.toThrow('Component not found');
    await expect(run('create', 'component', 'name=', 'status=up')).rejects.toThrow(
      "Name can't be blank, Status is not included in the list",
    );
  });

  test('subscribes endpoints, and shows their secret once', async () => {
    const made = await run(
      'create',
      'subscriber',
      'endpoint=https://example.org/hook',
      'email=ops@example.org',
    );
    const { secret, ...members } = made;
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(await run('show', 'subscriber', made.id)).toEqual(members);
    expect(await status('list subscribers')).toMatch(
      /\w{12} .* ops@example\.org +https:\/\/example\.org\/hook/,
    );
    expect(JSON.parse(await status('list subscribers', { json: true }))).toEqual([members]);
    await expect(run('create', 'subscriber', 'endpoint=http://127.0.0.1/')).rejects.toThrow(
      'STATUS_WEBHOOK_PRIVATE',
    );
    expect(await run('delete', 'subscriber', made.id)).toEqual(members);
    expect(await status('audit')).not.toContain(secret);
    await expect(run('show', 'subscriber', made.id)).rejects.toThrow('Subscriber not found');
  });

  test('a command with other settings leaves the address of the page alone', async () => {
    await run('create', 'component', 'name=A');
    env = { DATABASE_URL: env['DATABASE_URL'] ?? '' };
    expect((await run('show', 'page')).url).toBe('https://ledger.example.org/status');
  });

  test('makes a token whose line the server takes', async () => {
    const text = await status('token deploy');
    const [, token = '', line = ''] =
      /token \(shown only now\): +(\S+)\nentry of STATUS_TOKENS: +(\S+)/.exec(text) ?? [];
    expect(line).toMatch(/^deploy:write:[0-9a-f]{64}$/);
    expect(await status('token ci', { read: true })).toContain('ci:read:');
    const server = await startTestServer({ env: { STATUS_TOKENS: line } });
    const answer = await fetch(`${server.url}/v1/pages`, { headers: { authorization: `oauth ${token}` } });
    expect(answer.status).toBe(200);
    await server.close();
  });

  test.each([
    [['jump'], 'Unknown action "jump"'],
    [['create', 'page'], 'Name one of: component, group, incident, subscriber'],
    [['create', 'component', 'API'], '"API" is not a member such as name=API'],
    [['update', 'incident', 'status=resolved'], 'Name the id of the incident'],
    [['create', 'incident', 'name=a', 'name[x]=b'], 'contradict'],
    [['token', 'two words'], 'Name the token'],
  ])('%o is refused with the way to say it', async (words, text) => {
    await expect(run(...words)).rejects.toThrow(text);
  });
});
