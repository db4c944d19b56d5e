import type { Registry } from 'prom-client';
import { REQUEST_SECONDS } from '../http/metrics.ts';
import { everyMinute, type HealthProbe, type ProbeSample, worstSample } from '../status/index.ts';
import { levelAbove, levelFrom, type Thresholds } from '../status/monitor/thresholds.ts';
import type { Clock } from '../values/clock.ts';

/** A request that does not leave the process. */
export type InternalRequest = (request: {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Record<string, string>;
  readonly payload?: Buffer;
}) => Promise<{ readonly statusCode: number; readonly body: string }>;

/** What probes measure with. */
export interface ProbeTools {
  readonly clock: Clock;
  /** Milliseconds of a clock that never jumps. */
  readonly stopwatch: () => number;
  readonly thresholds: Thresholds;
}

/** A probe that sends requests of its own. */
interface RequestProbeParts extends ProbeTools {
  /** Null before the application serves. */
  readonly request: () => InternalRequest | null;
}

interface ApiProbeParts extends RequestProbeParts {
  readonly name: string;
  /** Whether a route belongs to the area. */
  readonly isOwn: (route: string) => boolean;
  /** A light route that reads the database, and the status that it answers. */
  readonly url: string;
  readonly expected: number;
  readonly registry: Registry;
}

const WINDOW_MS = 300_000;
/** Fewer calls say nothing about shares. */
const FEWEST_CALLS = 20;

interface Snapshot extends RequestCounts {
  readonly at: number;
  /** Requests of this probe until then, which are no real calls. */
  readonly own: number;
}

/** One light request, and the share of errors and of slow answers of real calls. @see contracts/status.md section 7 */
export function createApiProbe(parts: ApiProbeParts): HealthProbe {
  const { name, isOwn, url, expected, registry, clock, stopwatch, thresholds } = parts;
  let snapshots: readonly Snapshot[] = [];
  let own = 0;

  async function ask(send: InternalRequest): Promise<ProbeSample> {
    const begin = stopwatch();
    own += 1;
    const { statusCode } = await send({ method: 'GET', url });
    const durationMs = stopwatch() - begin;
    const ms = Math.round(durationMs);
    if (statusCode !== expected) return { level: 'major_outage', detail: `${url} answers ${statusCode}` };
    return { level: levelAbove(ms, thresholds.request), detail: `${url} took ${ms} ms`, durationMs };
  }

  async function judgeCalls(): Promise<ProbeSample> {
    const now: Snapshot = { ...(await countRequests(registry, isOwn)), at: clock.now(), own };
    snapshots = [...snapshots.filter(({ at }) => now.at - at <= WINDOW_MS && at <= now.at), now];
    // The first one is no older than the window; before it nothing is known.
    const first = snapshots[0] ?? now;
    const total = now.total - first.total - (now.own - first.own);
    if (total < FEWEST_CALLS) return { level: 'operational', detail: null };
    const errors = (100 * (now.errors - first.errors)) / total;
    const slow = (100 * (now.slow - first.slow)) / total;
    return worstSample([
      {
        level: levelFrom(errors, thresholds.errors),
        detail: `${Math.round(errors)} % of ${total} calls failed`,
      },
      {
        level: levelAbove(slow, thresholds.slow),
        detail: `${Math.round(slow)} % of ${total} calls took more than a second`,
      },
    ]);
  }

  return {
    name,
    async check() {
      const send = parts.request();
      if (send === null) return null;
      const asked = await ask(send);
      return { ...worstSample([asked, await judgeCalls()]), durationMs: asked.durationMs };
    },
  };
}

/** Requests of an area since the start of the process. */
interface RequestCounts {
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
async function countRequests(registry: Registry, isOwn: (route: string) => boolean): Promise<RequestCounts> {
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

interface FeeProbeParts extends RequestProbeParts {
  /** A serialized transaction that every schedule prices. */
  readonly sample: Buffer;
}

/** The estimate of one fixed transaction, every minute. @see contracts/status.md section 7 */
export function createFeeProbe({
  sample,
  request,
  clock,
  stopwatch,
  thresholds,
}: FeeProbeParts): HealthProbe {
  const isTime = everyMinute(clock);
  return {
    name: 'fee-estimation',
    async check() {
      const send = request();
      if (send === null || !isTime()) return null;
      const begin = stopwatch();
      const { statusCode, body } = await send({
        method: 'POST',
        url: '/api/v1/network/fees',
        headers: { 'content-type': 'application/protobuf' },
        payload: sample,
      });
      const durationMs = stopwatch() - begin;
      const ms = Math.round(durationMs);
      if (statusCode !== 200) return { level: 'major_outage', detail: `an estimate returned ${statusCode}` };
      if (!/"total":[1-9]\d*[,}]/.test(body))
        return { level: 'partial_outage', detail: 'an estimate has no total' };
      return { level: levelAbove(ms, thresholds.estimate), detail: `an estimate took ${ms} ms`, durationMs };
    },
  };
}
