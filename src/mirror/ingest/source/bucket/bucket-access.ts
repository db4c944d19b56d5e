import type { BucketSettings } from '../../units/live-source.ts';

/** What the environment may say. */
export type BucketEnvironment = Readonly<
  Partial<Record<'AWS_REGION' | 'AWS_DEFAULT_REGION' | 'GOOGLE_CLOUD_PROJECT', string | undefined>>
>;

/** Buckets of public networks, whose readers pay. */
const PUBLIC_BUCKET = /^hedera-(?!demo-streams$)[a-z]+(-[a-z]+)*-streams(-\d{4}-\d\d)?$/;
/** Record files of 2019, for everybody. */
const FREE_BUCKET = 'hedera-demo-streams';
const GOOGLE_HOST = 'storage.googleapis.com';
const DEFAULT_REGION = 'us-east-1';

/** @see contracts/streams.md section 8 */
export function planAccess(settings: BucketSettings, environment: BucketEnvironment) {
  const { access, bucket, endpoint, name, region } = settings;
  const isGoogle = endpoint !== null && new URL(endpoint).hostname === GOOGLE_HOST;
  const isKnown = endpoint === null || isGoogle;
  const isAuto = access === 'auto' && isKnown;
  const usual = isGoogle
    ? 'auto'
    : environment.AWS_REGION || environment.AWS_DEFAULT_REGION || DEFAULT_REGION;
  return {
    bucket,
    /** For people: `s3://bucket`. */
    name: `${name.split('://')[0] ?? 's3'}://${bucket}`,
    /** Null for that of the provider. */
    endpoint,
    region: region ?? usual,
    /** Whether the operator chose the region, so that no other is tried. */
    isRegionChosen: region !== null,
    /** `host/bucket/key` instead of `bucket.host/key`. */
    isPathStyle: endpoint !== null,
    /** Whether requests are signed. */
    isSigned: access !== 'anonymous' && !(isAuto && bucket === FREE_BUCKET),
    paysForRequests: access === 'requester-pays' || (isAuto && PUBLIC_BUCKET.test(bucket)),
    /** Project that pays for requests to Google storage; null for none. */
    payingProject: isGoogle ? (environment.GOOGLE_CLOUD_PROJECT ?? null) : null,
  };
}

/** How requests to a bucket are made: everything but secrets, which nothing here ever holds. */
export type BucketAccessPlan = Readonly<ReturnType<typeof planAccess>>;
