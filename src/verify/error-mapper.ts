import type { Static } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import type { ErrorAnswer, ErrorMapper } from '../http/area.ts';
import { BodyError } from '../http/bodies/body-errors.ts';
import { EdgeRefusal } from '../http/edge/edge-refusal.ts';
import { isStorageError } from '../values/storage-errors.ts';
import { type RequestErrorCode, STATUS_OF_CODE, VerifyRequestError } from './errors.ts';
import type { ErrorBody } from './schemas.ts';

/** 400 also for a packing that is not supported, as the specification has it. */
const CODE_OF_BODY_STATUS: Readonly<Record<BodyError['statusCode'], RequestErrorCode>> = {
  400: 'invalid_parameter',
  408: 'body_too_slow',
  413: 'payload_too_large',
  415: 'invalid_parameter',
  503: 'server_busy',
};

/**
 * Turns errors into `{customCode, message, errorId}`, or the form that the clients of the route read.
 *
 * @see contracts/verification-api.md sections 2.3 and 8.1
 */
export function createVerifyErrorMapper(newId: () => string): ErrorMapper {
  const answer = (
    code: RequestErrorCode,
    message: string,
    more: {
      readonly statusCode?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly members?: Readonly<Record<string, unknown>>;
    } = {},
  ): RequestErrorAnswer => ({
    statusCode: more.statusCode ?? STATUS_OF_CODE[code],
    body: { customCode: code, message, errorId: newId(), ...more.members },
    ...(more.headers === undefined ? {} : { headers: more.headers }),
  });

  function answerFor(error: unknown): RequestErrorAnswer {
    if (error instanceof VerifyRequestError) {
      const { message, retryAfterSeconds, more: members } = error;
      const code = error.code as RequestErrorCode;
      if (retryAfterSeconds === null) return answer(code, message, { members });
      return answer(code, message, { headers: { 'Retry-After': String(retryAfterSeconds) }, members });
    }
    if (error instanceof BodyError) {
      return answer(CODE_OF_BODY_STATUS[error.statusCode], error.message, { headers: error.headers });
    }
    if (error instanceof EdgeRefusal) {
      // Pages have no other way to tell when the edge has room again.
      const { retryAfterSeconds, statusCode } = error;
      const headers = retryAfterSeconds === null ? undefined : { 'Retry-After': String(retryAfterSeconds) };
      return answer(CODE_OF_REFUSAL[statusCode], error.message, {
        statusCode,
        ...(headers === undefined ? {} : { headers }),
      });
    }
    if (isStorageError(error)) {
      const headers = { 'Retry-After': String(error.retryAfterSeconds) };
      return answer('server_busy', error.message, { headers });
    }
    const statusCode = clientErrorStatus(error);
    const message = error instanceof Error ? error.message : String(error);
    if (statusCode === 413) return answer('payload_too_large', message);
    if (statusCode !== null) return answer('invalid_parameter', message);
    return answer('internal_error', 'The server encountered an unexpected error.');
  }

  return {
    fromError: (error, request) => inFormOfRoute(answerFor(error), request),
    notFound(request) {
      return answer('route_not_found', `No route ${request.method} ${pathOf(request)}`);
    },
    methodNotAllowed(request, allowed) {
      const message = `${request.method} is not allowed here, only ${allowed.join(', ')}`;
      return answer('route_not_found', message, { statusCode: 405, headers: { Allow: allowed.join(', ') } });
    },
  };
}

const CODE_OF_REFUSAL = {
  400: 'invalid_parameter',
  417: 'invalid_parameter',
  429: 'too_many_requests',
  503: 'server_busy',
} as const satisfies Record<EdgeRefusal['statusCode'], RequestErrorCode>;

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

/** Named by a route whose clients read errors in another form than that of version 2. */
type ErrorForm = 'version_1' | 'signature_database' | 'etherscan';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Default: the form of version 2. */
    readonly errorForm?: ErrorForm;
  }
}

/** An answer before the form of its route is known. @see contracts/verification-api.md section 2.3 */
type RequestErrorAnswer = ErrorAnswer & { readonly body: Static<typeof ErrorBody> };

/** Brings an error into the form that the clients of its route read; what they do not know stays beside it. */
function inFormOfRoute(answer: RequestErrorAnswer, { routeOptions }: FastifyRequest): ErrorAnswer {
  // The router may refuse a request before it has a route.
  switch (routeOptions?.config?.errorForm) {
    case 'version_1':
      return { ...answer, body: { error: answer.body.message, ...answer.body } };
    case 'signature_database':
      return { ...answer, body: { ok: false, error: answer.body.message, ...answer.body } };
    case 'etherscan':
      return inEtherscanForm(answer);
    default:
      return answer;
  }
}

/** Its clients read `result` and take any other status than 200 for a broken server. */
const REFUSALS: ReadonlySet<number> = new Set([400, 404, 409, 415]);

function inEtherscanForm(answer: RequestErrorAnswer): ErrorAnswer {
  const { message, ...others } = answer.body;
  return {
    ...answer,
    statusCode: REFUSALS.has(answer.statusCode) ? 200 : answer.statusCode,
    body: { status: '0', message: 'NOTOK', result: message, ...others },
  };
}
