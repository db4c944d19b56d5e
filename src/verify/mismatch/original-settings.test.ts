import { expect, test } from 'vitest';
import { compileForTest } from '../../../test/kit/verify/compile-for-test.ts';
import { ManualClock } from '../../values/clock.ts';
import type { SourceGateway } from '../metadata/source-gateway.ts';
import { createFindOriginalSettings, settingsOfMetadata } from './metadata-settings.ts';

const INPUT = { language: 'Solidity', sources: { 'a.sol': { content: 'contract A {}' } }, settings: {} };
const { metadata, runtime } = compileForTest(INPUT, 'a.sol', 'A');
const SETTINGS = settingsOfMetadata(metadata);
const CODE = Buffer.from(runtime.slice(2), 'hex');

function aGateway(answer: () => Promise<Readonly<Record<string, string>>>) {
  let asked = 0;
  const gateway: SourceGateway = {
    fetch() {
      asked += 1;
      return answer();
    },
  };
  return { gateway, asked: () => asked };
}

test('metadata are asked for once, however many look at the same time and later', async () => {
  const clock = new ManualClock(0);
  const { asked, gateway } = aGateway(async () => ({ m: metadata }));
  const find = createFindOriginalSettings(gateway, clock);
  expect(await Promise.all([find(CODE), find(CODE)])).toEqual([
    { kind: 'found', settings: SETTINGS },
    { kind: 'found', settings: SETTINGS },
  ]);
  clock.advance(3_600_000);
  expect((await find(CODE)).kind).toBe('found');
  expect(asked()).toBe(1);
});

test('metadata that are missing are asked for again ten minutes later', async () => {
  const clock = new ManualClock(0);
  let isPublished = false;
  const { asked, gateway } = aGateway(async () => (isPublished ? { m: metadata } : {}));
  const find = createFindOriginalSettings(gateway, clock);
  expect((await find(CODE)).kind).toBe('missing');
  isPublished = true;
  clock.advance(599_000);
  expect((await find(CODE)).kind).toBe('missing');
  expect(asked()).toBe(1);
  clock.advance(1_000);
  expect((await find(CODE)).kind).toBe('found');
});

test('a gateway that fails or lies is as good as none, and a code without a hash asks nobody', async () => {
  const clock = new ManualClock(0);
  const failing = aGateway(() => Promise.reject(new Error('timeout')));
  expect(await createFindOriginalSettings(failing.gateway, clock)(CODE)).toEqual({ kind: 'missing' });
  const lying = aGateway(async () => ({ m: metadata.replace('0.8.30', '0.8.29') }));
  expect(await createFindOriginalSettings(lying.gateway, clock)(CODE)).toEqual({ kind: 'missing' });
  const none = aGateway(async () => ({}));
  expect(await createFindOriginalSettings(none.gateway, clock)(CODE.subarray(0, 20))).toEqual({
    kind: 'unnamed',
  });
  expect(none.asked()).toBe(0);
  expect(await createFindOriginalSettings(null, clock)(CODE)).toEqual({ kind: 'not-asked' });
});
