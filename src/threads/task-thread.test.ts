import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, test } from 'vitest';
import { TaskThread, TaskTimeout, ThreadClosed } from './task-thread.ts';

/** Answers each task with it and how many it had; some end the thread, fail in it or never end. */
const CODE = `
  const { parentPort } = require('node:worker_threads');
  let count = 0;
  parentPort.on('message', (task) => {
    count += 1;
    if (task === 'exit') process.exit(0);
    if (task === 'fail') throw new Error('failed in the thread');
    if (task === 'hang') for (;;) {}
    parentPort.postMessage(task + ' ' + count);
  });
`;
const LIMITS = { timeoutMs: 60_000 };

let thread: TaskThread<string, string>;
let started: Worker[];
afterEach(() => thread.close());

function aThread(idleMs = 60_000) {
  started = [];
  const start = () => {
    const worker = new Worker(CODE, { eval: true });
    started.push(worker);
    return worker;
  };
  thread = new TaskThread({ start, name: 'test', idleMs });
  return thread;
}

describe('TaskThread', () => {
  test('starts with the first task and answers in order', async () => {
    aThread();
    expect(started).toHaveLength(0);
    const answers = ['a', 'b', 'c'].map((task) => thread.run(task, LIMITS));
    expect(await Promise.all(answers)).toEqual(['a 1', 'b 2', 'c 3']);
    expect(started).toHaveLength(1);
  });

  test.each([
    ['exit', LIMITS, 'ended during a task'],
    ['fail', LIMITS, 'failed in the thread'],
    ['hang', { timeoutMs: 10 }, TaskTimeout],
  ])(
    'is replaced after a task that makes it %s, and the next one is answered',
    async (task, limits, error) => {
      aThread();
      const bad = expect(thread.run(task, limits)).rejects.toThrow(error);
      expect(await thread.run('next', LIMITS)).toBe('next 1');
      await bad;
      expect(started).toHaveLength(2);
    },
  );

  test('a task that waits for another ends as soon as it is cancelled, one that runs ends the thread', async () => {
    aThread();
    const [running, waiting] = [new AbortController(), new AbortController()];
    const hung = expect(thread.run('hang', { ...LIMITS, signal: running.signal })).rejects.toThrow('enough');
    const queued = expect(thread.run('a', { ...LIMITS, signal: waiting.signal })).rejects.toThrow(
      'not wanted',
    );
    waiting.abort(new Error('not wanted'));
    await queued;
    running.abort(new Error('enough'));
    await hung;
    expect(await thread.run('b', LIMITS)).toBe('b 1');
  });

  test('a task that cannot be sent rejects, and leaves nothing that rejects later', async () => {
    aThread();
    const unsendable = (() => {}) as unknown as string;
    await expect(thread.run(unsendable, LIMITS)).rejects.toThrow('could not be cloned');
    expect(await thread.run('a', LIMITS)).toBe('a 1');
  });

  test('ends when it has nothing to do, and takes no task after it was closed', async () => {
    aThread(1);
    expect(await thread.run('a', LIMITS)).toBe('a 1');
    // A thread that has ended has no number any more.
    await expect.poll(() => started[0]?.threadId).toBe(-1);
    expect(await thread.run('b', LIMITS)).toBe('b 1');
    await thread.close();
    await expect(thread.run('c', LIMITS)).rejects.toThrow(ThreadClosed);
  });
});
