import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Histogram, type Registry } from 'prom-client';

/** Name of the histogram of requests. */
export const REQUEST_SECONDS = 'ledgerlens_http_request_duration_seconds';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Serves `GET /metrics` in the Prometheus text format, with the figures of the process itself. */
export function serveMetrics(app: FastifyInstance, registry: Registry): void {
  if (registry.getSingleMetric('process_cpu_user_seconds_total') === undefined) {
    collectDefaultMetrics({ register: registry });
  }
  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) => {
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

/** Counts one request of a route; `route` is its pattern, never a path: a label per address would grow without bound. */
export type ObserveRequest = (method: string, route: string, status: number, milliseconds: number) => void;

/** Counts requests by method, route and status; listeners share the metric. */
export function requestObserver(registry: Registry): ObserveRequest {
  const seconds = requestSeconds(registry);
  // Looking labels up costs more than counting, so each combination is looked up once.
  const series = new Map<string, ReturnType<typeof seconds.labels>>();
  return (method, route, status, milliseconds) => {
    const key = `${method} ${status} ${route}`;
    let one = series.get(key);
    if (one === undefined) {
      one = seconds.labels({ method, route, status: String(status) });
      series.set(key, one);
    }
    one.observe(milliseconds / 1000);
  };
}

/** Times every request that the router answers. */
export function timeRequests(app: FastifyInstance, observe: ObserveRequest): void {
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown');
    observe(request.method, route, reply.statusCode, reply.elapsedTime);
    done();
  });
}

/** The shared and the status listener count into one metric. */
function requestSeconds(registry: Registry): Histogram<'method' | 'route' | 'status'> {
  const name = REQUEST_SECONDS;
  const known = registry.getSingleMetric(name);
  if (known instanceof Histogram) return known;
  return new Histogram({
    name,
    help: 'Time from the request to the end of the answer',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: [registry],
  });
}
