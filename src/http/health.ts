import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Area } from './area.ts';
import type { AnswerDirectly } from './direct-answer.ts';

/** Turned on by a stop signal, before the listener closes, so that a balancer sends no new requests. */
export interface Drain {
  readonly isDraining: boolean;
}

const LIVENESS = '/health/liveness';
const READINESS = '/health/readiness';
const HEADERS = ['content-type', 'application/json; charset=utf-8', 'cache-control', 'no-store'] as const;
/** The spellings that the router takes for them too; none that leads elsewhere once its dots are resolved. */
const HEALTH_CHECK = new RegExp(`^/*(?:${LIVENESS}|${READINESS})/?(?:\\?|$)`, 'i');
const ALIVE = Buffer.from('{"status":"ok"}');

/** Whether a request, its target as sent, is one that is answered before everything else. */
export function isHealthCheck({ method, url = '' }: Pick<IncomingMessage, 'method' | 'url'>): boolean {
  return (method === 'GET' || method === 'HEAD') && HEALTH_CHECK.test(url);
}

/** Answers them past the router: nothing may be in their way. */
export function answerHealth(areas: readonly Pick<Area, 'readiness'>[], drain: Drain): AnswerDirectly {
  return (target) => {
    switch (target) {
      case LIVENESS:
        return { statusCode: 200, route: LIVENESS, headers: HEADERS, body: () => ALIVE };
      case READINESS: {
        const { body, isReady } = readiness(areas, drain);
        const bytes = Buffer.from(JSON.stringify(body));
        return { statusCode: isReady ? 200 : 503, route: READINESS, headers: HEADERS, body: () => bytes };
      }
      default:
        return null;
    }
  };
}

/**
 * `GET /health/liveness` (the process answers) and `GET /health/readiness` (send it requests).
 *
 * Both answer `{"status":"ok"}` with 200 or `{"status":"error"}` with 503; readiness adds what areas report.
 *
 * @see contracts/mirror-transactions.md section 7
 */
export function serveHealth(
  app: FastifyInstance,
  areas: readonly Pick<Area, 'readiness'>[],
  drain: Drain,
): void {
  app.get(LIVENESS, { schema: { hide: true } }, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  );
  app.get(READINESS, { schema: { hide: true } }, async (_request, reply) => {
    const { body, isReady } = readiness(areas, drain);
    return reply
      .code(isReady ? 200 : 503)
      .header('cache-control', 'no-store')
      .send(body);
  });
}

function readiness(areas: readonly Pick<Area, 'readiness'>[], { isDraining }: Drain) {
  const reports = areas.map((area) => area.readiness());
  const isReady = !isDraining && reports.every(({ ready }) => ready);
  const members: Readonly<Record<string, unknown>> = Object.assign(
    {},
    ...reports.map((report) => report.members),
  );
  const body = {
    ...members,
    ...(isDraining ? { draining: true } : {}),
    status: isReady ? 'ok' : 'error',
  };
  return { isReady, body };
}
