import type { IncomingMessage } from 'node:http';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { BodyIntake } from '../../../http/bodies/body-intake.ts';
import { andThen } from '../../../values/and-then.ts';
import { MirrorError } from '../../error-schema.ts';
import { decodeTransaction } from '../decode/decode-transaction.ts';
import { estimateFee } from '../pricing/estimate-fee.ts';
import { estimateInDetail } from './detailed-estimate.ts';
import { printDetailedAnswer, printFeeAnswer } from './fee-answer.ts';
import { checkFeeHeaders, parseFeeQuery } from './fee-request.ts';
import { readBody } from './read-body.ts';
import { FeeEstimateAnswer, FeeEstimateBody, FeeEstimateQuery } from './schemas.ts';
import { type EstimateSources, sendEstimate } from './send-estimate.ts';

export interface FeeRoutesDependencies extends EstimateSources {
  readonly bodies: BodyIntake;
  /** Largest request body in bytes. Default 139264 (136 KiB), enough for a jumbo Ethereum transaction. */
  readonly bodyLimitBytes?: number;
}

export const DEFAULT_FEE_BODY_LIMIT = 139_264;

const NO_BYTES = new Uint8Array(0);

/**
 * Serves `POST /api/v1/network/fees`. Throws `MirrorApiError` for everything but 200. Without further details nothing is
 * waited for.
 *
 * @see contracts/fees-estimate.md, contracts/seed.txt section 4.6
 */
export function feeRoutes(dependencies: FeeRoutesDependencies): FastifyPluginAsync {
  const { bodies, bodyLimitBytes = DEFAULT_FEE_BODY_LIMIT, ...sources } = dependencies;
  return async (app) => {
    // Fastify's own parsers would take text and JSON; here one parser reads what the header check let through.
    app.removeAllContentTypeParsers();
    // The exact names are found without a search; other spellings of them come to the last one.
    app.addContentTypeParser(
      ['application/protobuf', 'application/x-protobuf', '*'],
      (request: FastifyRequest, payload: IncomingMessage, done) =>
        readBody(bodies, payload, request.headers, bodyLimitBytes, done),
    );
    // The documented query and body describe the request; its reading is done by hand, with the specification's texts.
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
      },
      (request, reply) => {
        const query = parseFeeQuery(request.query);
        const body = request.body instanceof Uint8Array ? request.body : NO_BYTES;
        return sendEstimate(sources, request, reply, (context) => {
          const transaction = decodeTransaction(body);
          if (query.signatures !== null || query.details.size > 0) {
            return estimateInDetail(transaction, { ...context, query }).then(printDetailedAnswer);
          }
          const { reportFault, schedule, state } = context;
          const { highVolumeThrottle, mode } = query;
          // Members by name: merging two objects costs as much as decoding.
          return andThen(
            estimateFee({ transaction, mode, highVolumeThrottle, schedule, state, reportFault }),
            printFeeAnswer,
          );
        });
      },
    );
  };
}
