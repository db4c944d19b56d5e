import { beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../values/clock.ts';
import { StatusNotFoundError } from '../errors.ts';
import { KeptPages } from './kept-pages.ts';

let clock: ManualClock;
let revision: number;
let failures: unknown[];
let pages: KeptPages;
let rendered: number;

beforeEach(() => {
  clock = new ManualClock(1_000_000);
  revision = 1;
  failures = [];
  rendered = 0;
  const documents = {
    get: async () => ({}) as never,
    get revision() {
      return revision;
    },
  };
  pages = new KeptPages(documents, clock, (error) => failures.push(error));
});

const textOf = async (name: string, render: (now: number) => Promise<string>) =>
  String(await (await pages.get(name, render)).plain.bytes());
const count = () => textOf('count', async () => `rendered ${++rendered}`);

describe('KeptPages', () => {
  test('renders once until the page changes or a minute is over', async () => {
    expect(await count()).toBe('rendered 1');
    clock.advance(59_999);
    expect(await count()).toBe('rendered 1');
    clock.advance(1);
    expect(await count()).toBe('rendered 2');
    revision = 2;
    expect(await count()).toBe('rendered 3');
  });

  test('a clock that is set back does not keep a page for longer', async () => {
    await count();
    clock.set(0);
    expect(await count()).toBe('rendered 2');
  });

  test('many requests at once wait for one rendering', async () => {
    const texts = await Promise.all([count(), count(), count()]);
    expect(texts).toEqual(['rendered 1', 'rendered 1', 'rendered 1']);
  });

  test('the same text stays the same document', async () => {
    const render = async () => 'text';
    const first = await pages.get('same', render);
    clock.advance(60_000);
    expect(await pages.get('same', render)).toBe(first);
  });

  test('shows the last version when rendering fails, and tries again after a second', async () => {
    await count();
    revision = 2;
    const fails = () => textOf('count', async () => Promise.reject(new Error('locked')));
    expect(await fails()).toBe('rendered 1');
    expect(await fails()).toBe('rendered 1');
    expect(failures).toHaveLength(1);
    clock.advance(1000);
    expect(await count()).toBe('rendered 2');
  });

  test('what is not there any more is not shown, and a first failure is told', async () => {
    await count();
    revision = 2;
    const gone = new StatusNotFoundError('incident', 'x');
    await expect(pages.get('count', () => Promise.reject(gone))).rejects.toBe(gone);
    await expect(pages.get('new', () => Promise.reject(new Error('locked')))).rejects.toThrow('locked');
    expect(failures).toEqual([]);
  });

  test('keeps no more than so many bytes, the newest ones', async () => {
    const large = 'x'.repeat(12 * 1024 * 1024);
    const get = (name: string) => textOf(name, async () => `${++rendered} ${large}`);
    for (const name of ['a', 'b', 'c']) await get(name);
    expect((await get('c')).startsWith('3 ')).toBe(true);
    expect((await get('a')).startsWith('4 ')).toBe(true);
  });
});
