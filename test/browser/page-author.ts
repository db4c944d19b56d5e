import { createStatusToken } from '../../src/status/manage/tokens.ts';
import type { ManualClock } from '../../src/values/clock.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const TOKEN = createStatusToken('author', 'write', (count) => new Uint8Array(count).fill(5));

/** What a written thing is known by. */
export interface Written {
  readonly id: string;
}

/** A server and somebody who writes its page by the management API. */
export interface PageAuthor {
  readonly server: TestServer;
  readonly clock: ManualClock;
  /** Posts below the page; `noun` is the member that the body has, for example `component`. */
  create(path: string, noun: string, members: Readonly<Record<string, unknown>>): Promise<Written>;
  /** Patches below the page. */
  change(path: string, noun: string, members: Readonly<Record<string, unknown>>): Promise<void>;
}

/** Starts a server of its own with an empty page; the caller closes the server. */
export async function startPageAuthor(
  clock: ManualClock,
  env: Readonly<Record<string, string>> = {},
): Promise<PageAuthor> {
  const server = await startTestServer({
    env: {
      STATUS_TOKENS: TOKEN.line,
      STATUS_TIME_ZONE: 'Europe/Berlin',
      STATUS_BUILTIN_COMPONENTS: 'off',
      ...env,
    },
    clock,
    // What the page does by itself would depend on when the tests run.
    background: false,
  });
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await fetch(`${server.url}/v1/pages${path}`, {
      method,
      headers: { authorization: `OAuth ${TOKEN.text}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answers ${answer.status}: ${text}`);
    return JSON.parse(text);
  };
  const [page] = (await call('GET', '')) as [Written];
  return {
    server,
    clock,
    create: async (path, noun, members) =>
      (await call('POST', `/${page.id}/${path}`, { [noun]: members })) as Written,
    change: async (path, noun, members) => {
      await call('PATCH', `/${page.id}/${path}`, { [noun]: members });
    },
  };
}
