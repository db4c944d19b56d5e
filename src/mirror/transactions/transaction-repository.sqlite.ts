import { BOUND_LIMIT, type SqliteDatabase } from '../../storage/sqlite.ts';
import type { Dialect } from '../dialect.ts';
import { hashPrefix } from '../ledger/hash-prefix.ts';
import { isSuccess } from '../vocabulary/response-codes.ts';
import { mergeScans } from './merge-scans.ts';
import { cutPage, EMPTY_PAGE, ROW_SEPARATOR } from './page-text.ts';
import {
  type FoundTransaction,
  isPlain,
  type TransactionFilter,
  type TransactionPage,
} from './transaction-filter.ts';
import type { TransactionRepository } from './transaction-repository.ts';
import { createScanPlanner, NARROW_RANGE_ACCOUNTS } from './transaction-scans.sqlite.ts';

/** Answers pages at once. */
export interface LocalTransactionRepository extends TransactionRepository {
  page(filter: TransactionFilter): TransactionPage;
}

type PageRow = [count: number, text: string | null];

interface FoundRow {
  readonly consensus_ts: bigint;
  readonly type: bigint;
  readonly result: bigint;
  readonly scheduled: bigint;
  readonly nonce: bigint;
  readonly inner_transactions: string | null;
  readonly json: string;
}

/** The column that ends the prepared object. */
const TAIL_COLUMNS: Readonly<Record<Dialect, string>> = { spec: 'tail_spec', hiero: 'tail_hiero' };
const INNER_PAIR = /\[(-?\d+),(-?\d+)\]/g;

/**
 * Reads prepared list objects: a page is a range scan and a concatenation inside SQLite.
 *
 * @param narrowRangeAccounts accounts up to which a range is a merge of scans, one per account.
 */
export function createSqliteTransactionRepository(
  database: SqliteDatabase,
  dialect: Dialect,
  narrowRangeAccounts: number = NARROW_RANGE_ACCOUNTS,
): LocalTransactionRepository {
  const tail = TAIL_COLUMNS[dialect];
  const plan = createScanPlanner(database, narrowRangeAccounts);
  const rangePage = (order: 'asc' | 'desc') =>
    database
      .prepare<[bigint, bigint, number], PageRow>(
        `select count(*), group_concat(json, '${ROW_SEPARATOR}') from (
           select body || ${tail} as json from tx where consensus_ts between ? and ?
           order by consensus_ts ${order} limit ${BOUND_LIMIT})`,
      )
      .raw();
  const rangePages = { asc: rangePage('asc'), desc: rangePage('desc') };
  const bodies = database
    .prepare<[string], string>(
      `select group_concat(json, '${ROW_SEPARATOR}') from (select t.body || t.${tail} as json
       from json_each(?) as wanted cross join tx as t on t.consensus_ts = wanted.value)`,
    )
    .pluck();
  const oldest = database
    .prepare<[], bigint | null>('select min(consensus_ts) from tx')
    .safeIntegers(true)
    .pluck();
  const found = (from: string, where: string, time: string) =>
    database
      .prepare<unknown[], FoundRow>(
        `select t.consensus_ts, t.type, t.result, t.scheduled, t.nonce, t.inner_transactions,
           t.body || coalesce(',"assessed_custom_fees":' || t.assessed_fees, '') || t.${tail} as json
         from ${from} where ${where} order by ${time} limit ${BOUND_LIMIT}`,
      )
      .safeIntegers(true);
  const byId = found('tx as t', 't.payer = ? and t.valid_start = ?', 't.consensus_ts');
  const byHash = found(
    'tx_hash as h cross join tx as t on t.consensus_ts = h.consensus_ts',
    'h.prefix = ? and t.hash = ?',
    'h.consensus_ts',
  );

  /** One row more per excluded time, since those are dropped after the scan. */
  const times = (filter: TransactionFilter, limit: number): readonly bigint[] => {
    const { excludedTimes, lower, order, upper } = filter;
    if (lower > upper) return [];
    const merged = mergeScans(plan(filter), { lower, upper, order, limit: limit + excludedTimes.size });
    return merged.filter((time) => !excludedTimes.has(time)).slice(0, limit);
  };

  return {
    page(filter) {
      const { limit, lower, order, upper } = filter;
      if (lower > upper) return EMPTY_PAGE;
      // One row more than asked for tells whether anything follows, for less than a second look.
      if (isPlain(filter)) {
        const [count, text] = rangePages[order].get(lower, upper, limit + 1) ?? [0, null];
        return cutPage(text ?? '', count, limit);
      }
      const found = times(filter, limit + 1);
      if (found.length === 0) return EMPTY_PAGE;
      return cutPage(bodies.get(`[${found.join(',')}]`) ?? '', found.length, limit);
    },
    async oldestTimestamp() {
      return oldest.get() ?? null;
    },
    async findById(payer, validStart) {
      return byId.all(payer, validStart, -1).map(foundTransaction);
    },
    async findByHash(hash, limit) {
      const prefix = hashPrefix(hash);
      return prefix === null ? [] : byHash.all(prefix, hash, limit).map(foundTransaction);
    },
  };
}

function foundTransaction(row: FoundRow): FoundTransaction {
  return {
    consensusTimestamp: row.consensus_ts,
    type: Number(row.type),
    isSuccessful: isSuccess(Number(row.result)),
    isScheduled: row.scheduled === 1n,
    nonce: Number(row.nonce),
    inner: [...(row.inner_transactions ?? '').matchAll(INNER_PAIR)].map(
      ([, payer = '0', validStart = '0']) => [BigInt(payer), BigInt(validStart)] as const,
    ),
    json: row.json,
  };
}
