import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { mapMaybe } from '../../../values/map-maybe.ts';
import { MirrorApiError } from '../../errors.ts';
import { UnpriceableTransactionError } from '../fee-errors.ts';
import type { FeeStateSource } from '../pricing/fee-state.ts';
import type { FeeSchedule } from '../schedule/fee-schedule.ts';
import type { FeeScheduleSource, ScheduleOrigin } from '../schedule/fee-schedule-source.ts';
import { printScheduleOrigin } from './fee-answer.ts';
import type { UsedRate } from './fee-money.ts';
import { badRequest } from './fee-request.ts';

/** What both routes estimate with. */
export interface EstimateSources {
  readonly schedules: Pick<FeeScheduleSource, 'current'>;
  readonly state: FeeStateSource;
  /** The exchange rate of now; null while none is known. */
  readonly rateNow: () => Promise<UsedRate | null>;
}

/** What a single estimate is given. */
export interface EstimateContext {
  readonly schedule: FeeSchedule;
  readonly origin: ScheduleOrigin;
  readonly state: FeeStateSource;
  readonly rateNow: () => Promise<UsedRate | null>;
  readonly reportFault: (error: unknown, entity: string) => void;
}

/**
 * Gives the schedule of now, at once when there is nothing to wait for, and what else an estimate needs.
 *
 * @throws MirrorApiError 503 when there is no schedule.
 */
export function estimateContext(
  { rateNow, schedules, state }: EstimateSources,
  request: FastifyRequest,
): EstimateContext | Promise<EstimateContext> {
  return mapMaybe(schedules.current(), (current) => {
    if (current === null) throw new MirrorApiError(503, [{ message: 'Service Unavailable' }]);
    const { origin, schedule } = current;
    const reportFault = (err: unknown, entity: string) =>
      request.log.warn({ reqId: request.id, err, entity }, 'state for a fee estimate');
    return { schedule, origin, state, rateNow, reportFault };
  });
}

/** Sends the JSON text of an estimate. */
export function sendEstimate(reply: FastifyReply, { origin }: EstimateContext, text: string): void {
  reply
    .header('x-fee-schedule', printScheduleOrigin(origin))
    .header('content-type', 'application/json; charset=utf-8')
    .send(text);
}

/** What Fastify has to wait for: nothing when the answer was sent already. */
export function whenSent(reply: FastifyReply, sent: void | Promise<void>): Promise<FastifyReply> | undefined {
  return sent instanceof Promise ? sent.then(() => reply) : undefined;
}

/** Answers 400 to whatever cannot be priced. */
export function refuseUnpriceable(app: FastifyInstance): void {
  app.setErrorHandler((error) => {
    throw error instanceof UnpriceableTransactionError ? badRequest(error.message, error) : error;
  });
}
