import type { Registry } from 'prom-client';
import { REQUEST_SECONDS } from '../http/metrics.ts';

/** Requests of an area since the start of the process. */
export interface RequestCounts {
  readonly total: number;
  /** Answered with 500 or more. */
  readonly errors: number;
  /** Slower than a second, of those that are not held open on purpose. */
  readonly slow: number;
}

/** Routes that wait for something on purpose. */
const HELD_OPEN = /:verificationId/;
const SLOW_FROM_SECONDS = '1';

/**
 * Adds up what the edge counts anyway, so that a request costs nothing more.
 *
 * @param isOwn whether a route belongs to the area.
 */
export async function countRequests(
  registry: Registry,
  isOwn: (route: string) => boolean,
): Promise<RequestCounts> {
  const metric = registry.getSingleMetric(REQUEST_SECONDS);
  const counts = { total: 0, errors: 0, slow: 0 };
  if (metric === undefined) return counts;
  const { values } = (await metric.get()) as unknown as {
    readonly values: readonly {
      readonly metricName?: string;
      readonly value: number;
      readonly labels: Readonly<Record<string, string | number>>;
    }[];
  };
  for (const { metricName, value, labels } of values) {
    const route = String(labels['route']);
    if (route === 'unknown' || !isOwn(route)) continue;
    if (metricName === `${REQUEST_SECONDS}_count`) {
      counts.total += value;
      if (Number(labels['status']) >= 500) counts.errors += value;
      if (!HELD_OPEN.test(route)) counts.slow += value;
    } else if (String(labels['le']) === SLOW_FROM_SECONDS && !HELD_OPEN.test(route)) {
      counts.slow -= value;
    }
  }
  return counts;
}
