import { describe, expect, test } from 'vitest';
import { CompileSlots } from './compile-slots.ts';

const never = new AbortController().signal;

describe('CompileSlots', () => {
  test('grants no more than it has, in the order of asking', async () => {
    const slots = new CompileSlots(1);
    const release = await slots.acquire(never);
    const order: string[] = [];
    const second = slots.acquire(never).then((next) => {
      order.push('second');
      return next;
    });
    const third = slots.acquire(never).then(() => order.push('third'));
    expect(slots.waiting).toBe(2);
    release();
    const releaseSecond = await second;
    expect(order).toEqual(['second']);
    releaseSecond();
    await third;
    expect(order).toEqual(['second', 'third']);
  });

  test('lets those overtake that are ready, but nobody wait for ever', async () => {
    const slots = new CompileSlots(1);
    let release = await slots.acquire(never);
    const served: string[] = [];
    const ask = (name: string, isReady: boolean) =>
      slots
        .acquire(never, () => isReady)
        .then((next) => {
          served.push(name);
          release = next;
        });
    const waiting = [ask('cold', false)];
    for (let index = 0; index < 10; index++) waiting.push(ask('warm', true));
    while (slots.waiting > 0) {
      const before = served.length;
      release();
      await expect.poll(() => served.length, { interval: 1 }).toBe(before + 1);
    }
    await Promise.all(waiting);
    expect(served.indexOf('cold')).toBe(8);
  });

  test('gives back once what was released twice', async () => {
    const slots = new CompileSlots(1);
    const release = await slots.acquire(never);
    release();
    release();
    await slots.acquire(never);
    void slots.acquire(never);
    expect(slots.waiting).toBe(1);
  });

  test('lets nobody wait whose signal has fired', async () => {
    const slots = new CompileSlots(1);
    const release = await slots.acquire(never);
    const stop = new AbortController();
    const waiting = slots.acquire(stop.signal);
    const behind = slots.acquire(never);
    stop.abort(new Error('cancelled'));
    await expect(waiting).rejects.toThrow('cancelled');
    await expect(slots.acquire(stop.signal)).rejects.toThrow('cancelled');
    release();
    await expect(behind).resolves.toBeTypeOf('function');
  });
});
