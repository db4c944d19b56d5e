import type { FastifyRequest } from 'fastify';
import type { ErrorAnswer, ErrorMapper } from '../http/area.ts';
import { StatusNotFoundError, StatusValidationError } from './errors.ts';
import { isObject } from './rules/input-members.ts';

/** Texts by status for everything that is not a domain error. @see contracts/status.md section 4, Errors */
const TEXTS: Readonly<Record<number, string>> = {
  400: 'Invalid request body',
  401: 'Could not authenticate',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  413: 'Request body too large',
  415: 'Unsupported media type',
  429: 'Rate limit exceeded',
  503: 'Service unavailable',
};

const FAULT = 'Internal server error';

/**
 * Error bodies of the status area: `{error, message}`, and `{error}` alone for public paths.
 *
 * @see contracts/status.md sections 2 and 4
 */
export const statusErrors: ErrorMapper = {
  fromError(error, request) {
    if (error instanceof StatusNotFoundError) return answer(request, 404, error.message);
    if (error instanceof StatusValidationError) {
      return { statusCode: 422, body: { error: error.problems, message: error.message } };
    }
    // A path with a broken escape names nothing.
    if (isObject(error) && error['code'] === 'FST_ERR_BAD_URL') return answer(request, 404, 'Not found');
    const statusCode = statusCodeOf(error);
    return answer(request, statusCode, TEXTS[statusCode] ?? (statusCode < 500 ? 'Bad request' : FAULT));
  },
  notFound: (request) => answer(request, 404, 'Not found'),
  methodNotAllowed: (request, allowed) => ({
    ...answer(request, 405, 'Method not allowed'),
    headers: { allow: allowed.join(', ') },
  }),
};

function answer(request: FastifyRequest, statusCode: number, text: string): ErrorAnswer {
  const isManagement = /^\/v1(?:[/?]|$)/i.test(request.url);
  return { statusCode, body: isManagement ? { error: text, message: text } : { error: text } };
}

/** Fastify and its plugins give their errors a status; anything else is a fault of ours. */
function statusCodeOf(error: unknown): number {
  const statusCode = isObject(error) ? error['statusCode'] : undefined;
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode <= 599 ? statusCode : 500;
}
