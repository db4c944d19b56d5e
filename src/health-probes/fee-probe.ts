import type { HealthProbe } from '../status/index.ts';
import { type Limits, levelAbove } from '../status/monitor/thresholds.ts';
import type { Clock } from '../values/clock.ts';
import type { InternalRequest } from './api-probe.ts';

interface FeeProbeParts {
  /** A serialized transaction that every schedule prices. */
  readonly sample: Buffer;
  /** Null before the application serves. */
  readonly request: () => InternalRequest | null;
  readonly clock: Clock;
  readonly stopwatch: () => number;
  /** Of the milliseconds of an estimate. */
  readonly limits: Limits;
}

const ASK_MS = 60_000;

/** The estimate of one fixed transaction, every minute. @see contracts/status.md section 7 */
export function createFeeProbe({ sample, request, clock, stopwatch, limits }: FeeProbeParts): HealthProbe {
  let askedAt: number | null = null;
  return {
    name: 'fee-estimation',
    async check() {
      const send = request();
      const now = clock.now();
      if (send === null || (askedAt !== null && Math.abs(now - askedAt) < ASK_MS)) return null;
      askedAt = now;
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
      return { level: levelAbove(ms, limits), detail: `an estimate took ${ms} ms`, durationMs };
    },
  };
}
