import { EventEmitter } from 'node:events';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readConfig } from '../config.ts';
import { idleState } from '../mirror/ingest/report/ingest-state.ts';
import { LedgerThread } from './ledger-thread.ts';

class FakeThread extends EventEmitter {
  readonly sent: unknown[] = [];
  postMessage(message: unknown): void {
    this.sent.push(message);
    this.emit('exit', 0);
  }
}

const TASKS = { importPaths: ['/ledger'], watchPaths: [], live: [], watchPeriodMs: 1000, keepDays: null };
const running = { ...idleState('/ledger'), state: 'running' } as const;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function aThread() {
  const started: FakeThread[] = [];
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => lines.push((JSON.parse(line) as { msg: string }).msg) });
  const thread = new LedgerThread(
    {
      store: { config: readConfig({}), identity: null },
      settings: { addressBookPath: null, options: {} },
    },
    log,
    {
      start: () => {
        const next = new FakeThread();
        started.push(next);
        return next;
      },
    },
  );
  return { thread, started, lines };
}

test('a thread that fails shows why, and is started again with the same tasks', async () => {
  const { lines, started, thread } = aThread();
  thread.begin(TASKS);
  started[0]?.emit('message', { kind: 'states', states: [running] });
  expect(thread.states()).toEqual([running]);
  started[0]?.emit('error', new Error('out of memory'));
  started[0]?.emit('exit', 1);
  expect(thread.states()).toEqual([{ ...running, state: 'failed', error: 'out of memory' }]);
  expect(lines).toEqual([
    'the import thread failed',
    'the import thread exited and will be restarted in 10000 ms',
  ]);
  vi.advanceTimersByTime(9999);
  expect(started).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(started).toHaveLength(2);
  started[1]?.emit('message', { kind: 'states', states: [running] });
  expect(thread.states()).toEqual([running]);
  await thread.close();
  expect(started[1]?.sent).toEqual(['close']);
});

test('a thread that was closed is not started again, nor one that waits for its new start', async () => {
  const { started, thread } = aThread();
  thread.begin(TASKS);
  await thread.close();
  expect(started).toHaveLength(1);

  const failed = aThread();
  failed.thread.begin(TASKS);
  failed.started[0]?.emit('exit', 1);
  await failed.thread.close();
  vi.advanceTimersByTime(60_000);
  expect(failed.started).toHaveLength(1);
});

test('without anything to do no thread is started', () => {
  const { started, thread } = aThread();
  thread.begin({ ...TASKS, importPaths: [] });
  expect(started).toEqual([]);
});
