import { expect, test } from 'vitest';
import { sourceEnvironment } from './ledger-thread.ts';

test('a thread with live sources sees credentials and ways to the network, and no secret of this product', () => {
  const given = {
    AWS_ACCESS_KEY_ID: 'key',
    AWS_WEB_IDENTITY_TOKEN_FILE: '/token',
    HOME: '/root',
    https_proxy: 'http://proxy:3128',
    GOOGLE_CLOUD_PROJECT: 'mine',
    STATUS_TOKENS: 'secret',
    VERIFY_CHAINS: '{}',
    AWS_PROFILE: undefined,
  };
  expect(sourceEnvironment(given)).toEqual({
    AWS_ACCESS_KEY_ID: 'key',
    AWS_WEB_IDENTITY_TOKEN_FILE: '/token',
    HOME: '/root',
    https_proxy: 'http://proxy:3128',
    GOOGLE_CLOUD_PROJECT: 'mine',
  });
});
