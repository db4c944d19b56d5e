import { describe, expect, test } from 'vitest';
import type { BucketSettings } from '../../units/live-source.ts';
import { planAccess } from './bucket-access.ts';

function plan(settings: Partial<BucketSettings>, environment = {}) {
  return planAccess(
    {
      kind: 'bucket',
      name: `s3://${settings.bucket ?? 'mine'}`,
      content: 'records',
      bucket: 'mine',
      prefix: '',
      endpoint: null,
      region: null,
      access: 'auto',
      ...settings,
    },
    environment,
  );
}

describe('access to a bucket', () => {
  test.each([
    ['hedera-mainnet-streams', true, true],
    ['hedera-testnet-streams-2024-02', true, true],
    ['hedera-preview-testnet-streams', true, true],
    ['hedera-mainnet-recent-block-streams', true, true],
    ['hedera-demo-recent-block-streams', true, true],
    ['hedera-demo-streams', false, false],
    ['hedera-streams', false, true],
    ['mine', false, true],
  ])('of %s, left to itself, pays: %s, signs: %s', (bucket, paysForRequests, isSigned) => {
    expect(plan({ bucket })).toMatchObject({ paysForRequests, isSigned });
    // A store of one's own may have a copy under the same name.
    expect(plan({ bucket, endpoint: 'http://127.0.0.1:9000' })).toMatchObject({
      paysForRequests: false,
      isSigned: true,
    });
  });

  test('is as the operator says', () => {
    expect(plan({ access: 'requester-pays' })).toMatchObject({ paysForRequests: true, isSigned: true });
    expect(plan({ bucket: 'hedera-mainnet-streams', access: 'anonymous' })).toMatchObject({
      paysForRequests: false,
      isSigned: false,
    });
  });

  test('names the bucket in the path where a store of one has its own address', () => {
    expect(plan({})).toMatchObject({ isPathStyle: false, region: 'us-east-1', isRegionChosen: false });
    expect(plan({ endpoint: 'http://127.0.0.1:9000' })).toMatchObject({ isPathStyle: true });
  });

  test('finds the region in the environment, unless it is chosen', () => {
    expect(plan({}, { AWS_DEFAULT_REGION: 'eu-west-1' }).region).toBe('eu-west-1');
    expect(plan({}, { AWS_REGION: 'eu-north-1', AWS_DEFAULT_REGION: 'eu-west-1' }).region).toBe('eu-north-1');
    expect(plan({ region: 'ap-east-1' }, { AWS_REGION: 'eu-north-1' })).toMatchObject({
      region: 'ap-east-1',
      isRegionChosen: true,
    });
  });

  test('to Google storage has a region of its own and may name who pays', () => {
    const google = { name: 'gs://hedera-mainnet-streams', bucket: 'hedera-mainnet-streams' };
    const endpoint = 'https://storage.googleapis.com';
    expect(plan({ ...google, endpoint }, { AWS_REGION: 'x', GOOGLE_CLOUD_PROJECT: 'mine' })).toMatchObject({
      name: 'gs://hedera-mainnet-streams',
      region: 'auto',
      isPathStyle: true,
      paysForRequests: true,
      payingProject: 'mine',
    });
    expect(plan({}, { GOOGLE_CLOUD_PROJECT: 'mine' }).payingProject).toBeNull();
  });
});
