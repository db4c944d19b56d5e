import { setImmediate as otherEvents, setTimeout as pause } from 'node:timers/promises';
import { StorageBusyError, StorageFaultError } from '../../values/storage-errors.ts';
import { doNow, type Work } from '../../values/work.ts';
import type { SqliteDatabase } from '../sqlite.ts';
import { LOCKED_REASON, storageErrorOf } from '../sqlite-errors.ts';
import { WORKING_WRITES, type WriteState } from '../write-state.ts';
import { monotonicMs } from './writer.ts';

export type WriteOutcome =
  | { readonly kind: 'stored'; readonly value: unknown }
  | { readonly kind: 'refused'; readonly error: unknown };

/** A write that waits for its turn. */
interface WriteTask {
  /** Runs inside the transaction. */
  readonly run: () => Work<unknown>;
  /** By {@link monotonicMs}: afterwards it does not wait for a lock any more. */
  readonly deadline: number;
  /** Called once, after the commit. */
  readonly settle: (outcome: WriteOutcome) => void;
}

interface WriteLoopParts {
  readonly database: SqliteDatabase;
  /** Asked before each begin and each commit: why nothing may be written now; null: all is well. */
  readonly objection?: () => string | null;
  /** Told when the state changes. */
  readonly onState?: (state: WriteState) => void;
  /** Puts a fault into words, with what the surroundings tell. Default: as it is. */
  readonly describe?: (error: StorageFaultError) => StorageFaultError;
  /** How long the driver may wait for a lock at a time, which holds up this thread, milliseconds. Default 0. */
  readonly sliceMs?: number;
  /** Whether to look for further writes before each commit, for a thread that does nothing else. Default false. */
  readonly gathers?: boolean;
}

/** Waiting in between for messages and for the holder of the lock. */
const PAUSE_MS = 5;
/** Writes that share a commit: the last one waits for the work of all. */
const MAX_SHARED = 64;
/** Commits of an import take less; a lock that is held for longer is worth telling. */
const LONG_LOCK_MS = 5_000;

/**
 * Commits writes in the order in which they came. Those that wait together share one commit, which waits for the disk;
 * a savepoint each keeps them apart.
 */
export class WriteLoop {
  readonly #parts: WriteLoopParts;
  #tasks: WriteTask[] = [];
  #run: Promise<void> = Promise.resolve();
  #isRunning = false;
  #state: WriteState = WORKING_WRITES;
  #lockedSince: number | null = null;

  constructor(parts: WriteLoopParts) {
    this.#parts = parts;
  }

  get state(): WriteState {
    return this.#state;
  }

  /** Whether the newest attempt to begin found the lock taken. */
  get isLocked(): boolean {
    return this.#lockedSince !== null;
  }

  /** Begins at once when nothing else is under way. */
  submit(task: WriteTask): void {
    this.#tasks.push(task);
    if (!this.#isRunning) this.#run = this.#commitAll();
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    await this.#run;
  }

  async #commitAll(): Promise<void> {
    this.#isRunning = true;
    while (this.#tasks.length > 0) {
      if (this.#parts.gathers === true) await otherEvents();
      const shared = this.#tasks.splice(0, MAX_SHARED);
      if (this.#commit(shared)) continue;
      this.#tasks = [...shared, ...this.#tasks];
      this.#giveUpLate();
      if (this.#tasks.length > 0) await pause(PAUSE_MS);
    }
    // At once, not when the promise is: a write that comes in between must begin anew.
    this.#isRunning = false;
  }

  /** @returns false when another connection holds the lock. */
  #commit(tasks: readonly WriteTask[]): boolean {
    try {
      this.#requireNoObjection();
      if (!this.#begin()) return false;
      const outcomes = tasks.map((task) => this.#apply(task, tasks.length > 1));
      this.#requireNoObjection();
      this.#parts.database.exec('COMMIT');
      this.#lockedSince = null;
      this.#tell(WORKING_WRITES);
      for (const [index, task] of tasks.entries()) task.settle(outcomes[index] as WriteOutcome);
    } catch (error) {
      this.#rollBack();
      const refusal = this.#refusalOf(error);
      for (const task of tasks) task.settle({ kind: 'refused', error: refusal });
    }
    return true;
  }

  #begin(): boolean {
    const { database, sliceMs = 0 } = this.#parts;
    const timeout = database.pragma('busy_timeout', { simple: true }) as number;
    database.pragma(`busy_timeout = ${sliceMs}`);
    try {
      database.exec('BEGIN IMMEDIATE');
      return true;
    } catch (error) {
      if (!(storageErrorOf(error) instanceof StorageBusyError)) throw error;
      const now = monotonicMs();
      this.#lockedSince ??= now;
      if (now - this.#lockedSince >= LONG_LOCK_MS) this.#tell({ writes: 'waiting', reason: LOCKED_REASON });
      return false;
    } finally {
      database.pragma(`busy_timeout = ${timeout}`);
    }
  }

  /** @throws what says that the whole transaction is lost. */
  #apply(task: WriteTask, isShared: boolean): WriteOutcome {
    const { database } = this.#parts;
    if (isShared) database.exec('SAVEPOINT write');
    try {
      const value = doNow(task.run());
      if (isShared) database.exec('RELEASE write');
      return { kind: 'stored', value };
    } catch (error) {
      // A full disk may have ended the transaction, which the others must not take for a commit.
      if (storageErrorOf(error) !== null || !database.inTransaction) throw error;
      if (!isShared) throw new OwnRefusal('refused', { cause: error });
      database.exec('ROLLBACK TO write; RELEASE write');
      return { kind: 'refused', error };
    }
  }

  #rollBack(): void {
    const { database } = this.#parts;
    if (!database.open || !database.inTransaction) return;
    try {
      database.exec('ROLLBACK');
    } catch (error) {
      // Some faults end the transaction themselves; anything else shows again at the next begin.
      if (database.inTransaction) throw error;
    }
  }

  #refusalOf(error: unknown): unknown {
    if (error instanceof OwnRefusal) return error.cause;
    const refusal = storageErrorOf(error);
    if (!(refusal instanceof StorageFaultError)) return refusal ?? error;
    if (refusal instanceof ObjectionError) {
      this.#tell({ writes: 'refused', reason: refusal.reason });
      return refusal;
    }
    const described = this.#parts.describe?.(refusal) ?? refusal;
    this.#tell({ writes: 'failing', reason: described.reason });
    return described;
  }

  #requireNoObjection(): void {
    const reason = this.#parts.objection?.() ?? null;
    if (reason !== null) throw new ObjectionError(reason);
  }

  /** Refuses what must not wait any longer. */
  #giveUpLate(): void {
    const now = monotonicMs();
    const late = this.#tasks.filter(({ deadline }) => deadline <= now);
    this.#tasks = this.#tasks.filter(({ deadline }) => deadline > now);
    for (const { settle } of late) settle({ kind: 'refused', error: new StorageBusyError(LOCKED_REASON) });
  }

  #tell(state: WriteState): void {
    if (state.writes === this.#state.writes && state.reason === this.#state.reason) return;
    this.#state = state;
    this.#parts.onState?.(state);
  }
}

class ObjectionError extends StorageFaultError {}

/** What a write that has its transaction to itself threw: it says nothing about the database. */
class OwnRefusal extends Error {}
