import { describe, expect, test } from 'vitest';
import { aCompilation } from '../../../../test/kit/verify/a-verification.ts';
import { createMemoryOutputCache, packOutput } from './output-cache.ts';

const { input: _, ...compilation } = aCompilation({});
const OUTPUT = { compilation, milliseconds: 12.5 };

describe('the outputs in memory', () => {
  test('come back as they were', async () => {
    const cache = createMemoryOutputCache({ maxBytes: 10_000 });
    expect(await cache.read('a')).toBeNull();
    await cache.write('a', OUTPUT);
    expect(await cache.read('a')).toEqual(OUTPUT);
  });

  test('make room for new ones, the least recently used goes first', async () => {
    const { length } = await packOutput(OUTPUT);
    const cache = createMemoryOutputCache({ maxBytes: length * 2 });
    await cache.write('a', OUTPUT);
    await cache.write('b', OUTPUT);
    await cache.write('b', OUTPUT);
    await cache.read('a');
    await cache.write('c', OUTPUT);
    const kept = await Promise.all(['a', 'b', 'c'].map(async (key) => (await cache.read(key)) !== null));
    expect(kept).toEqual([true, false, true]);
  });
});
