import type { Sql } from '../../../storage/sql/sql.ts';
import type { SqlList } from '../../../storage/sql/sql-dialect.ts';
import type { Work } from '../../../values/work.ts';
import { TIMED_TABLES, UNIT_TABLES } from '../commit/transaction-tables.ts';
import { hashPrefix } from '../hash-prefix.ts';

/** Removes transactions with everything that belongs to them alone. */
export interface TransactionRemover {
  /** Removes those from `first` to `last`, nanoseconds, both included; the caller opens the database transaction. */
  remove(first: bigint, last: bigint): Work<void>;
}

/** An index finds the rows of a time in those that are not keyed by it. */
const TABLES = ['tx', 'account_tx', ...[...TIMED_TABLES, ...UNIT_TABLES].map(({ table }) => table.name)];

/** Prepares the statements once. */
export function createTransactionRemover(sql: Sql): TransactionRemover {
  const hashes = sql
    .prepare<[bigint, bigint], Buffer>(
      'select hash from tx where consensus_ts between ? and ? and hash is not null',
    )
    .pluck();
  const removeHashes = sql.prepare<[SqlList, bigint, bigint]>(
    `delete from tx_hash where ${sql.dialect.isListed('prefix')} and consensus_ts between ? and ?`,
  );
  const removals = TABLES.map((table) =>
    sql.prepare<[bigint, bigint]>(`delete from ${table} where consensus_ts between ? and ?`),
  );
  return {
    *remove(first, last) {
      const prefixes = (yield* hashes.all(first, last)).flatMap((hash) => hashPrefix(hash) ?? []);
      yield* removeHashes.run(sql.dialect.list(prefixes), first, last);
      for (const removal of removals) yield* removal.run(first, last);
    },
  };
}
