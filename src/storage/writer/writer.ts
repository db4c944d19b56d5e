import type { Work } from '../../values/work.ts';

/**
 * Named writes, each of one argument. Arguments and results are plain data, since they may travel between threads;
 * bytes arrive as `Uint8Array`.
 */
export type WriteOperations = Readonly<Record<string, (args: never) => Work<unknown>>>;

/** What a write gives. */
export type WriteResult<Operation extends (args: never) => Work<unknown>> =
  ReturnType<Operation> extends Work<infer Result> ? Result : never;

/** How one write is treated. */
export interface WriteOptions {
  /**
   * How long it may wait for the write lock of another process or thread, milliseconds. Default 10 000; 0: it is left
   * out when the lock is taken.
   */
  readonly patienceMs?: number;
  /** Size of the argument in bytes; default small. */
  readonly bytes?: number;
  /** Memory of the argument that the caller gives away, so that it need not be copied. */
  readonly transfer?: readonly ArrayBuffer[];
}

/**
 * Does the writes of an area, one after the other, each in a transaction.
 *
 * An answer is given after its commit, so what was answered is stored. A write that throws leaves nothing behind.
 *
 * @see docs/adr/0007-one-writer-thread.md
 */
export interface Writer<Operations extends WriteOperations> {
  /**
   * @throws StorageBusyError when the lock was not free in time or too much waits; nothing was stored.
   * @throws StorageFaultError when the database does not work.
   * @throws what the operation throws.
   */
  write<Name extends keyof Operations & string>(
    name: Name,
    args: Parameters<Operations[Name]>[0],
    options?: WriteOptions,
  ): Promise<WriteResult<Operations[Name]>>;
}

export const DEFAULT_PATIENCE_MS = 10_000;

/** Milliseconds of a clock that never jumps and is the same in all threads. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}
