import { acceptsType } from '../../../http/accept.ts';
import { MirrorApiError } from '../../errors.ts';
import type { FeeEstimateMode } from '../pricing/estimate-fee.ts';
import { MAX_SIGNATURE_PAIRS } from '../pricing/transaction-limits.ts';

/** What an answer tells beside the default members. @see contracts/fees-estimate.md section 12 */
type FeeDetail = (typeof FEE_DETAILS)[number];

/** Values of the query parameter `include`. */
const FEE_DETAILS = ['money', 'explanation', 'inner'] as const;

const NO_DETAILS: ReadonlySet<FeeDetail> = new Set();
/** Everything that there is to tell. */
export const ALL_DETAILS: ReadonlySet<FeeDetail> = new Set(FEE_DETAILS);

const MEDIA_TYPES: ReadonlySet<string> = new Set(['application/protobuf', 'application/x-protobuf']);
const acceptsJson = acceptsType('application/json');
const MAX_THROTTLE = 10_000;
/** So much of a client's header is repeated in an error. */
const SHOWN_HEADER_LENGTH = 100;

/**
 * Reads `mode`, `high_volume_throttle`, `signatures` and `include`; every other parameter is ignored.
 *
 * @throws MirrorApiError 400 with the specification's texts; a parameter given twice cannot be converted.
 * @see contracts/fees-estimate.md sections 1, 8 and 12
 */
export function parseFeeQuery(query: Readonly<Record<string, unknown>>) {
  return {
    mode: parseMode(query['mode']),
    /** Basis points, 0 to 10000. */
    highVolumeThrottle:
      parseInteger('high_volume_throttle', query['high_volume_throttle'], MAX_THROTTLE) ?? 0,
    /** Signatures that the caller expects, 0 to 100; null to count those that are there. */
    signatures: parseInteger('signatures', query['signatures'], MAX_SIGNATURE_PAIRS),
    details: parseDetails(query['include']),
  };
}

/** The query of a fee estimate, read. */
export type FeeQuery = Readonly<ReturnType<typeof parseFeeQuery>>;

function parseMode(value: unknown): FeeEstimateMode {
  if (value === undefined || value === '') return 'INTRINSIC';
  const mode = typeof value === 'string' ? value.toUpperCase() : '';
  if (mode === 'INTRINSIC' || mode === 'STATE') return mode;
  throw badRequest("Failed to convert 'mode'");
}

/** Null when it is absent. */
function parseInteger(name: string, value: unknown, maximum: number): number | null {
  if (value === undefined) return null;
  if (typeof value !== 'string' || !/^-?\d+$/.test(value)) throw badRequest(`Failed to convert '${name}'`);
  const number = Number(value);
  if (number > maximum) throw badRequest(`${name} must be less than or equal to ${maximum}`);
  if (number < 0) throw badRequest(`${name} must be greater than or equal to 0`);
  // Also for the text "-0".
  return number === 0 ? 0 : number;
}

function parseDetails(value: unknown): ReadonlySet<FeeDetail> {
  if (value === undefined || value === '') return NO_DETAILS;
  const names = typeof value === 'string' ? value.split(',').map((name) => name.trim().toLowerCase()) : [''];
  const details = FEE_DETAILS.filter((detail) => names.includes(detail));
  if (details.length < new Set(names).size) {
    throw badRequest(`Failed to convert 'include': a list of ${FEE_DETAILS.join(', ')}`);
  }
  return new Set(details);
}

/** A 400 with the cause in `detail`, where the ledger's SDK shows it. @see contracts/fees-estimate.md section 8 */
export function badRequest(detail: string, cause?: unknown): MirrorApiError {
  return new MirrorApiError(400, [{ message: 'Bad Request', detail }], cause === undefined ? {} : { cause });
}

/** The request headers that decide before a body is read. */
interface FeeRequestHeaders {
  readonly accept?: string | undefined;
  readonly 'content-type'?: string | undefined;
  readonly 'content-length'?: string | undefined;
  readonly 'content-encoding'?: string | undefined;
}

/**
 * Checks what can be checked before the body is read.
 *
 * @throws MirrorApiError 406, 415 or 413.
 * @see contracts/fees-estimate.md sections 1, 7 and 8
 */
export function checkFeeHeaders(headers: FeeRequestHeaders, bodyLimitBytes: number): void {
  if (!acceptsJson(headers.accept)) throw new MirrorApiError(406, [{ message: 'Not Acceptable' }]);
  const contentType = headers['content-type'] ?? '';
  const mediaType = MEDIA_TYPES.has(contentType)
    ? contentType
    : (contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '');
  if (!MEDIA_TYPES.has(mediaType)) throw unsupportedMediaType('Content-Type', contentType.trim());
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') throw unsupportedMediaType('Content-Encoding', encoding);
  const length = Number(headers['content-length'] ?? 0);
  if (length > bodyLimitBytes) throw bodyTooLarge(length, bodyLimitBytes);
}

function unsupportedMediaType(header: string, value: string): MirrorApiError {
  const shown = value.slice(0, SHOWN_HEADER_LENGTH);
  const detail = shown === '' ? `${header} is not supported` : `${header} '${shown}' is not supported`;
  return new MirrorApiError(415, [{ message: 'Unsupported Media Type', detail }]);
}

/** @param size bytes announced, or read so far when none were announced. */
export function bodyTooLarge(size: number, limitBytes: number): MirrorApiError {
  const detail = `Request body ${size} exceeds maximum ${limitBytes} bytes`;
  return new MirrorApiError(413, [{ message: 'Content Too Large', detail }]);
}
