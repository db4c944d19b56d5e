import { printableText } from '../../../../values/printable-text.ts';
import { IngestError, type IngestErrorCode } from '../../errors.ts';
import type { BucketAccessPlan } from './bucket-access.ts';

/** The members of an error of the SDK, of a socket or of TLS that tell what went wrong. */
interface ProviderError {
  readonly name?: string;
  readonly message?: string;
  /** Of a socket or of TLS. */
  readonly code?: string;
  /** Of the store. */
  readonly Code?: string;
  readonly Region?: string;
  readonly ServerTime?: string;
  readonly RequestTime?: string;
  readonly hostname?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $response?: { readonly headers?: Readonly<Record<string, string>> };
}

interface Explanation {
  readonly code: Extract<IngestErrorCode, 'source_unreachable' | 'source_refused'>;
  readonly text: string;
}

const UNREACHABLE = 'source_unreachable';
const REFUSED = 'source_refused';
const PREMATURE_CLOSE = 'ERR_STREAM_PREMATURE_CLOSE';
/** How the SDK says that it does not understand an answer. */
const UNREADABLE = /Deserialization error|XML parse error/;
const MAX_TOLD = 200;
const MS_PER_MINUTE = 60_000;
/** Ids of keys name an account, so they are not for logs either. */
const KEY_ID = /\b(?:AKIA|ASIA|GOOG)[A-Z0-9]{8,}\b/g;
const CERTIFICATE =
  /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(VERIFY|GET)_|ERR_TLS_|HOSTNAME_MISMATCH|INVALID_CA|CERTIFICATE_)/;

/**
 * Says in words why a bucket could not be read, and what helps.
 *
 * No secret gets into it: texts are ours, and the error of the SDK is not its cause.
 *
 * @param nowMs the clock of this machine
 */
export function bucketError(error: unknown, plan: BucketAccessPlan, nowMs: number): IngestError {
  if (error instanceof IngestError) return error;
  const given = (typeof error === 'object' && error !== null ? error : {}) as ProviderError;
  const { code, text } =
    aboutNetwork(given, plan) ?? aboutAccess(given, plan, nowMs) ?? aboutStatus(given, plan);
  const cause = new Error(told(given) ?? String(given.name));
  return new IngestError(code, `${plan.name}: ${text}`, { cause });
}

/** The region in which a bucket lies, where the store tells it in an error. */
export function regionTold(error: unknown): string | null {
  const { $response, Region } = (typeof error === 'object' && error !== null ? error : {}) as ProviderError;
  return Region ?? $response?.headers?.['x-amz-bucket-region'] ?? null;
}

/** An answer that is not whole. */
export function cutAnswer(message: string): Error {
  return Object.assign(new Error(message), { code: PREMATURE_CLOSE });
}

/** An answer that reads as a list and has nothing of one. */
export function unreadableList(plan: BucketAccessPlan): IngestError {
  return new IngestError(UNREACHABLE, `${plan.name}: ${unreadableText(plan)}`);
}

/** A listing that no store gives, and that would never come to its end. @param fault continues "the listing" */
export function endlessList(plan: BucketAccessPlan, fault: string): IngestError {
  return new IngestError(
    REFUSED,
    `${plan.name}: a listing of ${hostOf(plan)} ${fault}: check MIRROR_BUCKET_ENDPOINT`,
  );
}

/** A listing that has not come to its end, all attempts together; the store may be slow or send it byte by byte. */
export function lateList(plan: BucketAccessPlan, limitMs: number): IngestError {
  return new IngestError(
    UNREACHABLE,
    `${plan.name}: ${hostOf(plan)} did not end a listing within ${limitMs} ms`,
  );
}

function unreadableText(plan: BucketAccessPlan): string {
  return `the answer of ${hostOf(plan)} is incomplete, or this is not an S3-compatible store: check MIRROR_BUCKET_ENDPOINT`;
}

/** Whether an answer began well and is not whole: the same request may succeed at once. */
export function isCutAnswer(error: unknown): boolean {
  const { $metadata, code, message } = (
    typeof error === 'object' && error !== null ? error : {}
  ) as ProviderError;
  return code === PREMATURE_CLOSE || ($metadata?.httpStatusCode === 200 && UNREADABLE.test(message ?? ''));
}

function aboutNetwork({ code = '', hostname, name }: ProviderError, plan: BucketAccessPlan) {
  const host = hostname ?? hostOf(plan);
  const variable = plan.endpoint === null ? 'MIRROR_BUCKET_REGION' : 'MIRROR_BUCKET_ENDPOINT';
  const unreachable = (text: string): Explanation => ({ code: UNREACHABLE, text });
  if (code === 'ENOTFOUND')
    return unreachable(`the host ${host} does not exist: check ${variable} and the name server`);
  if (code === 'EAI_AGAIN') return unreachable(`the name server did not respond for ${host}`);
  if (code === 'ECONNREFUSED') {
    return unreachable(`nothing is listening at ${host}: check ${variable} and whether the store is running`);
  }
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH') {
    return unreachable(`there is no route to ${host}: check the network of this machine`);
  }
  if (CERTIFICATE.test(code)) {
    return unreachable(
      `the certificate of ${host} is not accepted (${code}): if your own authority issued it, name its file with ` +
        'NODE_EXTRA_CA_CERTS; otherwise check the name and the dates of the certificate, and the clock of this machine',
    );
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) {
    return unreachable(
      `${host} does not speak TLS as expected: if it is a plain HTTP server, begin MIRROR_BUCKET_ENDPOINT with http://`,
    );
  }
  if (name === 'TimeoutError' || code === 'ETIMEDOUT') return unreachable(`${host} did not respond in time`);
  if ([PREMATURE_CLOSE, 'ECONNRESET', 'EPIPE'].includes(code)) {
    return unreachable(`the connection to ${host} was interrupted`);
  }
  return null;
}

function aboutAccess(given: ProviderError, plan: BucketAccessPlan, nowMs: number): Explanation | null {
  const refused = (text: string): Explanation => ({ code: REFUSED, text });
  const region = regionTold(given);
  switch (given.Code ?? given.name) {
    case 'RequestTimeTooSkewed':
      return refused(`${skewText(given, nowMs)}: set the clock, for example by NTP`);
    case 'CredentialsProviderError':
    case 'TokenProviderError':
      return refused(
        `there are no credentials (${told(given) ?? ''}): set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_PROFILE, or a ` +
          'role of the machine; a public bucket needs MIRROR_BUCKET_ACCESS=anonymous',
      );
    case 'InvalidAccessKeyId':
    case 'UnrecognizedClientException':
      return refused('the access key is unknown: check AWS_ACCESS_KEY_ID and MIRROR_BUCKET_ENDPOINT');
    case 'SignatureDoesNotMatch':
      return refused('the secret does not belong to the access key: check AWS_SECRET_ACCESS_KEY');
    case 'ExpiredToken':
    case 'ExpiredTokenException':
    case 'InvalidToken':
    case 'TokenRefreshRequired':
      return refused('the credentials have expired: renew them, also AWS_SESSION_TOKEN');
    case 'NoSuchBucket':
      return refused('the bucket does not exist: check its name in MIRROR_BUCKET or MIRROR_BLOCK_BUCKET');
    case 'InvalidBucketName':
      return refused('this is not a valid bucket name');
    case 'PermanentRedirect':
    case 'AuthorizationHeaderMalformed':
    case 'IllegalLocationConstraintException':
      return refused(
        region === null
          ? `it is not in the region ${plan.region}: set MIRROR_BUCKET_REGION to that of the bucket`
          : `it is in the region ${region}, not in ${plan.region}: set MIRROR_BUCKET_REGION=${region}`,
      );
    case 'UserProjectMissing':
      return refused('the reader pays: name the project that pays with GOOGLE_CLOUD_PROJECT');
    case 'InvalidObjectState':
      return refused('the object is in an archive and cannot be read: ask the owner of the bucket');
    case 'AccessDenied':
    case 'AllAccessDisabled':
    case 'Forbidden':
      return refused(deniedText(given, plan));
    default:
      return null;
  }
}

function aboutStatus(given: ProviderError, plan: BucketAccessPlan): Explanation {
  const status = given.$metadata?.httpStatusCode ?? 0;
  const what = given.Code ?? given.name ?? 'unknown error';
  if (what === 'SlowDown' || status === 429 || status === 503) {
    return { code: UNREACHABLE, text: 'it limits the rate of requests' };
  }
  if (status === 403 || status === 401) return { code: REFUSED, text: deniedText(given, plan) };
  if (status >= 500 || status === 408)
    return { code: UNREACHABLE, text: `it failed internally (${status} ${what})` };
  if (status === 301 || status === 307) {
    return {
      code: REFUSED,
      text: 'it is elsewhere: check MIRROR_BUCKET_REGION and MIRROR_BUCKET_ENDPOINT',
    };
  }
  if (UNREADABLE.test(given.message ?? '')) {
    return { code: UNREACHABLE, text: unreadableText(plan) };
  }
  if (status === 405 || status === 501) {
    return {
      code: REFUSED,
      text: `${hostOf(plan)} is not an S3-compatible store: check MIRROR_BUCKET_ENDPOINT`,
    };
  }
  return {
    code: UNREACHABLE,
    text: `it could not be read (${status === 0 ? '' : `${status} `}${told(given) ?? what})`,
  };
}

function deniedText(given: ProviderError, { isSigned, paysForRequests }: BucketAccessPlan): string {
  if (!isSigned) return 'it is not public: set MIRROR_BUCKET_ACCESS=auto and credentials';
  const may = 'allow s3:ListBucket and s3:GetObject on it for these credentials';
  const said = told(given);
  return [
    `access denied${said === null ? '' : ` (${said})`}: `,
    paysForRequests
      ? `${may}; the request already declared that this reader pays`
      : `if the reader pays, set MIRROR_BUCKET_ACCESS=requester-pays; otherwise ${may}`,
  ].join('');
}

function skewText({ RequestTime, ServerTime, $response }: ProviderError, nowMs: number): string {
  const server = Date.parse(ServerTime ?? $response?.headers?.['date'] ?? '');
  if (Number.isNaN(server))
    return `the clock of this machine is wrong (it shows ${RequestTime ?? 'something else'})`;
  const minutes = Math.round(Math.abs(nowMs - server) / MS_PER_MINUTE);
  const hours = Math.floor(minutes / 60);
  const amount = hours === 0 ? `${minutes} min` : `${hours} h ${minutes % 60} min`;
  return `the clock of this machine is ${amount} ${nowMs < server ? 'behind' : 'ahead of'} that of the store`;
}

/** What the provider says, without what belongs to an account; null for nothing. */
function told({ message, name }: ProviderError): string | null {
  const text = printableText(message ?? '')
    .replace(KEY_ID, '…')
    .trim();
  if (text === '' || text === 'UnknownError' || text === name) return null;
  return text.length > MAX_TOLD ? `${text.slice(0, MAX_TOLD)}…` : text;
}

function hostOf({ bucket, endpoint, region }: BucketAccessPlan): string {
  return endpoint === null ? `${bucket}.s3.${region}.amazonaws.com` : new URL(endpoint).host;
}
