import type { IncomingMessage } from 'node:http';
import type { FastifyBodyParser, FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { BodyIntake } from '../../../http/bodies/body-intake.ts';
import { andThen } from '../../../values/and-then.ts';
import { MirrorError } from '../../error-schema.ts';
import { parseTransactionText } from '../decode/transaction-text.ts';
import { estimateList } from './estimate-list.ts';
import { printListAnswer } from './fee-answer.ts';
import { ALL_DETAILS, badRequest, parseFeeQuery } from './fee-request.ts';
import { FeeEstimateQuery, FeeListAnswer, FeeListBody } from './schemas.ts';
import {
  type EstimateSources,
  estimateContext,
  refuseUnpriceable,
  sendEstimate,
  whenSent,
} from './send-estimate.ts';

interface FeeJsonRoutesDependencies extends EstimateSources {
  readonly bodies: BodyIntake;
  /** Largest transaction or list in bytes. */
  readonly bodyLimitBytes: number;
}

/** Hexadecimal text has twice the length; the rest is for the JSON around it. */
const TEXT_FACTOR = 2;
const JSON_ALLOWANCE = 4096;

/**
 * Serves `POST /api/v1/network/fees/estimate`: the same estimates for a transaction, or a list of them, in JSON.
 *
 * The answer has every detail that there is.
 *
 * @see contracts/fees-estimate.md section 12, JSON input and TransactionList input
 */
export function feeJsonRoutes(dependencies: FeeJsonRoutesDependencies): FastifyPluginAsync {
  const { bodies, bodyLimitBytes, ...sources } = dependencies;
  const textLimitBytes = bodyLimitBytes * TEXT_FACTOR + JSON_ALLOWANCE;
  return async (app) => {
    const parseJson = app.getDefaultJsonParser('error', 'error') as FastifyBodyParser<string>;
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('application/json', (request: FastifyRequest, payload: IncomingMessage, done) =>
      bodies.read(payload, request.headers, textLimitBytes, (error, body) => {
        if (body === undefined) return done(error);
        body.release();
        parseJson(request, Buffer.concat(body.parts).toString('utf8'), done);
      }),
    );
    // Query and body are read by hand, with texts that name the remedy.
    app.setValidatorCompiler(() => () => true);
    refuseUnpriceable(app);
    app.post<{ Querystring: Record<string, unknown> }>(
      '/api/v1/network/fees/estimate',
      {
        schema: {
          tags: ['mirror'],
          summary: 'Estimate the fees of transactions that are given as text, with every detail',
          querystring: FeeEstimateQuery,
          body: FeeListBody,
          response: {
            200: FeeListAnswer,
            ...Object.fromEntries([400, 413, 415, 503].map((status) => [status, MirrorError])),
          },
        },
      },
      (request, reply) => {
        const query = { ...parseFeeQuery(request.query), details: ALL_DETAILS };
        const bytes = transactionOf(request.body);
        const sent = andThen(estimateContext(sources, request), async (context) => {
          const estimates = await estimateList(bytes, { ...context, query });
          sendEstimate(reply, context, printListAnswer(estimates));
        });
        return whenSent(reply, sent);
      },
    );
  };
}

/** @throws MirrorApiError 400 naming what the body must hold. */
function transactionOf(body: unknown): Uint8Array {
  const text =
    typeof body === 'object' && body !== null && 'transaction' in body ? body.transaction : undefined;
  if (typeof text !== 'string') {
    throw badRequest(
      'The body must be a JSON object with the member transaction: base64 or hexadecimal text',
    );
  }
  const bytes = parseTransactionText(text);
  if (bytes === null) throw badRequest('transaction must be base64 or hexadecimal text');
  return bytes;
}
