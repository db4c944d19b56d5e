import type { FastifyRequest } from 'fastify';
import type { ErrorAnswer, ErrorMapper } from '../http/area.ts';
import { type RequestErrorCode, STATUS_OF_CODE, VerifyRequestError } from './errors.ts';

/**
 * Turns errors into `{customCode, message, errorId}`.
 *
 * @see contracts/verification-api.md sections 2.3 and 8.1
 */
export function createVerifyErrorMapper(newId: () => string): ErrorMapper {
  const answer = (
    code: RequestErrorCode,
    message: string,
    more: { readonly statusCode?: number; readonly headers?: Record<string, string> } = {},
  ): ErrorAnswer => ({
    statusCode: more.statusCode ?? STATUS_OF_CODE[code],
    body: { customCode: code, message, errorId: newId() },
    ...(more.headers === undefined ? {} : { headers: more.headers }),
  });

  return {
    fromError(error) {
      if (error instanceof VerifyRequestError) {
        const { message, retryAfterSeconds } = error;
        const code = error.code as RequestErrorCode;
        if (retryAfterSeconds === null) return answer(code, message);
        return answer(code, message, { headers: { 'Retry-After': String(retryAfterSeconds) } });
      }
      if (isDatabaseBusy(error)) {
        return answer('server_busy', 'The database is busy. Try again.', { headers: { 'Retry-After': '5' } });
      }
      const statusCode = clientErrorStatus(error);
      const message = error instanceof Error ? error.message : String(error);
      if (statusCode === 413) return answer('payload_too_large', message);
      if (statusCode !== null) return answer('invalid_parameter', message);
      return answer('internal_error', 'The server encountered an unexpected error.');
    },
    notFound(request) {
      return answer('route_not_found', `No route ${request.method} ${pathOf(request)}`);
    },
    methodNotAllowed(request, allowed) {
      const message = `${request.method} is not allowed here, only ${allowed.join(', ')}`;
      return answer('route_not_found', message, { statusCode: 405, headers: { Allow: allowed.join(', ') } });
    },
  };
}

/** Another process has held the write lock for too long; nothing was stored. */
function isDatabaseBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
}

/** Status of the errors by which the framework refuses a request; null for anything else. */
function clientErrorStatus(error: unknown): number | null {
  const isFrameworkError = error instanceof Error && 'statusCode' in error;
  if (!isFrameworkError || typeof error.statusCode !== 'number') return null;
  return error.statusCode >= 400 && error.statusCode < 500 ? error.statusCode : null;
}

/** The query may hold anything; the path says enough. */
function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? request.url;
}
