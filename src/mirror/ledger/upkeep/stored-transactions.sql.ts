import type { Sql } from '../../../storage/sql/sql.ts';
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
    .prepare<[bigint, bigint], { readonly consensus_ts: bigint; readonly hash: Buffer }>(
      'select consensus_ts, hash from tx where consensus_ts between ? and ? and hash is not null',
    )
    .safeIntegers(true);
  const removeHash = sql.prepare('delete from tx_hash where prefix = ? and consensus_ts = ?');
  const removals = TABLES.map((table) =>
    sql.prepare<[bigint, bigint]>(`delete from ${table} where consensus_ts between ? and ?`),
  );
  return {
    *remove(first, last) {
      for (const { consensus_ts: at, hash } of yield* hashes.all(first, last)) {
        const prefix = hashPrefix(hash);
        if (prefix !== null) yield* removeHash.run(prefix, at);
      }
      for (const removal of removals) yield* removal.run(first, last);
    },
  };
}
