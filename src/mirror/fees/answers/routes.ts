import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyBodyParser, FastifyPluginAsync, FastifyRequest } from 'fastify';
import { BodyError } from '../../../http/bodies/body-errors.ts';
import type { BodyHeaders, BodyIntake } from '../../../http/bodies/body-intake.ts';
import { mapMaybe } from '../../../values/map-maybe.ts';
import { MirrorError } from '../../error-schema.ts';
import {
  type DecodedTransaction,
  decodeTransaction,
  parseTransactionText,
} from '../decode/decode-transaction.ts';
import { estimateFee } from '../pricing/estimate-fee.ts';
import { estimateInDetail, estimateList } from './detailed-estimate.ts';
import { printDetailedAnswer, printFeeAnswer, printListAnswer } from './fee-answer.ts';
import {
  ALL_DETAILS,
  badRequest,
  bodyTooLarge,
  checkFeeHeaders,
  type FeeQuery,
  parseFeeQuery,
} from './fee-request.ts';
import {
  FeeEstimateAnswer,
  FeeEstimateBody,
  FeeEstimateQuery,
  FeeListAnswer,
  FeeListBody,
} from './schemas.ts';
import {
  type EstimateContext,
  type EstimateSources,
  estimateContext,
  refuseUnpriceable,
  sendEstimate,
  whenSent,
} from './send-estimate.ts';

interface FeeRoutesDependencies extends EstimateSources {
  readonly bodies: BodyIntake;
  /** Largest request body in bytes. */
  readonly bodyLimitBytes: number;
}

const NO_BYTES = new Uint8Array(0);

/**
 * Serves `POST /api/v1/network/fees`. Throws `MirrorApiError` for everything but 200. Without further details nothing is
 * waited for.
 *
 * @see contracts/fees-estimate.md, contracts/seed.txt section 4.6
 */
export function feeRoutes(dependencies: FeeRoutesDependencies): FastifyPluginAsync {
  const { bodies, bodyLimitBytes, ...sources } = dependencies;
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
    refuseUnpriceable(app);
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
        // A promise in between only where something has to be waited for.
        const sent = mapMaybe(estimateContext(sources, request), (context) => {
          const transaction = decodeTransaction(body);
          const text = printedEstimate(transaction, query, context);
          return mapMaybe(text, (printed) => sendEstimate(reply, context, printed));
        });
        return whenSent(reply, sent);
      },
    );
  };
}

function printedEstimate(
  transaction: DecodedTransaction,
  query: FeeQuery,
  context: EstimateContext,
): string | Promise<string> {
  if (query.signatures !== null || query.details.size > 0) {
    return estimateInDetail(transaction, { ...context, query }).then(printDetailedAnswer);
  }
  const { reportFault, schedule, state } = context;
  const { highVolumeThrottle, mode } = query;
  // Members by name: merging two objects costs as much as decoding.
  const estimate = estimateFee({ transaction, mode, highVolumeThrottle, schedule, state, reportFault });
  return mapMaybe(estimate, printFeeAnswer);
}

/**
 * Reads the bytes of a transaction, with the refusals of the contract.
 *
 * @param done called once: with a MirrorApiError 413 as soon as more than `limitBytes` have arrived, with a 400 when the
 * client breaks off, with another refusal of the intake, else with the body.
 * @see contracts/fees-estimate.md section 7
 */
function readBody(
  bodies: BodyIntake,
  payload: Readable,
  headers: BodyHeaders,
  limitBytes: number,
  done: (error: Error | null, body?: Buffer) => void,
): void {
  bodies.read(payload, headers, limitBytes, (error, body) => {
    if (body === undefined) {
      done(inWordsOfTheContract(error, limitBytes));
      return;
    }
    const [only] = body.parts;
    const bytes = body.parts.length === 1 && only !== undefined ? only : Buffer.concat(body.parts);
    // An estimate is made before anything else happens; what needs look-ups holds no more than its connection does.
    body.release();
    done(null, bytes);
  });
}

function inWordsOfTheContract(error: Error | null, limitBytes: number): Error | null {
  if (!(error instanceof BodyError)) return error;
  if (error.code === 'body_too_large') return bodyTooLarge(Number(error.details['bytes']), limitBytes);
  return error.code === 'body_broken_off' ? badRequest('Failed to read request', error.cause) : error;
}

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
          summary: 'Estimate the fees of transactions sent as text, with every detail',
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
        const sent = mapMaybe(estimateContext(sources, request), async (context) => {
          const estimates = await estimateList(bytes, { ...context, query });
          sendEstimate(reply, context, await printListAnswer(estimates));
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
