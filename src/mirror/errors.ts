import type { Static } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import type { ErrorAnswer, ErrorMapper } from '../http/area.ts';
import { BodyError } from '../http/bodies/body-errors.ts';
import { LedgerlensError } from '../values/ledgerlens-error.ts';
import { isStorageError } from '../values/storage-errors.ts';
import type { MirrorError } from './error-schema.ts';

/** One entry of `_status.messages`; absent members are left out of the body. */
type MirrorMessage = Readonly<Static<typeof MirrorError>['_status']['messages'][number]>;

/**
 * An answer other than success, with the texts that clients read.
 *
 * @example new MirrorApiError(400, [{ message: 'Bad Request', detail: 'Unable to parse transaction' }])
 * @see contracts/mirror-transactions.md section 7, contracts/fees-estimate.md section 8
 */
export class MirrorApiError extends LedgerlensError {
  readonly statusCode: number;
  readonly messages: readonly MirrorMessage[];

  constructor(
    statusCode: number,
    messages: readonly MirrorMessage[],
    options: { readonly code?: string; readonly cause?: unknown } = {},
  ) {
    super(options.code ?? 'mirror_api', messages.map(describeMessage).join('; '), {
      details: { statusCode },
      ...(options.cause === undefined ? {} : { cause: options.cause }),
    });
    this.statusCode = statusCode;
    this.messages = messages;
  }
}

/** A 400 whose messages stand in the order of the specification's checks. */
export function invalidRequest(messages: readonly string[]): MirrorApiError {
  return new MirrorApiError(
    400,
    messages.map((message) => ({ message })),
  );
}

/** The 404 of every route; `detail` tells people what was looked for. */
export function notFoundError(detail?: string): MirrorApiError {
  return new MirrorApiError(404, [
    detail === undefined ? { message: 'Not found' } : { message: 'Not found', detail },
  ]);
}

/** The 501 of what other mirrors can do and this one cannot; `detail` says what it would need. */
export function notImplementedError(detail: string): MirrorApiError {
  return new MirrorApiError(501, [{ message: 'Not implemented', detail }]);
}

/** The texts that clients compare. @see contracts/mirror-transactions.md section 7 */
export const messages = {
  invalidParameter: (name: string) => `Invalid parameter: ${name}`,
  unknownParameter: (name: string) => `Unknown query parameter: ${name}`,
  tooManyValues: (name: string, count: number, max: number) =>
    `Parameter values count exceeds maximum number allowed: ${name} count: ${count} max: ${max}`,
  invalidEntityId: (text: string) => `Invalid entity ID "${text}"`,
} as const;

/** Reason phrases that `message` carries where no other text is given. */
export const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  404: 'Not found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  417: 'Expectation Failed',
  429: 'Too Many Requests',
  500: 'Internal error',
  503: 'Service unavailable',
};

/** The phrase of a status. */
export function reasonOf(statusCode: number): string {
  return REASONS[statusCode] ?? 'Bad Request';
}

/** The fee estimate is the one path that names a wrong method. @see contracts/fees-estimate.md section 8 */
const FEES_PATH = /^\/api\/v1\/network\/fees\/?$/i;

/** Maps what routes below `/api/v1` throw. @see contracts/mirror-transactions.md section 7 */
export const mirrorErrorMapper: ErrorMapper = {
  fromError(error) {
    if (error instanceof MirrorApiError) {
      const known = answer(error.statusCode, error.messages);
      // The rest of an oversized body is not worth reading.
      return error.statusCode === 413 ? { ...known, headers: { connection: 'close' } } : known;
    }
    if (error instanceof BodyError) {
      const message = reasonOf(error.statusCode);
      return { ...answer(error.statusCode, [{ message, detail: error.message }]), headers: error.headers };
    }
    if (isStorageError(error)) {
      return {
        ...answer(503, [{ message: 'Service unavailable', detail: error.reason }]),
        headers: { 'retry-after': String(error.retryAfterSeconds) },
      };
    }
    const statusCode = clientFaultStatus(error);
    if (statusCode === null) return answer(500, [{ message: 'Internal error' }]);
    const detail = error instanceof Error ? error.message : '';
    const message = reasonOf(statusCode);
    return answer(statusCode, [detail === '' ? { message } : { message, detail }]);
  },
  notFound() {
    return answer(404, [{ message: 'Not found' }]);
  },
  malformedBody(request, fault) {
    return FEES_PATH.test(pathOf(request)) ? null : answer(400, [{ message: fault }]);
  },
  methodNotAllowed(request, allowed) {
    if (!FEES_PATH.test(pathOf(request))) return answer(404, [{ message: 'Not found' }]);
    const detail = `Request method '${request.method}' is not supported`;
    return {
      ...answer(405, [{ message: 'Method Not Allowed', detail }]),
      headers: { allow: allowed.join(', ') },
    };
  },
};

function answer(statusCode: number, list: readonly MirrorMessage[]): ErrorAnswer {
  return { statusCode, body: { _status: { messages: list } } };
}

function describeMessage({ message, detail }: MirrorMessage): string {
  return detail === undefined ? message : `${message}: ${detail}`;
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '';
}

/** The 4xx that Fastify itself gives to unreadable bodies, media types and sizes, or 503 under load. */
function clientFaultStatus(error: unknown): number | null {
  if (typeof error !== 'object' || error === null || !('statusCode' in error)) return null;
  const { statusCode } = error;
  if (typeof statusCode !== 'number') return null;
  return (statusCode >= 400 && statusCode < 500) || statusCode === 503 ? statusCode : null;
}
