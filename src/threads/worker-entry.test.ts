import { expect, test } from 'vitest';
import { workerEntry } from './start-thread.ts';

test('a worker is the script of the build, the source itself, or the shim before it', () => {
  const built = { code: new URL('file:///x/dist/'), runsSources: false };
  expect(workerEntry('pool/a-worker', built)).toEqual({ url: new URL('file:///x/dist/a-worker.js') });
  const code = new URL('../', import.meta.url);
  const source = new URL('pool/a-worker.ts', code);
  expect(workerEntry('pool/a-worker', { nodeMajor: 24 })).toEqual({ url: source });
  expect(workerEntry('pool/a-worker', { nodeMajor: 20 })).toEqual({
    url: new URL('./boot.mjs', import.meta.url),
    behindShim: source.href,
  });
});
