import type { Work } from '../../values/work.ts';
import type { Sql } from '../sql/sql.ts';
import type { WriteOperations, WriteResult, Writer } from '../writer/writer.ts';

/**
 * Does each write in a transaction of its own, beside those of other processes.
 *
 * Nobody waits for a lock of the whole database, so the patience of a write is that of the connection for a row.
 */
export function createPostgresWriter<Operations extends WriteOperations>(
  sql: Sql,
  operations: Operations,
): Writer<Operations> {
  return {
    write: (name, args) =>
      sql.write(() => {
        const operation = operations[name] as unknown as (
          args: unknown,
        ) => Work<WriteResult<Operations[typeof name]>>;
        return operation(args);
      }),
  };
}
