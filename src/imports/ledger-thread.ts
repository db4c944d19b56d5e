import type { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { IngestState } from '../mirror/ingest/report/ingest-state.ts';
import { LARGE_HEAP } from '../threads/large-heap-thread.ts';
import { startThread } from '../threads/start-thread.ts';
import type { LedgerTasks, LedgerWork } from './ledger-tasks.ts';
import type { LedgerMessage, LedgerThreadSetup } from './ledger-worker.ts';

/** A thread, as `LedgerThread` uses it. */
interface StartedThread {
  on(event: 'error', listener: (err: unknown) => void): unknown;
  on(event: 'message', listener: (message: LedgerMessage) => void): unknown;
  once(event: 'exit', listener: () => void): unknown;
  postMessage(message: 'close'): void;
}

interface LedgerThreadOptions {
  /** Starts the thread. Default: a worker thread of this process. */
  readonly start?: (setup: LedgerThreadSetup) => StartedThread;
  /** Pause before a thread that ended by itself is started again, milliseconds. Default 10 000. */
  readonly restartAfterMs?: number;
}

const RESTART_AFTER_MS = 10_000;

/**
 * Does the work on the ledger in a thread with a connection of its own, so that verifying, decoding and storing do not hold up
 * requests: readers never wait for a writer of the database.
 *
 * A thread that fails is started again: what it stored is whole, and imports continue after it.
 *
 * @see docs/adr/0019-imports.md
 */
export class LedgerThread implements LedgerWork {
  readonly #setup: Omit<LedgerThreadSetup, 'tasks'>;
  readonly #log: Logger;
  readonly #start: (setup: LedgerThreadSetup) => StartedThread;
  readonly #restartAfterMs: number;
  #thread: StartedThread | null = null;
  #ended: Promise<void> = Promise.resolve();
  #restart: NodeJS.Timeout | null = null;
  #states: readonly IngestState[] = [];
  #isClosing = false;

  constructor(
    setup: Omit<LedgerThreadSetup, 'tasks'>,
    log: Logger,
    { restartAfterMs = RESTART_AFTER_MS, start = startWorker }: LedgerThreadOptions = {},
  ) {
    this.#setup = setup;
    this.#log = log;
    this.#start = start;
    this.#restartAfterMs = restartAfterMs;
  }

  begin(tasks: LedgerTasks): void {
    const { importPaths, keepDays, live, watchPaths } = tasks;
    if (importPaths.length + watchPaths.length + live.length === 0 && keepDays === null) return;
    const thread = this.#start({ ...this.#setup, tasks });
    this.#thread = thread;
    thread.on('error', (err) => {
      this.#log.error({ err }, 'the import thread failed');
      this.#fail(err instanceof Error ? err.message : String(err));
    });
    thread.on('message', (message: LedgerMessage) => {
      if (message.kind === 'states') this.#states = message.states;
      else this.#log[message.level](message.fields, message.message);
    });
    this.#ended = new Promise((resolve) => {
      thread.once('exit', () => {
        this.#thread = null;
        resolve();
        if (!this.#isClosing) this.#beginLater(tasks);
      });
    });
  }

  #beginLater(tasks: LedgerTasks): void {
    this.#fail('the import thread ended');
    this.#log.warn({}, `the import thread exited and will be restarted in ${this.#restartAfterMs} ms`);
    this.#restart = setTimeout(() => this.begin(tasks), this.#restartAfterMs);
  }

  states(): readonly IngestState[] {
    return this.#states;
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#restart !== null) clearTimeout(this.#restart);
    this.#thread?.postMessage('close');
    await this.#ended;
  }

  /** Until the thread tells again every source shows why nothing continues; the first reason stays. */
  #fail(error: string): void {
    this.#states = this.#states.map((state) =>
      state.state === 'failed' ? state : { ...state, state: 'failed', error },
    );
  }
}

function startWorker(data: LedgerThreadSetup): Worker {
  const env = data.tasks.live.length === 0 ? {} : sourceEnvironment(process.env);
  return startThread('imports/ledger-worker', { data, env, resourceLimits: LARGE_HEAP });
}

/** What the libraries of live sources read of the environment: credentials and profiles, and ways to the network. */
const NAMES: readonly string[] = [
  'HOME',
  'USERPROFILE',
  'PATH',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
];
const PREFIXES: readonly string[] = ['AWS_', 'GOOGLE_', 'GRPC_'];

/** The variables that a thread with live sources may see; the product's own, with their secrets, are not among them. */
export function sourceEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => {
      const [name, value] = entry;
      const upper = name.toUpperCase();
      return (
        value !== undefined && (NAMES.includes(upper) || PREFIXES.some((prefix) => upper.startsWith(prefix)))
      );
    }),
  );
}
