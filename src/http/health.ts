import type { FastifyInstance } from 'fastify';
import type { Area } from './area.ts';

/** Turned on by a stop signal, before the listener closes, so that a balancer sends no new requests. */
export interface Drain {
  readonly isDraining: boolean;
}

/**
 * `GET /health/liveness` (the process answers) and `GET /health/readiness` (send it requests).
 *
 * Both answer `{"status":"ok"}` with 200 or `{"status":"error"}` with 503; readiness adds what areas report.
 *
 * @see contracts/mirror-transactions.md section 7
 */
export function serveHealth(app: FastifyInstance, areas: readonly Area[], drain: Drain): void {
  app.get('/health/liveness', { schema: { hide: true } }, async () => ({ status: 'ok' }));
  app.get('/health/readiness', { schema: { hide: true } }, async (_request, reply) => {
    const reports = areas.map((area) => area.readiness());
    const isReady = !drain.isDraining && reports.every(({ ready }) => ready);
    const members = Object.assign({}, ...reports.map((report) => report.members));
    return reply
      .code(isReady ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({
        ...members,
        ...(drain.isDraining ? { draining: true } : {}),
        status: isReady ? 'ok' : 'error',
      });
  });
}

/** Tells clients with a kept connection to come back on a new one, which the balancer sends elsewhere. */
export function endConnectionsWhileDraining(app: FastifyInstance, drain: Drain): void {
  app.addHook('onRequest', (_request, reply, done) => {
    if (drain.isDraining) reply.header('connection', 'close');
    done();
  });
}
