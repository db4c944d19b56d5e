import { beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../values/clock.ts';
import { DocumentCache } from './document-cache.ts';
import { encodeText } from './encoded-document.ts';

const GONE = new Error('there is no such incident');

let clock: ManualClock;
let revision: number;
let failures: unknown[];
let cache: DocumentCache;
let builds: number;

beforeEach(() => {
  clock = new ManualClock(1_000_000);
  revision = 1;
  failures = [];
  builds = 0;
  cache = new DocumentCache({
    clock,
    revision: async () => revision,
    isGone: (error) => error === GONE,
    onFailed: (error) => failures.push(error),
  });
});

const dated = (text: string) => encodeText(text, new Date(clock.now()).toUTCString());
const textOf = async (name: string, keepMs: number | null, make: () => Promise<string>) =>
  String(await (await cache.get(name, keepMs, async () => dated(await make()))).plain.bytes());
const count = (keepMs: number | null = 60_000) => textOf('count', keepMs, async () => `build ${++builds}`);
const fail = (error: Error) => textOf('count', null, () => Promise.reject(error));

/** A build that ends when the test says so. */
function heldBuild() {
  let end: (text: string) => void = () => undefined;
  const text = new Promise<string>((resolve) => {
    end = resolve;
  });
  return { end, text: () => text };
}

describe('DocumentCache', () => {
  test('builds once until the page changes or the time is over', async () => {
    expect(await count()).toBe('build 1');
    clock.advance(59_999);
    expect(await count()).toBe('build 1');
    clock.advance(1);
    expect(await count()).toBe('build 2');
    revision = 2;
    expect(await count()).toBe('build 3');
  });

  test('keeps what no time changes until the page does', async () => {
    expect(await count(null)).toBe('build 1');
    clock.advance(10 * 86_400_000);
    expect(await count(null)).toBe('build 1');
    revision = 2;
    expect(await count(null)).toBe('build 2');
  });

  test('a clock that is set back keeps nothing for longer', async () => {
    await count();
    clock.set(0);
    expect(await count()).toBe('build 2');
  });

  test('builds once for all who ask at the same time', async () => {
    expect(new Set(await Promise.all(Array.from({ length: 20 }, () => count())))).toEqual(
      new Set(['build 1']),
    );
  });

  test('a build that was overtaken by one for a newer page does not take its place', async () => {
    const old = heldBuild();
    const slow = textOf('count', null, old.text);
    await new Promise(setImmediate);
    revision = 2;
    expect(await count(null)).toBe('build 1');
    old.end('old');
    expect(await slow).toBe('old');
    expect(await count(null)).toBe('build 1');
  });

  test('the same text stays the same document, with its date', async () => {
    const read = () => cache.get('same', 60_000, async () => dated('text'));
    const first = await read();
    clock.advance(60_000);
    expect(await read()).toBe(first);
  });

  test('shows the last version when a build fails, and tries again after a second', async () => {
    await count(null);
    revision = 2;
    expect(await fail(new Error('locked'))).toBe('build 1');
    expect(await fail(new Error('locked'))).toBe('build 1');
    expect(failures).toHaveLength(1);
    clock.advance(1_000);
    expect(await count(null)).toBe('build 2');
  });

  test('what is not there any more is not shown, also when its address is asked for again', async () => {
    await count();
    revision = 2;
    await expect(fail(GONE)).rejects.toBe(GONE);
    await expect(fail(new Error('locked'))).rejects.toThrow('locked');
    expect(failures).toEqual([]);
  });

  test('a first build that fails is told and not kept', async () => {
    await expect(fail(new Error('locked'))).rejects.toThrow('locked');
    expect(await count()).toBe('build 1');
  });

  test('keeps no more than so many bytes, the newest ones', async () => {
    const large = 'x'.repeat(12 * 1024 * 1024);
    const get = (name: string) => textOf(name, null, async () => `${++builds} ${large}`);
    for (const name of ['a', 'b', 'c']) await get(name);
    expect((await get('c')).startsWith('3 ')).toBe(true);
    expect((await get('a')).startsWith('4 ')).toBe(true);
  });
});
