import { createHash } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { runCommandBeside, until } from '../support/serve-process.ts';
import { startTraffic, type Traffic } from '../support/traffic.ts';
import { IS_FULL } from './attack-seconds.ts';
import { type AttackedServer, startAttacked, TOKEN } from './attacked-server.ts';
import { besideInnocents } from './report.ts';

const DOCUMENTS = ['/api/v2/summary.json', '/api/v2/status.json', '/api/v2/components.json', '/status'];
const ROUNDS = 4;
/** @see contracts/status.md section 2: what another process changed shows within a second. */
const SHOWN_WITHIN_MS = 1_000;

let server: AttackedServer | null = null;
let traffic: Traffic | null = null;
afterEach(async () => {
  await traffic?.stop();
  await server?.remove();
});

interface Seen {
  readonly etag: string;
  readonly text: string;
}

/** Every body that ever came under an entity tag; two under one tag are a torn answer. */
class SeenBodies {
  readonly #hashes = new Map<string, string>();

  add(path: string, { etag, text }: Seen): void {
    if (path.endsWith('.json')) JSON.parse(text);
    else expect(text.trimEnd().endsWith('</html>'), path).toBe(true);
    const key = `${path} ${etag}`;
    const hash = createHash('sha256').update(text).digest('hex');
    expect(this.#hashes.get(key) ?? hash, key).toBe(hash);
    this.#hashes.set(key, hash);
  }

  get size(): number {
    return this.#hashes.size;
  }
}

async function read(base: string, path: string): Promise<Seen> {
  const answer = await fetch(base + path, { headers: { accept: 'text/html,application/json' } });
  expect(answer.status).toBe(200);
  return { etag: answer.headers.get('etag') ?? '', text: await answer.text() };
}

test('every change shows everywhere, under a new tag, while the documents are read without pause', {
  timeout: 180_000,
}, async () => {
  const environment = {
    STATUS_TOKENS: TOKEN.line,
    STATUS_PROBES_OFF: 'all',
    STATUS_BUILTIN_COMPONENTS: 'off',
  };
  const attacked = await startAttacked({ env: environment });
  server = attacked;
  const { database, folder, url } = attacked;
  const call = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${url}/v1/pages${path}`, {
      method,
      headers: { authorization: `OAuth ${TOKEN.text}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(answer.ok).toBe(true);
    return (await answer.json()) as { id: string };
  };
  const command = async (...words: readonly string[]) => {
    const { exitCode, errors } = await runCommandBeside(
      ['status', ...words],
      { ...environment, DATABASE_URL: `sqlite:${database}` },
      folder,
    );
    expect(exitCode, errors).toBe(0);
  };
  const [page] = (await call('GET', '')) as unknown as [{ id: string }];
  const { id } = await call('POST', `/${page.id}/components`, { component: { name: 'Name 0' } });

  const seen = new SeenBodies();
  let isOver = false;
  let answers = 0;
  const readers = DOCUMENTS.map(async (path) => {
    while (!isOver) {
      seen.add(path, await read(url, path));
      answers += 1;
    }
  });
  const load = startTraffic(DOCUMENTS.map((path) => url + path));
  traffic = load;
  await until('the load has begun', async () => load.counted().answers > 0);

  let name = 'Name 0';
  /** How long after the call each document showed the change, and under another tag than before. */
  async function change(status: string, make: (name: string) => Promise<unknown>): Promise<number> {
    const before = new Map(
      await Promise.all(DOCUMENTS.map(async (path) => [path, (await read(url, path)).etag] as const)),
    );
    name = `Name ${Number(name.slice(5)) + 1}`;
    await make(name);
    const startedAt = performance.now();
    const shown = await Promise.all(
      DOCUMENTS.map(async (path) => {
        // The short document has only the overall status.
        const mark = path.endsWith('/status.json') ? `"description":"${status}"` : name;
        await until(`${path} shows ${mark}`, async () => {
          const now = await read(url, path);
          if (now.text.includes(mark)) expect(now.etag).not.toBe(before.get(path));
          return now.text.includes(mark);
        });
        return Math.round(performance.now() - startedAt);
      }),
    );
    return Math.max(...shown);
  }

  const byCall: number[] = [];
  const byCommand: number[] = [];
  await besideInnocents('changes of the status page', attacked, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      byCall.push(
        await change('Major System Outage', (next) =>
          call('PATCH', `/${page.id}/components/${id}`, {
            component: { name: next, status: 'major_outage' },
          }),
        ),
      );
      byCommand.push(
        await change('All Systems Operational', (next) =>
          command('update', 'component', id, `name=${next}`, 'status=operational'),
        ),
      );
    }
  });
  isOver = true;
  await Promise.all(readers);
  const counted = load.counted();
  expect(counted).toMatchObject({ failures: 0 });
  expect(counted.answers).toBeGreaterThan(1000);
  console.log(`changes by calls shown after ${byCall} ms, by commands after ${byCommand} ms`);
  if (IS_FULL)
    for (const milliseconds of [...byCall, ...byCommand]) expect(milliseconds).toBeLessThan(SHOWN_WITHIN_MS);
  expect(answers).toBeGreaterThan(100);
  expect(seen.size).toBeGreaterThanOrEqual(DOCUMENTS.length * 2 * ROUNDS);
});
