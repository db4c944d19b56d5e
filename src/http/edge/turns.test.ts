import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { Turns } from './turns.ts';

/** Turns whose clock and event loop the test moves. */
function someTurns() {
  let now = 0;
  const calls: { readonly after: 'reading' | 'promises'; readonly call: () => void }[] = [];
  const turns = new Turns({
    now: () => now,
    afterReading: (call) => calls.push({ after: 'reading', call }),
    afterPromises: (call) => calls.push({ after: 'promises', call }),
  });
  const done: string[] = [];
  return {
    turns,
    done,
    /** Work of so many milliseconds. */
    add: (name: string, milliseconds: number, isDone = true, client = '') =>
      turns.wait((waitedMs) => {
        done.push(`${name} after ${waitedMs}`);
        now += milliseconds;
        return isDone;
      }, client),
    pass(milliseconds: number) {
      now += milliseconds;
    },
    /** Goes on to the next call. @returns what it came after, or null when there was none. */
    next() {
      const [first] = calls.splice(0, 1);
      first?.call();
      return first?.after ?? null;
    },
  };
}

describe('Turns', () => {
  test('a turn ends when its time is over, and the rest waits for the next in order of arrival', () => {
    const { add, done, next, turns } = someTurns();
    for (const name of ['a', 'b', 'c', 'd', 'e']) add(name, 3);
    expect(done).toEqual([]);
    expect(next()).toBe('reading');
    expect([...done]).toEqual(['a after 0', 'b after 3']);
    expect(turns.hasTime()).toBe(false);
    expect(next()).toBe('reading');
    expect(done.length).toBe(4);
    expect(next()).toBe('reading');
    expect(done.at(-1)).toBe('e after 12');
    expect(next()).toBeNull();
  });

  test('clients have their turns one after the other, however much each of them wants', () => {
    const { add, done, next } = someTurns();
    for (let index = 0; index < 3000; index += 1) add('greedy', 0, true, 'a');
    for (const name of ['first', 'second']) add(name, 0, true, 'b');
    add('third', 0, true, 'c');
    next();
    expect(done.slice(0, 6).map((name) => name.split(' ')[0])).toEqual([
      'greedy',
      'first',
      'third',
      'greedy',
      'second',
      'greedy',
    ]);
    expect(done.length).toBe(3003);
  });

  test('nothing of done work is kept, while more of its client waits', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const { next, pass, turns } = someTurns();
    const done: WeakRef<object>[] = [];
    for (const client of ['a', 'b', 'a', 'b', 'a', 'b']) {
      const request = {};
      done.push(new WeakRef(request));
      turns.wait(() => {
        pass(request === null ? 0 : 2);
        return true;
      }, client);
    }
    next();
    // What a reference was read from stays until the end of the turn.
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    expect(done.filter((each) => each.deref() !== undefined)).toHaveLength(3);
  });

  test('what was withdrawn takes no turn of its client, and withdrawing what has begun changes nothing', () => {
    const { add, done, next } = someTurns();
    const gone = ['a', 'b', 'c'].map((name) => add(name, 0, true, 'restless'));
    const first = add('d', 0, true, 'restless');
    add('e', 0, true, 'other');
    for (const withdraw of gone) withdraw();
    next();
    first();
    expect(done.map((name) => name.split(' ')[0])).toEqual(['d', 'e']);
  });

  test('what promises have to do counts to the turn of the work that made them', () => {
    const { add, done, next, pass } = someTurns();
    add('a', 1, false);
    add('b', 1, false);
    add('c', 1, false);
    next();
    expect(done).toHaveLength(1);
    pass(1);
    expect(next()).toBe('promises');
    expect(done).toHaveLength(2);
    pass(10);
    expect(next()).toBe('promises');
    expect(done).toHaveLength(2);
    expect(next()).toBe('reading');
    expect(done).toHaveLength(3);
  });

  test('work may be done at once while the turn has time and nothing waits', () => {
    const { add, next, pass, turns } = someTurns();
    expect(turns.hasTime()).toBe(false);
    add('a', 1);
    expect(turns.hasTime()).toBe(false);
    next();
    expect(turns.hasTime()).toBe(true);
    pass(4);
    expect(turns.hasTime()).toBe(false);
  });

  test('nothing begins while they are held', () => {
    const { add, done, next, pass, turns } = someTurns();
    add('a', 1);
    expect(turns.hold()).toBe(true);
    expect([next(), done.length, turns.hasTime()]).toEqual(['reading', 0, false]);
    turns.goOn();
    expect([next(), done.length, turns.hasTime()]).toEqual(['reading', 1, true]);
    turns.hold();
    expect(turns.hasTime()).toBe(false);
    turns.goOn();
    pass(3);
    expect(turns.hasTime()).toBe(true);
  });

  test('between two holds what waits has as much time as the first took, and one turn at least', () => {
    const { add, done, next, pass, turns } = someTurns();
    for (let index = 0; index < 9; index += 1) add(String(index), 5);
    const begun: number[] = [];
    for (const heldMs of [0.1, 12]) {
      expect(turns.hold()).toBe(true);
      pass(heldMs);
      turns.goOn();
      const before = done.length;
      while (!turns.hold()) next();
      begun.push(done.length - before);
      turns.goOn();
      next();
    }
    expect(begun).toEqual([1, 3]);
    while (next() !== null);
    expect([turns.hold(), turns.hold()]).toEqual([true, true]);
  });

  test('work that arrives while others wait is never lost, however much there is', () => {
    const { add, done, next } = someTurns();
    const total = 5000;
    let added = 0;
    const addSome = (count: number) => {
      for (let index = 0; index < count && added < total; index += 1) {
        add(String(added), 0.1);
        added += 1;
      }
    };
    addSome(2000);
    while (next() !== null) addSome(30);
    addSome(total);
    while (next() !== null);
    expect(done.length).toBe(total);
    expect(done.map((line) => Number(line.split(' ')[0]))).toEqual(
      Array.from({ length: total }, (_, n) => n),
    );
  });

  test('on the real event loop promises continue between two pieces of work', async () => {
    const turns = new Turns();
    const order: string[] = [];
    await new Promise<void>((resolve) => {
      for (const name of ['a', 'b']) {
        turns.wait(() => {
          order.push(name);
          void (async () => {
            for (let hop = 0; hop < 5; hop += 1) await null;
            order.push(`${name} ends`);
            if (name === 'b') resolve();
          })();
          return false;
        });
      }
    });
    expect(order).toEqual(['a', 'a ends', 'b', 'b ends']);
  });
});
