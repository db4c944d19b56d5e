import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { IngestError } from '../../errors.ts';
import type { BucketAccessPlan } from './bucket-access.ts';
import { bucketError } from './bucket-errors.ts';

const PLAN: BucketAccessPlan = {
  bucket: 'streams',
  name: 's3://streams',
  endpoint: null,
  region: 'us-east-1',
  isRegionChosen: true,
  isPathStyle: false,
  isSigned: true,
  paysForRequests: false,
  payingProject: null,
};
const NOW = Date.parse('2026-11-22T18:00:00Z');

function said(error: object, plan: Partial<BucketAccessPlan> = {}): string {
  const { code, message } = bucketError(error, { ...PLAN, ...plan }, NOW);
  return `${code} ${message}`;
}
const socket = (code: string, more = {}) => Object.assign(new Error(code), { code, ...more });
const store = (Code: string, status: number, more = {}) =>
  Object.assign(new Error(Code), { name: Code, Code, $metadata: { httpStatusCode: status }, ...more });

describe('a bucket that cannot be read', () => {
  test.each([
    [
      socket('ENOTFOUND', { hostname: 'minio.local' }),
      /unreachable .*the host minio\.local does not exist: check/,
    ],
    [socket('EAI_AGAIN'), /unreachable .*name server did not respond for streams\.s3\.us-east-1/],
    [socket('ECONNREFUSED'), /unreachable .*nothing is listening at/],
    [socket('ENETUNREACH'), /unreachable .*no route to .*check the network/],
    [socket('ECONNRESET'), /unreachable .*was interrupted/],
    [Object.assign(new Error('late'), { name: 'TimeoutError' }), /unreachable .*did not respond in time/],
    [socket('DEPTH_ZERO_SELF_SIGNED_CERT'), /unreachable .*certificate .*NODE_EXTRA_CA_CERTS/],
    [socket('ERR_TLS_CERT_ALTNAME_INVALID'), /unreachable .*certificate .*check the name/],
    [socket('CERT_HAS_EXPIRED'), /unreachable .*certificate .*the dates/],
    [socket('EPROTO'), /unreachable .*http:\/\//],
    [store('SlowDown', 503), /unreachable .*limits the rate of requests/],
    [store('InternalError', 500), /unreachable .*failed internally \(500 InternalError\)/],
    [store('InvalidAccessKeyId', 403), /refused .*access key is unknown: check AWS_ACCESS_KEY_ID/],
    [store('SignatureDoesNotMatch', 403), /refused .*check AWS_SECRET_ACCESS_KEY/],
    [store('ExpiredToken', 400), /refused .*expired: renew them/],
    [store('NoSuchBucket', 404), /refused .*bucket does not exist: check its name in MIRROR_BUCKET/],
    [store('PermanentRedirect', 301), /refused .*not in the region us-east-1: set MIRROR_BUCKET_REGION/],
    [
      store('AuthorizationHeaderMalformed', 400, { Region: 'eu-west-1' }),
      /refused .*region eu-west-1, not in us-east-1: set MIRROR_BUCKET_REGION=eu-west-1/,
    ],
    [
      store('PermanentRedirect', 301, { $response: { headers: { 'x-amz-bucket-region': 'ap-east-1' } } }),
      /refused .*set MIRROR_BUCKET_REGION=ap-east-1/,
    ],
    [store('UserProjectMissing', 400), /refused .*GOOGLE_CLOUD_PROJECT/],
    [store('InvalidObjectState', 403), /refused .*archive/],
    [store('MethodNotAllowed', 405), /refused .*not an S3-compatible store: check MIRROR_BUCKET_ENDPOINT/],
    [
      store('Error', 200, { message: 'XML parse error: missing closing tag' }),
      /unreachable .*incomplete, or this is not an S3-compatible store/,
    ],
    [store('Curious', 418), /unreachable .*could not be read \(418 Curious\)/],
  ])('%s is told with what helps', (error, text) => {
    expect(said(error)).toMatch(text);
  });

  test('tells how far the clock is off, and which way', () => {
    const late = store('RequestTimeTooSkewed', 403, { ServerTime: '2026-11-22T23:05:00Z' });
    expect(said(late)).toContain('is 5 h 5 min behind that of the store: set the clock');
    const early = store('RequestTimeTooSkewed', 403, { ServerTime: '2026-11-22T17:40:00Z' });
    expect(said(early)).toContain('is 20 min ahead of that of the store');
    expect(said(store('RequestTimeTooSkewed', 403))).toContain('the clock of this machine is wrong');
  });

  test('says for denied access what may be missing', () => {
    const denied = store('AccessDenied', 403, { message: 'User arn:aws:iam::1:user/x is not allowed' });
    expect(said(denied)).toContain('set MIRROR_BUCKET_ACCESS=requester-pays; otherwise allow s3:ListBucket');
    expect(said(denied)).toContain('user/x is not allowed');
    expect(said(denied, { paysForRequests: true })).toMatch(
      /allow s3:ListBucket .* already declared that this reader pays/,
    );
    expect(said(denied, { isSigned: false })).toContain('set MIRROR_BUCKET_ACCESS=auto and credentials');
  });

  test('says where credentials are looked for', () => {
    const none = Object.assign(new Error('Could not load credentials from any providers'), {
      name: 'CredentialsProviderError',
    });
    expect(said(none)).toMatch(
      /refused .*there are no credentials .*AWS_ACCESS_KEY_ID .*AWS_PROFILE.*anonymous/,
    );
  });

  test('never tells keys, signatures or headers', () => {
    const error = store('SignatureDoesNotMatch', 403, {
      AWSAccessKeyId: 'AKIAIOSFODNN7EXAMPLE',
      StringToSign: 'AWS4-HMAC-SHA256 secret text',
      SignatureProvided: 'feedbeef',
      $response: { headers: { authorization: 'feedbeef' } },
      message: 'not the signature of AKIAIOSFODNN7EXAMPLE',
    });
    for (const each of [error, { ...error, name: 'Curious', Code: 'Curious', message: error.message }]) {
      const told = inspect(bucketError(each, PLAN, NOW), { depth: 10, showHidden: true });
      expect(told).not.toMatch(/AKIA|AWS4|feedbeef/);
    }
  });

  test('leaves errors alone that are told already', () => {
    const error = new IngestError('unreadable_file', 'too large');
    expect(bucketError(error, PLAN, NOW)).toBe(error);
  });
});
