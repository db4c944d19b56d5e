import type { Work } from '../../values/work.ts';
import type { SqliteDatabase } from '../sqlite.ts';
import { WriteLoop } from './write-loop.ts';
import {
  DEFAULT_PATIENCE_MS,
  monotonicMs,
  type WriteOperations,
  type WriteResult,
  type Writer,
} from './writer.ts';

/** One loop per connection: two would begin a transaction inside each other's. */
const loops = new WeakMap<SqliteDatabase, WriteLoop>();

/**
 * Writes on the caller's connection and in its thread: for a database in memory, which no other thread sees, and for
 * commands.
 *
 * Nothing waits in the driver: while somebody else holds the lock, the thread continues.
 */
export function createInlineWriter<Operations extends WriteOperations>(
  database: SqliteDatabase,
  operations: Operations,
): Writer<Operations> {
  const loop = loops.get(database) ?? new WriteLoop({ database });
  loops.set(database, loop);
  return {
    write: (name, args, { patienceMs = DEFAULT_PATIENCE_MS } = {}) =>
      new Promise((resolve, reject) => {
        const run = operations[name] as unknown as (args: unknown) => Work<unknown>;
        loop.submit({
          run: () => run(args),
          deadline: monotonicMs() + patienceMs,
          settle: (outcome) =>
            outcome.kind === 'stored'
              ? resolve(outcome.value as WriteResult<Operations[typeof name]>)
              : reject(outcome.error),
        });
      }),
  };
}
