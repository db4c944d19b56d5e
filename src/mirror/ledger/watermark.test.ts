import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../values/clock.ts';
import { createEdition, createWatermark } from './watermark.ts';

const END = 1_700_000_000_000_000_001n;

describe('a database that answers at once', () => {
  test('gives the printed end without a promise, and is asked again after half a second', () => {
    const clock = new ManualClock(0);
    let end: bigint | null = null;
    const watermark = createWatermark({ newestConsensusEnd: () => end }, clock);
    expect(watermark()).toBeNull();
    end = END;
    clock.advance(499);
    expect(watermark()).toBeNull();
    clock.advance(1);
    expect(watermark()).toBe('1700000000.000000001');
  });

  test('whose answer fails is asked again at once', () => {
    const answers = [
      () => {
        throw new Error('away');
      },
      () => 'a-1',
    ];
    const edition = createEdition({ edition: () => (answers.shift() ?? String)() }, new ManualClock(0));
    expect(edition).toThrow('away');
    expect(edition()).toBe('a-1');
  });
});

describe('a database that has to be waited for', () => {
  test('is asked once, however many want to know; its answer is then at hand', async () => {
    const clock = new ManualClock(0);
    let asked = 0;
    const edition = createEdition(
      {
        edition: async () => {
          asked++;
          return `a-${asked}`;
        },
      },
      clock,
    );
    expect(await Promise.all([edition(), edition()])).toEqual(['a-1', 'a-1']);
    expect([edition(), asked]).toEqual(['a-1', 1]);
    clock.advance(500);
    expect(await edition()).toBe('a-2');
  });

  test('whose answer fails is asked again', async () => {
    const answers = [() => Promise.reject(new Error('away')), async () => 'a-1'];
    const edition = createEdition(
      { edition: () => (answers.shift() ?? (async () => 'a-2'))() },
      new ManualClock(0),
    );
    await expect(edition()).rejects.toThrow('away');
    expect(await edition()).toBe('a-1');
  });
});
