import type { Sql, SqlList } from '../../../storage/sql/sql.ts';
import type { Work } from '../../../values/work.ts';
import { TIMED_TABLES, UNIT_TABLES } from '../commit/transaction-tables.ts';
import { topicTail } from '../facets/contract-logs.ts';
import { hashPrefix } from '../hash-prefix.ts';

/** Removes transactions with everything that belongs to them alone. */
interface TransactionRemover {
  /** Removes those from `first` to `last`, nanoseconds, both included; the caller opens the database transaction. */
  remove(first: bigint, last: bigint): Work<void>;
}

/** Search tables without an index by time: the rows that they lead to tell their keys. */
export const SEARCHED: ReadonlySet<string> = new Set([
  'contract_result_hash',
  'contract_log_topic',
  'tx_hash',
]);

/** An index finds the rows of a time in those that are not keyed by it. */
const TABLES = [
  'tx',
  'account_tx',
  ...[...TIMED_TABLES, ...UNIT_TABLES].map(({ table }) => table.name).filter((name) => !SEARCHED.has(name)),
];

/** Prepares the statements once. */
export function createTransactionRemover(sql: Sql): TransactionRemover {
  const hashes = sql.prepareValue<[bigint, bigint], Buffer>(
    'select hash from tx where consensus_ts between ? and ? and hash is not null',
  );
  const removeHashes = sql.prepare<[SqlList, bigint, bigint]>(
    `delete from tx_hash where ${sql.dialect.isListed('prefix')} and consensus_ts between ? and ?`,
  );
  const removals = TABLES.map((table) =>
    sql.prepare<[bigint, bigint]>(`delete from ${table} where consensus_ts between ? and ?`),
  );
  const resultHashes = createResultHashRemover(sql);
  const logTopics = createLogTopicRemover(sql);
  return {
    *remove(first, last) {
      const prefixes = (yield* hashes.all(first, last)).flatMap((hash) => hashPrefix(hash) ?? []);
      yield* removeHashes.run(sql.dialect.list(prefixes), first, last);
      yield* resultHashes.remove(first, last);
      yield* logTopics.remove(first, last);
      for (const removal of removals) yield* removal.run(first, last);
    },
  };
}

function createResultHashRemover(sql: Sql): TransactionRemover {
  const hashes = sql.prepareValue<[bigint, bigint], Buffer>(
    'select hash from contract_result where consensus_ts between ? and ?',
  );
  const remove = sql.prepare<[SqlList, bigint, bigint]>(
    `delete from contract_result_hash where ${sql.dialect.isListed('prefix')} and consensus_ts between ? and ?`,
  );
  return {
    *remove(first, last) {
      const prefixes = (yield* hashes.all(first, last)).flatMap((hash) => hashPrefix(hash) ?? []);
      if (prefixes.length > 0) yield* remove.run(sql.dialect.list(prefixes), first, last);
    },
  };
}

function createLogTopicRemover(sql: Sql): TransactionRemover {
  const positions = [0, 1, 2, 3].map((position) => ({
    topics: sql.prepareValue<[bigint, bigint], Buffer>(
      `select distinct topic${position} from contract_log
       where consensus_ts between ? and ? and topic${position} is not null`,
    ),
    remove: sql.prepare<[SqlList, bigint, bigint]>(
      `delete from contract_log_topic
       where position = ${position} and ${sql.dialect.isListed('topic_tail')} and consensus_ts between ? and ?`,
    ),
  }));
  return {
    *remove(first, last) {
      for (const { remove, topics } of positions) {
        const tails = (yield* topics.all(first, last)).map(topicTail);
        if (tails.length > 0) yield* remove.run(sql.dialect.list(tails), first, last);
      }
    },
  };
}
