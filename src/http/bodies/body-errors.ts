import { LedgerlensError } from '../../values/ledgerlens-error.ts';

/** Status of each reason for which a body is not read to its end. */
const STATUS_OF_REASON = {
  body_not_gzip: 400,
  body_ratio: 400,
  body_broken_off: 400,
  body_too_slow: 408,
  body_too_large: 413,
  body_encoding: 415,
  body_budget: 503,
} as const;

const RETRY_SECONDS = 5;

/** Why a body was not read to its end. Each area answers it in its own form. */
type BodyErrorReason = keyof typeof STATUS_OF_REASON;

/** A request body that is refused while it is read; the message is sent to the client. */
export class BodyError extends LedgerlensError {
  readonly statusCode: (typeof STATUS_OF_REASON)[BodyErrorReason];
  /** For the answer in any area's form. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    reason: BodyErrorReason,
    message: string,
    more: { readonly details?: Readonly<Record<string, unknown>>; readonly cause?: unknown } = {},
  ) {
    super(reason, message, more);
    this.statusCode = STATUS_OF_REASON[reason];
    this.headers = headersOf(this.statusCode);
  }
}

/** @param bytes announced, or read so far when none were announced. */
export function bodyTooLarge(bytes: number, limitBytes: number): BodyError {
  const details = { bytes };
  return new BodyError('body_too_large', `The body is larger than ${limitBytes} bytes`, { details });
}

export function bodyBudgetSpent(): BodyError {
  return new BodyError(
    'body_budget',
    'The server has no memory left for request bodies. Nothing was stored; try again later.',
  );
}

export function unsupportedEncoding(): BodyError {
  return new BodyError(
    'body_encoding',
    'The Content-Encoding of the body is not supported. Use gzip or none.',
  );
}

/** What still arrives of a slow body is not waited for, so its connection cannot be used again. */
function headersOf(statusCode: number): Readonly<Record<string, string>> {
  if (statusCode === 408) return { connection: 'close' };
  return statusCode === 503 ? { 'retry-after': String(RETRY_SECONDS) } : {};
}
