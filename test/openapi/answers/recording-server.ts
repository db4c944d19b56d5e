import type { FastifyRequest, InjectOptions } from 'fastify';
import type { Area } from '../../../src/http/area.ts';
import { startTestServer, type TestServer, type TestServerSettings } from '../../support/test-server.ts';

/** A real answer of an operation. */
export interface RecordedAnswer {
  /** `METHOD /path/{parameter}`, as in the documents. */
  readonly operation: string;
  readonly status: number;
  /** What the handler gave before it was printed by a schema; otherwise what was sent. */
  readonly value: unknown;
  readonly sent: unknown;
  /** Media type of the answer. */
  readonly type: string;
  readonly body: unknown;
}

/** A server that keeps every answer. */
export interface RecordingServer {
  readonly server: TestServer;
  readonly answers: readonly RecordedAnswer[];
  /** Sends a request and gives what was sent back. */
  ask(method: string, path: string, options?: AskOptions): Promise<{ status: number; body: unknown }>;
}

export interface AskOptions {
  /** JSON, unless it is bytes or a text. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Starts it. A printer that works by a schema leaves out what the schema does not name, so that the answer alone would
 * prove nothing: what handlers give is kept before.
 */
export async function startRecordingServer(settings: TestServerSettings): Promise<RecordingServer> {
  const answers: RecordedAnswer[] = [];
  let route: FastifyRequest['routeOptions'] | null = null;
  let given: { readonly value: unknown } | null = null;
  const watched = (area: Area): Area => ({
    ...area,
    routes: async (app, options) => {
      app.addHook('onRequest', async (request) => {
        route = request.routeOptions;
      });
      app.addHook('preSerialization', async (_request, _reply, payload) => {
        given = { value: plain(payload) };
        return payload;
      });
      await app.register(area.routes, options);
    },
  });
  const server = await startTestServer({ ...settings, area: watched });

  async function ask(method: string, path: string, { body, headers = {} }: AskOptions = {}) {
    route = null;
    given = null;
    const isJson = body !== undefined && typeof body !== 'string' && !Buffer.isBuffer(body);
    const answer = await server.app.inject({
      method: method as NonNullable<InjectOptions['method']>,
      url: path,
      headers: { ...(isJson ? { 'content-type': 'application/json' } : {}), ...headers },
      ...(body === undefined ? {} : { payload: isJson ? JSON.stringify(body) : (body as string) }),
    });
    const isJsonAnswer = String(answer.headers['content-type']).includes('json') && answer.body !== '';
    const sent: unknown = isJsonAnswer ? JSON.parse(answer.body) : answer.body;
    const url = patternOf(
      (route as FastifyRequest['routeOptions'] | null)?.url ?? path.split('?')[0] ?? path,
    );
    const before = (given as { readonly value: unknown } | null) ?? { value: sent };
    const verb = method === 'PUT' && !url.includes('/postmortem') ? 'PATCH' : method;
    const type = String(answer.headers['content-type'] ?? '').split(';')[0] ?? '';
    const operation = `${verb} ${url}`;
    answers.push({ operation, status: answer.statusCode, value: before.value, sent, type, body });
    return { status: answer.statusCode, body: sent };
  }

  return { server, answers, ask };
}

function patternOf(url: string): string {
  return url.replace(/:(\w+)(?:\([^)]*\))?/g, '{$1}').replace('*', '{path}');
}

/** As JSON has it, with integers of any size as numbers. */
function plain(payload: unknown): unknown {
  const text = JSON.stringify(payload, (_name, value: unknown) =>
    typeof value === 'bigint' ? Number(value) : value,
  );
  return text === undefined ? null : (JSON.parse(text) as unknown);
}
