import { LedgerlensError } from '../values/ledgerlens-error.ts';

/** HTTP status of each request-level code. @see contracts/verification-api.md section 8.1 */
export const STATUS_OF_CODE = {
  invalid_json: 400,
  invalid_parameter: 400,
  unsupported_chain: 400,
  job_not_found: 404,
  route_not_found: 404,
  cannot_fetch_bytecode: 404,
  body_too_slow: 408,
  already_verified: 409,
  job_finished: 409,
  gone: 410,
  payload_too_large: 413,
  duplicate_verification_request: 429,
  too_many_requests: 429,
  internal_error: 500,
  failed_to_get_bytecode: 502,
  server_busy: 503,
} as const;

/** Code of a refused request; sent as `customCode`. */
export type RequestErrorCode = keyof typeof STATUS_OF_CODE;

/** A request that is refused. The message is sent to the client. */
export class VerifyRequestError extends LedgerlensError {
  /** Sent with `Retry-After`, seconds; null when trying again would not help. */
  readonly retryAfterSeconds: number | null;
  /** Members of the answer beside the usual ones. */
  readonly more: Readonly<Record<string, unknown>> = {};

  constructor(
    code: RequestErrorCode,
    message: string,
    retryAfterSeconds: number | null = null,
    cause?: unknown,
  ) {
    super(code, message, { cause });
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Builds the most frequent refusal. */
export function invalidParameter(message: string): VerifyRequestError {
  return new VerifyRequestError('invalid_parameter', message);
}

const LONGEST = 60;

const LISTED = 5;

/** Names the first of many texts of the client. */
export function shortenList(texts: readonly string[]): string {
  const more = texts.length > LISTED ? ` and ${texts.length - LISTED} more` : '';
  return texts.slice(0, LISTED).map(shorten).join(', ') + more;
}

/** Cuts a text of the client for use in a message. */
export function shorten(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
