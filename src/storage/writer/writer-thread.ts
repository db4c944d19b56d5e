import type { Log } from '../../values/log.ts';
import { StorageBusyError, StorageFaultError } from '../../values/storage-errors.ts';
import { WORKING_WRITES, type WriteState } from '../write-state.ts';
import {
  DEFAULT_PATIENCE_MS,
  monotonicMs,
  type WriteOperations,
  type WriteOptions,
  type WriteResult,
  type Writer,
} from './writer.ts';
import { receiveError, type WriterMessage, type WriterRequest } from './writer-messages.ts';

/** A thread, as `WriterThread` uses it. */
export interface StartedWriter {
  on(event: 'error', listener: (error: unknown) => void): unknown;
  on(event: 'message', listener: (message: WriterMessage) => void): unknown;
  once(event: 'exit', listener: () => void): unknown;
  postMessage(request: WriterRequest, transfer?: readonly ArrayBuffer[]): void;
  terminate(): Promise<unknown>;
}

export interface WriterThreadParts {
  readonly start: () => StartedWriter;
  readonly log: Log;
  /** Pause before a thread that ended by itself is started again, milliseconds. Default 1000. */
  readonly restartAfterMs?: number;
  /** Default 1000 writes. */
  readonly mostWaiting?: number;
  /** Default 128 MiB of arguments. */
  readonly mostBytes?: number;
  /** After its patience a write has this long for its work, milliseconds. Default 30 000. */
  readonly graceMs?: number;
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly bytes: number;
  /** By `monotonicMs`: nobody is kept waiting for longer. */
  readonly until: number;
}

/** What an argument takes that says nothing of its size. */
const SMALL_BYTES = 1024;
const LOOK_MS = 1_000;
/** At the end what is under way gets this long; a thread that hangs in the disk would never end. */
const FAREWELL_MS = 15_000;

/**
 * Sends writes to a thread with a connection of its own: whatever holds the database up, the caller's thread continues.
 *
 * A thread that ended is started again; writes that it had taken are refused, though the last commit may hold them.
 *
 * @see docs/adr/0007-one-writer-thread.md
 */
export class WriterThread {
  readonly #parts: WriterThreadParts;
  readonly #waiting = new Map<number, Waiting>();
  #thread: StartedWriter | null = null;
  #ended: Promise<void> = Promise.resolve();
  #restart: NodeJS.Timeout | null = null;
  readonly #look: NodeJS.Timeout;
  #state: WriteState = WORKING_WRITES;
  #failure: string | null = null;
  #lastId = 0;
  #bytes = 0;
  #isClosing = false;

  constructor(parts: WriterThreadParts) {
    this.#parts = parts;
    this.#look = setInterval(() => this.#refuseOverdue(), LOOK_MS);
    this.#look.unref();
    this.#start();
  }

  get state(): WriteState {
    return this.#state;
  }

  /** The writes of an area. @param area name of its table in the thread. */
  writerOf<Operations extends WriteOperations>(area: string): Writer<Operations> {
    return {
      write: (name, args, options) =>
        this.#write(`${area}.${name}`, args, options) as Promise<WriteResult<Operations[typeof name]>>,
    };
  }

  /** Ends after the writes that wait. May be called twice. */
  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#restart !== null) clearTimeout(this.#restart);
    const thread = this.#thread;
    thread?.postMessage({ kind: 'close' });
    const giveUp = setTimeout(() => void thread?.terminate(), FAREWELL_MS);
    await this.#ended;
    clearTimeout(giveUp);
    clearInterval(this.#look);
  }

  #write(name: string, args: unknown, options: WriteOptions = {}): Promise<unknown> {
    const { patienceMs = DEFAULT_PATIENCE_MS, bytes = SMALL_BYTES, transfer = [] } = options;
    const { graceMs = 30_000, mostBytes = 134_217_728, mostWaiting = 1000 } = this.#parts;
    const thread = this.#thread;
    if (thread === null || this.#isClosing) {
      const stopping = this.#isClosing ? 'the server is stopping' : null;
      return Promise.reject(
        new StorageFaultError(stopping ?? this.#failure ?? 'the writer thread has ended'),
      );
    }
    const isTooMuch = this.#waiting.size > 0 && this.#bytes + bytes > mostBytes;
    if (this.#waiting.size >= mostWaiting || isTooMuch) {
      return Promise.reject(new StorageBusyError('too many writes are waiting'));
    }
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      const deadline = monotonicMs() + patienceMs;
      thread.postMessage({ kind: 'write', id, name, args, deadline }, transfer);
      this.#waiting.set(id, { resolve, reject, bytes, until: deadline + graceMs });
      this.#bytes += bytes;
    });
  }

  #start(): void {
    this.#restart = null;
    let thread: StartedWriter;
    try {
      thread = this.#parts.start();
    } catch (error) {
      // The system has no thread to give at the moment.
      this.#ended = Promise.resolve();
      this.#startLater(`the writer thread cannot be started: ${messageOf(error)}`);
      return;
    }
    this.#thread = thread;
    this.#failure = null;
    thread.on('error', (error) => {
      this.#failure = `the writer thread has failed: ${messageOf(error)}`;
    });
    thread.on('message', (message) => this.#receive(message));
    this.#ended = new Promise((resolve) => {
      thread.once('exit', () => {
        this.#thread = null;
        resolve();
        this.#startLater(this.#failure ?? 'the writer thread has ended');
      });
    });
  }

  #startLater(failure: string): void {
    this.#failure = failure;
    this.#refuse([...this.#waiting.keys()], failure);
    if (this.#isClosing) return;
    if (this.#state.writes !== 'refused') this.#tell({ writes: 'failing', reason: failure });
    this.#restart = setTimeout(() => this.#start(), this.#parts.restartAfterMs ?? 1000);
  }

  #receive(message: WriterMessage): void {
    if (message.kind === 'state') {
      this.#failure = message.state.reason;
      this.#tell(message.state);
    } else if (message.kind === 'refused') {
      this.#take(message.id)?.reject(receiveError(message.error));
    } else {
      // Whatever an earlier thread failed with: this one has committed.
      this.#tell(WORKING_WRITES);
      this.#take(message.id)?.resolve(message.value);
    }
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    this.#bytes -= waiting?.bytes ?? 0;
    return waiting;
  }

  #refuse(ids: readonly number[], reason: string): void {
    for (const id of ids) this.#take(id)?.reject(new StorageFaultError(reason));
  }

  /** A disk that hangs holds the thread up, but nobody who waits for it. */
  #refuseOverdue(): void {
    const now = monotonicMs();
    const overdue = [...this.#waiting].filter(([, { until }]) => until <= now).map(([id]) => id);
    if (overdue.length === 0) return;
    const reason = 'a write did not finish in time';
    this.#refuse(overdue, reason);
    this.#tell({ writes: 'failing', reason });
  }

  /** The one place that logs how writes fare, so a thousand refused ones make one line. */
  #tell(state: WriteState): void {
    const { log } = this.#parts;
    if (state.writes === this.#state.writes && state.reason === this.#state.reason) return;
    this.#state = state;
    const { reason } = state;
    if (state.writes === 'failing' || state.writes === 'refused')
      log.error({ reason }, 'the database does not accept writes');
    else if (state.writes === 'waiting') log.warn({ reason }, 'writes to the database are waiting');
    else log.info({}, 'the database accepts writes again');
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
