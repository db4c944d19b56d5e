import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { LedgerTasks, LedgerWork } from './ledger-tasks.ts';
import type { LedgerMessage, LedgerThreadSetup } from './ledger-worker.ts';
import type { IngestState } from './mirror/ingest/ingest-state.ts';
import { workerEntry } from './verify/compile/worker-entry.ts';

/**
 * Does the work on the ledger in a thread with a connection of its own, so that verifying, decoding and storing do not hold up
 * requests: readers never wait for a writer of the database.
 *
 * @see docs/adr/0019-imports-in-a-thread.md
 */
export class LedgerThread implements LedgerWork {
  readonly #setup: Omit<LedgerThreadSetup, 'tasks' | 'entry'>;
  readonly #log: Logger;
  #worker: Worker | null = null;
  #exit: Promise<unknown> = Promise.resolve();
  #states: readonly IngestState[] = [];
  #isClosing = false;

  constructor(setup: Omit<LedgerThreadSetup, 'tasks' | 'entry'>, log: Logger) {
    this.#setup = setup;
    this.#log = log;
  }

  begin(tasks: LedgerTasks): void {
    const { importPaths, keepDays, watchPaths } = tasks;
    if (importPaths.length + watchPaths.length === 0 && keepDays === null) return;
    const { url, behindShim } = workerEntry('../../ledger-worker');
    const setup: LedgerThreadSetup = { ...this.#setup, tasks };
    const worker = new Worker(url, {
      workerData: behindShim === undefined ? setup : { ...setup, entry: behindShim },
      env: {},
    });
    this.#worker = worker;
    this.#exit = once(worker, 'exit').then(() => {
      this.#worker = null;
      if (!this.#isClosing) this.#fail('the thread of the imports ended');
    });
    // Rejects only when an error comes first, which the next handler tells.
    this.#exit.catch(() => {});
    worker.on('error', (err) => {
      this.#log.error({ err }, 'the thread of the imports failed');
      this.#fail(err instanceof Error ? err.message : String(err));
    });
    worker.on('message', (message: LedgerMessage) => {
      if (message.kind === 'states') this.#states = message.states;
      else this.#log[message.level](message.fields, message.message);
    });
  }

  states(): readonly IngestState[] {
    return this.#states;
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#worker?.postMessage('close');
    await this.#exit.catch(() => {});
  }

  /** Only a new start of the server helps: every source shows why. */
  #fail(error: string): void {
    this.#states = this.#states.map((state) => ({ ...state, state: 'failed', error }));
  }
}
