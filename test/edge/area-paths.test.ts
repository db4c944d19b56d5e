import { expect, test } from 'vitest';
import { areasByPath } from '../../src/http/area-paths.ts';
import { canonicalTarget } from '../../src/http/edge/request-target.ts';
import { MIRROR_PATHS } from '../../src/mirror/paths.ts';
import { STATUS_PATHS } from '../../src/status/paths.ts';
import { VERIFY_PATHS } from '../../src/verify/paths.ts';

const areas = areasByPath([
  { name: 'status', paths: STATUS_PATHS },
  { name: 'mirror', paths: MIRROR_PATHS },
  { name: 'verify', paths: VERIFY_PATHS },
]);

test.each([
  '/v1',
  '/V1/pages',
  '/v1?a=1',
  '/%761/pages',
  '//v1',
  'http://host/v1/pages',
  '/v1;a=b/pages',
  '/v1%2Fpages',
  '/v1%3bx',
  '/a/..//v1/pages',
])('%s is a management path', (target) => {
  const path = canonicalTarget(target);
  expect([areas.of(path).name, areas.isManaged(path)]).toEqual(['status', true]);
});

test.each([
  ['/v10', 'verify'],
  ['/v2/v1', 'verify'],
  ['/v1/../v2/verify', 'verify'],
  ['/api/v1;x', 'mirror'],
  ['/API//v1/transactions', 'mirror'],
  ['/api/v2/summary.json', 'status'],
  ['/history.rss?a', 'status'],
] as const)('%s belongs to %s and is no management path', (target, area) => {
  const path = canonicalTarget(target);
  expect([areas.of(path).name, areas.isManaged(path)]).toEqual([area, false]);
});
