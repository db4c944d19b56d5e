import type { IncomingMessage } from 'node:http';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { andThen } from '../../values/and-then.ts';
import { MirrorError } from '../error-schema.ts';
import { MirrorApiError } from '../errors.ts';
import { decodeTransaction } from './decode-transaction.ts';
import { estimateFee, type FeeEstimate, type FeeEstimateRequest } from './estimate-fee.ts';
import { printFeeAnswer, printScheduleOrigin } from './fee-answer.ts';
import { UnpriceableTransactionError } from './fee-errors.ts';
import { badRequest, checkFeeHeaders, parseFeeQuery } from './fee-request.ts';
import type { CurrentSchedule, FeeScheduleSource } from './fee-schedule-source.ts';
import type { FeeStateSource } from './fee-state.ts';
import { readBody } from './read-body.ts';
import { FeeEstimateAnswer, FeeEstimateBody, FeeEstimateQuery } from './schemas.ts';

export interface FeeRoutesDependencies {
  readonly schedules: Pick<FeeScheduleSource, 'current'>;
  readonly state: FeeStateSource;
  /** Largest request body in bytes. Default 139264 (136 KiB), enough for a jumbo Ethereum transaction. */
  readonly bodyLimitBytes?: number;
}

export const DEFAULT_FEE_BODY_LIMIT = 139_264;

/**
 * Serves `POST /api/v1/network/fees`. Throws `MirrorApiError` for everything but 200.
 *
 * @see contracts/fees-estimate.md, contracts/seed.txt section 4.6
 */
export function feeRoutes(dependencies: FeeRoutesDependencies): FastifyPluginAsync {
  const { schedules, state, bodyLimitBytes = DEFAULT_FEE_BODY_LIMIT } = dependencies;
  return async (app) => {
    // Fastify's own parsers would take text and JSON; here one parser reads what the header check let through.
    app.removeAllContentTypeParsers();
    // The exact names are found without a search; other spellings of them come to the last one.
    app.addContentTypeParser(
      ['application/protobuf', 'application/x-protobuf', '*'],
      (_request: FastifyRequest, payload: IncomingMessage, done) => readBody(payload, bodyLimitBytes, done),
    );
    // The documented query and body describe the request; its reading is done by hand, with the contract's texts.
    app.setValidatorCompiler(() => () => true);
    app.addHook('onRequest', (request, _reply, done) => {
      checkFeeHeaders(request.headers, bodyLimitBytes);
      done();
    });

    app.post<{ Querystring: Record<string, unknown> }>(
      '/api/v1/network/fees',
      {
        schema: {
          tags: ['mirror'],
          summary: 'Estimate the fees of a transaction before it is submitted',
          consumes: ['application/protobuf', 'application/x-protobuf'],
          querystring: FeeEstimateQuery,
          body: FeeEstimateBody,
          response: {
            200: FeeEstimateAnswer,
            ...Object.fromEntries([400, 406, 413, 415, 503].map((status) => [status, MirrorError])),
          },
        },
        // An answer is a few hundred bytes: looking for something to compress costs more than it could save.
        compress: false,
        decompress: false,
      },
      (request, reply) => {
        const query = parseFeeQuery(request.query);
        const body = request.body instanceof Uint8Array ? request.body : NO_BYTES;
        const send = (estimate: FeeEstimate, { origin }: CurrentSchedule): void => {
          reply
            .header('x-fee-schedule', printScheduleOrigin(origin))
            .header('content-type', 'application/json; charset=utf-8')
            .send(printFeeAnswer(estimate));
        };
        const answer = andThen(schedules.current(), (current) => {
          if (current === null) throw new MirrorApiError(503, [{ message: 'Service Unavailable' }]);
          return andThen(
            answerable(body, {
              ...query,
              schedule: current.schedule,
              state,
              reportFault: (err, entity) =>
                request.log.warn({ reqId: request.id, err, entity }, 'state for a fee estimate'),
            }),
            (estimate) => send(estimate, current),
          );
        });
        // Once it is sent there is nothing to wait for.
        return answer instanceof Promise ? answer.then(() => reply) : undefined;
      },
    );
  };
}

const NO_BYTES = new Uint8Array(0);

/** @throws MirrorApiError 400 for whatever cannot be priced. */
function answerable(
  body: Uint8Array,
  request: Omit<FeeEstimateRequest, 'transaction'>,
): FeeEstimate | Promise<FeeEstimate> {
  try {
    const estimate = estimateFee({ ...request, transaction: decodeTransaction(body) });
    return estimate instanceof Promise ? estimate.catch(refuse) : estimate;
  } catch (error) {
    return refuse(error);
  }
}

function refuse(error: unknown): never {
  if (error instanceof UnpriceableTransactionError) throw badRequest(error.message, error);
  throw error;
}
