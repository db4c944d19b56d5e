import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Histogram, type Registry } from 'prom-client';

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

/**
 * Times every request of a listener.
 *
 * Routes are labelled by their pattern, never by the path: a label per address would grow without bound.
 */
export function timeRequests(app: FastifyInstance, registry: Registry): void {
  const seconds = requestSeconds(registry);
  // Looking labels up costs more than counting, so each combination is looked up once.
  const series = new Map<string, ReturnType<typeof seconds.labels>>();
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown');
    const key = `${request.method} ${reply.statusCode} ${route}`;
    let one = series.get(key);
    if (one === undefined) {
      one = seconds.labels({ method: request.method, route, status: String(reply.statusCode) });
      series.set(key, one);
    }
    one.observe(reply.elapsedTime / 1000);
    done();
  });
}

/** The shared and the status listener count into one metric. */
function requestSeconds(registry: Registry): Histogram<'method' | 'route' | 'status'> {
  const name = 'ledgerlens_http_request_duration_seconds';
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
