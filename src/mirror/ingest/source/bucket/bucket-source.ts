import type { BucketSettings } from '../../units/live-source.ts';
import type { StreamSource } from '../../units/stream-source.ts';
import type { VerifyMode } from '../../units/stream-unit.ts';
import { type BlockBucketParts, createBlockBucket } from './block-bucket.ts';
import { type BucketEnvironment, planAccess } from './bucket-access.ts';
import { createRecordBucket, type RecordBucketParts } from './record-bucket.ts';
import { createS3ObjectStore, S3_LIMITS, type S3Limits } from './s3-object-store.ts';

/** What a bucket needs beside its settings. */
export interface BucketSourceParts
  extends Pick<RecordBucketParts, 'nodesAt' | 'consensusRatio' | 'clock' | 'random'> {
  /** What units must prove. */
  readonly mode: VerifyMode;
  readonly environment: BucketEnvironment;
  /** Makes units of blocks; null where the bucket holds record files. */
  readonly makeUnit: BlockBucketParts['makeUnit'] | null;
  readonly limits?: S3Limits;
}

/**
 * An S3-compatible bucket as a source; the SDK is loaded with its first question.
 *
 * @see docs/adr/0020-sources.md, contracts/streams.md sections 8 and 9.1
 */
export function createBucketSource(settings: BucketSettings, parts: BucketSourceParts): StreamSource {
  const { clock, environment, limits = S3_LIMITS, makeUnit, mode, ...records } = parts;
  const { name, prefix } = settings;
  const plan = planAccess(settings, environment);
  const store = createS3ObjectStore({ plan, clock, limits });
  const place = { name, bucket: plan.name, store, top: prefix === '' ? '' : `${prefix}/`, clock };
  const wantsSignatures = mode === 'signatures' || mode === 'strict';
  const source =
    makeUnit === null
      ? createRecordBucket({ ...records, ...place, wantsSignatures })
      : createBlockBucket({ ...place, makeUnit });
  return { ...source, close: async () => store.close() };
}
