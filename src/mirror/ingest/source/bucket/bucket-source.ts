import type { Clock } from '../../../../values/clock.ts';
import type { ConsensusTimestamp } from '../../../../values/consensus-timestamp.ts';
import type { BucketSettings } from '../../units/live-source.ts';
import type { StreamSource } from '../../units/stream-source.ts';
import type { ConsensusRatio, StreamUnit, VerifyMode } from '../../units/stream-unit.ts';
import { type BucketBlock, createBlockBucket } from './block-bucket.ts';
import { type BucketEnvironment, planAccess } from './bucket-access.ts';
import { createRecordBucket } from './record-bucket.ts';
import type { RecordNode } from './record-layout.ts';
import { createS3ObjectStore, S3_LIMITS, type S3Limits } from './s3-object-store.ts';

/** What a bucket needs beside its settings. */
export interface BucketSourceParts {
  /** The nodes of the book at a time; null while no book is known. */
  readonly nodesAt: (time: ConsensusTimestamp) => Promise<readonly RecordNode[] | null>;
  /** What units must prove. */
  readonly mode: VerifyMode;
  /** What share of the weight has to agree; tells how many signatures are fetched ahead. */
  readonly consensusRatio: ConsensusRatio;
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly environment: BucketEnvironment;
  /** Makes units of blocks; null where the bucket holds record files. */
  readonly makeUnit: ((block: BucketBlock) => StreamUnit) | null;
  readonly limits?: S3Limits;
}

/**
 * An S3-compatible bucket as a source; the SDK is loaded with its first question.
 *
 * @see docs/adr/0020-sources.md, contracts/streams.md sections 8 and 9.1
 */
export function createBucketSource(settings: BucketSettings, parts: BucketSourceParts): StreamSource {
  const { clock, consensusRatio, environment, limits = S3_LIMITS, makeUnit, mode, nodesAt, random } = parts;
  const { name, prefix } = settings;
  const plan = planAccess(settings, environment);
  const store = createS3ObjectStore({ plan, clock, limits });
  const place = { name, bucket: plan.name, store, top: prefix === '' ? '' : `${prefix}/`, clock };
  const wantsSignatures = mode === 'signatures' || mode === 'strict';
  const source =
    makeUnit === null
      ? createRecordBucket({ ...place, nodesAt, wantsSignatures, consensusRatio, random })
      : createBlockBucket({ ...place, makeUnit });
  return { ...source, close: async () => store.close() };
}
