import type { FastifyInstance, onResponseHookHandler } from 'fastify';
import { Counter, collectDefaultMetrics, type Metric, Registry } from 'prom-client';
import { RequestHistogram } from './request-histogram.ts';

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
export type ObserveRequest = (method: string, status: number, milliseconds: number) => void;

/** Gives the counter of a route by its pattern, never by a path: a label per address would grow without bound. */
export type RequestObservers = (route: string) => ObserveRequest;

/** Counts requests by method, route and status; listeners share the metric. */
export function requestObservers(registry: Registry): RequestObservers {
  const seconds = requestSeconds(registry);
  const observers = new Map<string, ObserveRequest>();
  return (route) => {
    let observe = observers.get(route);
    if (observe === undefined) {
      observe = observerOf((method, status) => seconds.series({ method, route, status }));
      observers.set(route, observe);
    }
    return observe;
  };
}

/** A route mostly answers as it did before, so the last series is at hand. */
function observerOf(seriesOf: (method: string, status: number) => CountTime): ObserveRequest {
  const known = new Map<string, CountTime>();
  let last: { readonly method: string; readonly status: number; readonly count: CountTime } | null = null;
  return (method, status, milliseconds) => {
    if (last === null || last.method !== method || last.status !== status) {
      const key = `${method} ${status}`;
      const count = known.get(key) ?? seriesOf(method, status);
      known.set(key, count);
      last = { method, status, count };
    }
    last.count(milliseconds / 1000);
  };
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

type CountTime = (seconds: number) => void;

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

/** The shared and the status listener count into one metric. */
function requestSeconds(registry: Registry): RequestHistogram {
  const known: unknown = registry.getSingleMetric(REQUEST_SECONDS);
  if (known instanceof RequestHistogram) return known;
  const help = 'Time from the request to the end of the response';
  const histogram = new RequestHistogram({ name: REQUEST_SECONDS, help, bounds: SECONDS });
  // The registry asks its metrics for `get` and `reset` alone; its type names its own classes.
  registry.registerMetric(histogram as unknown as Metric);
  return histogram;
}
