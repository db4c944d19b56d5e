import { expect, test } from 'vitest';
import { workerEntry } from './worker-entry.ts';

test('a worker is the script of the build, the source itself, or the shim before it', () => {
  expect(workerEntry('./a-worker', 'file:///x/dist/pool/a-thread.js').url.href).toBe(
    'file:///x/dist/pool/a-worker.js',
  );
  expect(workerEntry('./a-worker', 'file:///x/src/pool/a-thread.ts', { nodeMajor: 24 })).toEqual({
    url: new URL('file:///x/src/pool/a-worker.ts'),
  });
  expect(workerEntry('./a-worker', 'file:///x/src/pool/a-thread.ts', { nodeMajor: 20 })).toEqual({
    url: new URL('./boot.mjs', import.meta.url),
    behindShim: 'file:///x/src/pool/a-worker.ts',
  });
  expect(workerEntry('./a-worker', 'file:///x/dist/pool/a-thread.js', { hasFewFiles: true })).toEqual({
    url: new URL('./bounded-entry.js', import.meta.url),
    behindShim: 'file:///x/dist/pool/a-worker.js',
  });
});
