import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { memoryLedger } from '../../test/kit/mirror/ingest/memory-ledger.ts';
import type { BucketSettings } from '../mirror/ingest/units/live-source.ts';
import { openLiveSource } from './live-sources.ts';

const isSdkLoaded = (): boolean =>
  Object.keys(createRequire(import.meta.url).cache).some((path) => path.includes('/@aws-sdk/'));

const BUCKET: BucketSettings = {
  kind: 'bucket',
  name: 's3://streams',
  content: 'records',
  bucket: 'streams',
  prefix: '',
  // Nothing listens there.
  endpoint: 'http://127.0.0.1:9',
  region: null,
  access: 'anonymous',
};

describe('a live source', () => {
  test('of a bucket loads the SDK with its first question; a server without one never does', async () => {
    await import('../services.ts');
    const { repository } = memoryLedger();
    const source = await openLiveSource(BUCKET, {
      repository,
      options: {},
      registered: { all: async () => [] },
      proofs: () => Promise.reject(new Error('record files have no proofs')),
    });
    expect(isSdkLoaded()).toBe(false);
    await expect(source.addressBook()).rejects.toThrow('nothing is listening at 127.0.0.1:9');
    expect(isSdkLoaded()).toBe(true);
    await source.close?.();
  });
});
