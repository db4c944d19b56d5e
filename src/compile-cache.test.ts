import { expect, test } from 'vitest';
import { cacheFolder } from './compile-cache.ts';

test('compiled code is kept in the cache of the user, and nowhere when the user has no home', () => {
  expect(cacheFolder('/cache')).toBe('/cache');
  expect(cacheFolder('', () => '/home/a')).toBe('/home/a/.cache');
  const unknown = () => {
    throw Object.assign(new Error('uv_os_homedir returned ENOENT'), { code: 'ERR_SYSTEM_ERROR' });
  };
  expect(cacheFolder('', unknown)).toBeNull();
});
