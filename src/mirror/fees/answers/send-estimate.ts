import type { FastifyReply, FastifyRequest } from 'fastify';
import { andThen } from '../../../values/and-then.ts';
import { MirrorApiError } from '../../errors.ts';
import { UnpriceableTransactionError } from '../fee-errors.ts';
import type { FeeStateSource } from '../pricing/fee-state.ts';
import type { FeeSchedule } from '../schedule/fee-schedule.ts';
import type { FeeScheduleSource } from '../schedule/fee-schedule-source.ts';
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
  readonly state: FeeStateSource;
  readonly rateNow: () => Promise<UsedRate | null>;
  readonly reportFault: (error: unknown, entity: string) => void;
}

/**
 * Makes an answer with the schedule of now and sends it.
 *
 * @param print gives the JSON text, at once when there is nothing to wait for.
 * @returns what Fastify has to wait for; undefined when the answer was sent already.
 * @throws MirrorApiError 400 for whatever cannot be priced, 503 when there is no schedule.
 */
export function sendEstimate(
  { rateNow, schedules, state }: EstimateSources,
  request: FastifyRequest,
  reply: FastifyReply,
  print: (context: EstimateContext) => string | Promise<string>,
): Promise<FastifyReply> | undefined {
  const answer = andThen(schedules.current(), (current) => {
    if (current === null) throw new MirrorApiError(503, [{ message: 'Service Unavailable' }]);
    const context: EstimateContext = {
      schedule: current.schedule,
      state,
      rateNow,
      reportFault: (err, entity) =>
        request.log.warn({ reqId: request.id, err, entity }, 'state for a fee estimate'),
    };
    return andThen(
      refusing(() => print(context)),
      (text) => {
        reply
          .header('x-fee-schedule', printScheduleOrigin(current.origin))
          .header('content-type', 'application/json; charset=utf-8')
          .send(text);
      },
    );
  });
  return answer instanceof Promise ? answer.then(() => reply) : undefined;
}

function refusing(print: () => string | Promise<string>): string | Promise<string> {
  try {
    const text = print();
    return text instanceof Promise ? text.catch(refuse) : text;
  } catch (error) {
    return refuse(error);
  }
}

function refuse(error: unknown): never {
  if (error instanceof UnpriceableTransactionError) throw badRequest(error.message, error);
  throw error;
}
