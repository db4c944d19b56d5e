import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../../../values/clock.ts';
import { CompilerSourceError } from '../../compiler-catalog.ts';
import { createKeptList } from './kept-list.ts';

/** A list whose readings the test ends one after the other. */
function aList() {
  const clock = new ManualClock(0);
  const readings: { readonly resolve: (list: string) => void; readonly reject: (error: Error) => void }[] =
    [];
  const read = () => new Promise<string>((resolve, reject) => readings.push({ resolve, reject }));
  return { clock, readings, list: createKeptList('http://list.test/', read, clock) };
}

describe('a list of compilers', () => {
  test('is read once by all who ask at the same moment, and again when it is too old', async () => {
    const { clock, readings, list } = aList();
    const asked = [list.get(1000), list.get(1000)];
    readings[0]?.resolve('first');
    expect(await Promise.all(asked)).toEqual(['first', 'first']);
    clock.advance(999);
    expect(await list.get(1000)).toBe('first');
    clock.advance(1);
    const again = list.get(1000);
    readings[1]?.resolve('second');
    expect([await again, list.latest, readings.length]).toEqual(['second', 'second', 2]);
  });

  test('lets nobody wait for a server that has been silent for long', async () => {
    const { clock, readings, list } = aList();
    const first = list.get(1000);
    clock.advance(15_001);
    await expect(list.get(1000)).rejects.toThrow('http://list.test/ has not arrived for 15 s');
    readings[0]?.resolve('late');
    expect([await first, await list.get(1000)]).toEqual(['late', 'late']);
  });

  test('that cannot be read is asked for again after a minute', async () => {
    const { clock, readings, list } = aList();
    const first = list.get(1000);
    readings[0]?.reject(new CompilerSourceError('refused'));
    await expect(first).rejects.toThrow('refused');
    clock.advance(59_999);
    await expect(list.get(1000)).rejects.toThrow('refused');
    clock.advance(1);
    const again = list.get(1000);
    readings[1]?.resolve('there');
    expect(await again).toBe('there');
  });
});
