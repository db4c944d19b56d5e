import type { FastifyInstance, onResponseHookHandler } from 'fastify';
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** Name of the histogram of requests. */
export const REQUEST_SECONDS = 'ledgerlens_http_request_duration_seconds';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Serves `GET /metrics` in the Prometheus text format, with the figures of the process itself. */
export function serveMetrics(app: FastifyInstance, registry: Registry): void {
  const figures = processFigures();
  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) => {
    const texts = await Promise.all([figures.metrics(), textOf(registry)]);
    return reply.type(registry.contentType).send(texts.join('\n'));
  });
}

/** What cannot be read now is left out: a database that is gone shall not take all other figures with it. */
async function textOf(registry: Registry): Promise<string> {
  const texts = await Promise.all(
    registry.getMetricsAsArray().map(async ({ name }) => {
      try {
        return `${await registry.getSingleMetricAsString(name)}\n`;
      } catch {
        return '';
      }
    }),
  );
  return texts.filter((text) => text !== '').join('\n');
}

let figuresOfProcess: Registry | null = null;

/** Of all servers of the process: their observers never end, and would keep each server that was closed. */
function processFigures(): Registry {
  if (figuresOfProcess === null) {
    figuresOfProcess = new Registry();
    collectDefaultMetrics({ register: figuresOfProcess });
  }
  return figuresOfProcess;
}

/** Counts one request of a route. */
type ObserveRequest = (method: string, status: number, milliseconds: number) => void;

/** Gives the counter of a route by its pattern, never by a path: a label per address would grow without bound. */
export type RequestObservers = (route: string) => ObserveRequest;

/** Counts requests by method, route and status; the shared and the status listener count into one metric. */
export function requestObservers(registry: Registry): RequestObservers {
  const known: unknown = registry.getSingleMetric(REQUEST_SECONDS);
  const seconds =
    known instanceof Histogram
      ? known
      : new Histogram({
          name: REQUEST_SECONDS,
          help: 'Time from the request to the end of the response',
          labelNames: ['method', 'route', 'status'],
          buckets: SECONDS,
          registers: [registry],
        });
  return (route) => (method, status, milliseconds) =>
    seconds.observe({ method, route, status }, milliseconds / 1000);
}

/** Tells how many clients lost their connection since they did not read. */
export function measureUnread(registry: Registry, unsent: { readonly ended: number }): void {
  new Counter({
    name: 'ledgerlens_http_unread_answers_total',
    help: 'Connections closed because the client did not read its responses and others needed the memory',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(unsent.ended);
    },
  });
}

/** Times every request that the router answers; called before routes are added. */
export function timeRequests(app: FastifyInstance, observers: RequestObservers): void {
  // A hook for each route knows its pattern; asking the request for it makes an object of all options.
  app.addHook('onRoute', (route) => {
    const observe = observers(route.url);
    const time: onResponseHookHandler = (request, reply, done) => {
      observe(request.method, reply.statusCode, reply.elapsedTime);
      done();
    };
    route.onResponse = [...[route.onResponse ?? []].flat(), time];
  });
  const observeUnknown = observers('unknown');
  app.addHook('onResponse', (request, reply, done) => {
    if (request.is404) observeUnknown(request.method, reply.statusCode, reply.elapsedTime);
    done();
  });
}
