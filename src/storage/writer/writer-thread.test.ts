import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { StorageBusyError, StorageFaultError } from '../../values/storage-errors.ts';
import type { Work } from '../../values/work.ts';
import type { WriterMessage, WriterRequest } from './writer-messages.ts';
import { WriterThread, type WriterThreadParts } from './writer-thread.ts';

class FakeThread extends EventEmitter {
  readonly requests: WriterRequest[] = [];
  postMessage(request: WriterRequest): void {
    this.requests.push(request);
    if (request.kind === 'close') this.emit('exit');
  }
  async terminate(): Promise<void> {
    this.emit('exit');
  }
  tell(message: WriterMessage): void {
    this.emit('message', message);
  }
}

type Writes = { readonly add: (x: number) => Work<number> };

function aWriter(settings: Partial<WriterThreadParts> = {}) {
  const threads: FakeThread[] = [];
  const lines: string[] = [];
  const log = { info: record, warn: record, error: record };
  function record(_fields: object, text: string) {
    lines.push(text);
  }
  const start = () => {
    const thread = new FakeThread();
    threads.push(thread);
    return thread;
  };
  const thread = new WriterThread({ start, log, ...settings });
  return { thread, threads, lines, writer: thread.writerOf<Writes>('area') };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('WriterThread', () => {
  test('sends a write by its area and name and answers what the thread answers', async () => {
    const { threads, writer } = aWriter();
    const stored = writer.write('add', 7);
    expect(threads[0]?.requests).toMatchObject([{ kind: 'write', id: 1, name: 'area.add', args: 7 }]);
    threads[0]?.tell({ kind: 'stored', id: 1, value: 8 });
    expect(await stored).toBe(8);
    const refused = writer.write('add', 9);
    threads[0]?.tell({
      kind: 'refused',
      id: 2,
      error: { kind: 'fault', reason: 'the disk is full', cause: null },
    });
    await expect(refused).rejects.toThrow(StorageFaultError);
  });

  test('a thread that dies refuses what it had and is started again', async () => {
    const { lines, thread, threads, writer } = aWriter();
    const lost = writer.write('add', 1);
    threads[0]?.emit('error', new Error('out of memory'));
    threads[0]?.emit('exit');
    await expect(lost).rejects.toThrow('out of memory');
    await expect(writer.write('add', 2)).rejects.toThrow(StorageFaultError);
    expect(thread.state.writes).toBe('failing');
    vi.advanceTimersByTime(1000);
    const stored = writer.write('add', 3);
    threads[1]?.tell({ kind: 'stored', id: 2, value: 4 });
    expect(await stored).toBe(4);
    expect(thread.state.writes).toBe('working');
    expect(lines).toEqual(['the database does not accept writes', 'the database accepts writes again']);
  });

  test('a thread that cannot be started is tried again, and writes are refused meanwhile', async () => {
    const thread = new FakeThread();
    let attempts = 0;
    const start = () => {
      attempts += 1;
      if (attempts === 2) throw new Error('no resources');
      return thread;
    };
    const { lines, thread: writing, writer } = aWriter({ start });
    thread.emit('exit');
    vi.advanceTimersByTime(1000);
    await expect(writer.write('add', 1)).rejects.toThrow('cannot be started: no resources');
    expect(writing.state).toMatchObject({ writes: 'failing' });
    vi.advanceTimersByTime(1000);
    expect(attempts).toBe(3);
    const stored = writer.write('add', 2);
    thread.tell({ kind: 'stored', id: 1, value: 2 });
    expect(await stored).toBe(2);
    expect(lines.at(-1)).toBe('the database accepts writes again');
    await writing.close();
  });

  test('takes no more than it may hold, but one write of any size', async () => {
    const { writer } = aWriter({ mostBytes: 10, mostWaiting: 2 });
    const large = writer.write('add', 1, { bytes: 1000 });
    await expect(writer.write('add', 2, { bytes: 1 })).rejects.toThrow(StorageBusyError);
    const { threads, writer: other } = aWriter({ mostWaiting: 2 });
    const waiting = [other.write('add', 1), other.write('add', 2)];
    await expect(other.write('add', 3)).rejects.toThrow(StorageBusyError);
    for (const id of [1, 2]) threads[0]?.tell({ kind: 'stored', id, value: id });
    expect(await Promise.all(waiting)).toEqual([1, 2]);
    expect(large).toBeInstanceOf(Promise);
  });

  test('nobody waits for a thread that hangs in the disk', async () => {
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'hrtime'] });
    const { thread, writer } = aWriter({ graceMs: 1000 });
    const hanging = writer.write('add', 1, { patienceMs: 1000 });
    vi.advanceTimersByTime(3000);
    await expect(hanging).rejects.toThrow('did not finish in time');
    expect(thread.state.writes).toBe('failing');
  });

  test('after the end it takes nothing, and starts nothing', async () => {
    const { thread, threads, writer } = aWriter();
    await thread.close();
    await expect(writer.write('add', 1)).rejects.toThrow('the server is stopping');
    vi.advanceTimersByTime(60_000);
    expect(threads).toHaveLength(1);
  });
});
