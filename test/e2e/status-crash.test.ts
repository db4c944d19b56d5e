import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SummaryDocument } from '../../src/status/documents/schemas.ts';
import { createStatusToken } from '../../src/status/manage/tokens.ts';
import { type ServeProcess, startServe, until } from '../support/serve-process.ts';
import { databaseUrlOf } from '../support/tested-backend.ts';

const KILLS = 3;
const TOKEN = createStatusToken('crash', 'write', (count) => new Uint8Array(count).fill(3));
const STATUSES = ['major_outage', 'partial_outage', 'degraded_performance', 'operational'];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'status-crash-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const settings = async () => ({
  DATABASE_URL: await databaseUrlOf(join(folder, 'page.sqlite')),
  STATUS_TOKENS: TOKEN.line,
  STATUS_PROBES_OFF: 'all',
});

async function call(server: ServeProcess, method: string, path: string, body?: unknown) {
  const answer = await fetch(`${server.url}/v1/pages${path}`, {
    method,
    headers: { authorization: `OAuth ${TOKEN.text}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as never };
}

test('a server killed during writes shows the state before or after a call, and every call that it answered', {
  timeout: 120_000,
}, async () => {
  let server = await startServe(await settings(), folder);
  const [{ id: page }] = (await call(server, 'GET', '')).body as [{ id: string }];
  const made = async (noun: string, path: string, members: object) =>
    ((await call(server, 'POST', `/${page}/${path}`, { [noun]: members })).body as { id: string }).id;
  const ids = [
    await made('component', 'components', { name: 'A' }),
    await made('component', 'components', { name: 'B' }),
  ];
  const incident = await made('incident', 'incidents', { name: 'I', component_ids: ids });

  let count = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const begun = count;
    let answered = -1;
    const writing = (async () => {
      for (;;) {
        count += 1;
        const status = STATUSES[count % STATUSES.length];
        const components = Object.fromEntries(ids.map((id) => [id, status]));
        const incidentMembers = { body: `Call ${count}`, components };
        const { status: code } = await call(server, 'PATCH', `/${page}/incidents/${incident}`, {
          incident: incidentMembers,
        });
        if (code === 200) answered = count;
      }
      // The kill ends the request that is under way.
    })().catch(() => undefined);
    await until('some calls were answered', async () => answered > begun + 5 + kill);
    await server.stop('SIGKILL');
    await writing;

    server = await startServe(await settings(), folder);
    const summary = (await (await fetch(`${server.url}/api/v2/summary.json`)).json()) as SummaryDocument;
    const [first, second] = summary.components;
    const [newest] = summary.incidents[0]?.incident_updates ?? [];
    expect(first?.status).toBe(second?.status);
    expect(newest?.affected_components?.map(({ new_status }) => new_status)).toEqual([
      first?.status,
      second?.status,
    ]);
    expect(Number(newest?.body.replace('Call ', ''))).toBeGreaterThanOrEqual(answered);
  }
  await server.stop('SIGTERM');
});
