import type { FastifyRequest } from 'fastify';
import type { ErrorAnswer, ErrorMapper } from '../http/area.ts';
import { BodyError } from '../http/bodies/body-errors.ts';
import { EdgeRefusal } from '../http/edge/edge-refusal.ts';
import { isStorageError } from '../values/storage-errors.ts';
import {
  BadBodyError,
  StatusConflictError,
  StatusNotFoundError,
  StatusParameterError,
  StatusRateError,
  StatusValidationError,
} from './errors.ts';
import { STATUS_PATHS } from './paths.ts';
import { isObject } from './rules/input-members.ts';

/** Texts by status for everything that is not a domain error. @see contracts/status.md section 4, Errors */
export const TEXTS: Readonly<Record<number, string>> = {
  400: 'Invalid request body',
  401: 'Could not authenticate',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Request timeout',
  409: 'Conflict',
  413: 'Request body too large',
  415: 'Unsupported media type',
  429: 'Rate limit exceeded',
  503: 'Service unavailable',
};

/** The router's codes for a path with a broken escape and for one with a segment longer than any id. */
const NAMES_NOTHING: ReadonlySet<string> = new Set(['FST_ERR_BAD_URL', 'FST_ERR_MAX_PARAM_LENGTH']);

const FAULT = 'Internal server error';

/**
 * Error bodies of the status area: `{error, message}`, and `{error}` alone for public paths.
 *
 * @param isKnown whether a request carries a token that counts: nobody else learns which paths there are.
 * @see contracts/status.md sections 2 and 4
 */
export function createStatusErrors(isKnown: (request: FastifyRequest) => boolean): ErrorMapper {
  const isStranger = (request: FastifyRequest) => STATUS_PATHS.isManaged(request.url) && !isKnown(request);
  return {
    fromError(error, request) {
      if (error instanceof StatusNotFoundError) {
        // Public clients know one text for whatever is not there.
        return STATUS_PATHS.isManaged(request.url)
          ? answer(request, 404, error.message)
          : answer(request, 404);
      }
      if (error instanceof StatusValidationError) {
        return { statusCode: 422, body: { error: error.problems, message: error.message } };
      }
      if (error instanceof StatusParameterError) return answer(request, 400, error.message);
      if (error instanceof StatusRateError) {
        return { ...answer(request, 429), headers: { 'retry-after': String(error.retryAfterSeconds) } };
      }
      // Whoever sends a body to a path of management was known before it was read.
      if (error instanceof BodyError) return { ...answer(request, error.statusCode), headers: error.headers };
      if (error instanceof EdgeRefusal) return answer(request, error.statusCode, error.message);
      if (isStorageError(error)) {
        // Public clients know one text; those who change the page are told why they cannot.
        const told = STATUS_PATHS.isManaged(request.url)
          ? answer(request, 503, error.message)
          : answer(request, 503);
        return { ...told, headers: { 'retry-after': String(error.retryAfterSeconds) } };
      }
      const statusCode = statusCodeOf(error);
      return isStranger(request) && statusCode < 500 ? answer(request, 401) : answer(request, statusCode);
    },
    notFound: (request) => answer(request, isStranger(request) ? 401 : 404),
    methodNotAllowed: (request, allowed) =>
      isStranger(request)
        ? answer(request, 401)
        : { ...answer(request, 405), headers: { allow: allowed.join(', ') } },
  };
}

/** The text is that of the status unless a domain error brings its own. */
function answer(request: FastifyRequest, statusCode: number, text = textOf(statusCode)): ErrorAnswer {
  return {
    statusCode,
    body: STATUS_PATHS.isManaged(request.url) ? { error: text, message: text } : { error: text },
  };
}

/** The text of a status. */
export function textOf(statusCode: number): string {
  return TEXTS[statusCode] ?? (statusCode < 500 ? 'Bad request' : FAULT);
}

/** Fastify and its plugins give their errors a status; anything else is a fault of ours. */
function statusCodeOf(error: unknown): number {
  if (error instanceof BadBodyError) return 400;
  if (error instanceof StatusConflictError) return 409;
  if (!isObject(error)) return 500;
  if (NAMES_NOTHING.has(String(error['code']))) return 404;
  const statusCode = error['statusCode'];
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode <= 599 ? statusCode : 500;
}
