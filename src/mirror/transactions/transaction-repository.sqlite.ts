import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { hashPrefix } from '../ledger/hash-prefix.ts';
import { mergeScans } from './merge-scans.ts';
import { isSuccess } from './response-codes.ts';
import type { FoundTransaction, TransactionFilter, TransactionPage } from './transaction-filter.ts';
import type { TransactionRepository } from './transaction-repository.ts';
import { createScanPlanner, NARROW_RANGE_ACCOUNTS } from './transaction-scans.sqlite.ts';

/** Which of the two prepared tails an answer carries. */
export type Dialect = 'spec' | 'hiero';

type PageRow = [count: bigint, oldest: bigint | null, newest: bigint | null, json: string | null];

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
const TAILS: Readonly<Record<Dialect, string>> = { spec: 'tail_spec', hiero: 'tail_hiero' };
const INNER_PAIR = /\[(-?\d+),(-?\d+)\]/g;
const NO_PAGE: TransactionPage = { count: 0, first: null, last: null, hasMore: false, json: '' };

/**
 * Reads prepared list objects: a page is a range scan and a concatenation inside SQLite.
 *
 * @param narrowRangeAccounts accounts up to which a range is a merge of scans, one per account.
 */
export function createSqliteTransactionRepository(
  database: SqliteDatabase,
  dialect: Dialect,
  narrowRangeAccounts: number = NARROW_RANGE_ACCOUNTS,
): TransactionRepository {
  const tail = TAILS[dialect];
  const plan = createScanPlanner(database, narrowRangeAccounts);
  const rangePage = (order: 'asc' | 'desc') =>
    database
      .prepare<[bigint, bigint, number], PageRow>(
        `select count(*), min(ts), max(ts), group_concat(json) from (
           select consensus_ts as ts, body || ${tail} as json from tx where consensus_ts between ? and ?
           order by consensus_ts ${order} limit ?)`,
      )
      .safeIntegers(true)
      .raw();
  const rangePages = { asc: rangePage('asc'), desc: rangePage('desc') };
  const anyWithin = database
    .prepare<[bigint, bigint], number>('select 1 from tx where consensus_ts between ? and ? limit 1')
    .pluck();
  const bodies = database
    .prepare<[string], string>(
      `select group_concat(json) from (select t.body || t.${tail} as json
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
         from ${from} where ${where} order by ${time} limit ?`,
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

  const rangeResult = (
    [count, oldest, newest, json]: PageRow,
    filter: TransactionFilter,
  ): TransactionPage => {
    if (oldest === null || newest === null || json === null) return NO_PAGE;
    const isAscending = filter.order === 'asc';
    const behind = isAscending
      ? ([newest + 1n, filter.upper] as const)
      : ([filter.lower, oldest - 1n] as const);
    return {
      count: Number(count),
      first: isAscending ? oldest : newest,
      last: isAscending ? newest : oldest,
      hasMore: Number(count) === filter.limit && anyWithin.get(...behind) !== undefined,
      json,
    };
  };

  return {
    async page(filter) {
      if (filter.lower > filter.upper) return NO_PAGE;
      if (isPlain(filter)) {
        const row = rangePages[filter.order].get(filter.lower, filter.upper, filter.limit);
        return row === undefined ? NO_PAGE : rangeResult(row, filter);
      }
      const found = times(filter, filter.limit + 1);
      const wanted = found.slice(0, filter.limit);
      const first = wanted[0];
      const last = wanted.at(-1);
      if (first === undefined || last === undefined) return NO_PAGE;
      return {
        count: wanted.length,
        first,
        last,
        hasMore: found.length > wanted.length,
        json: bodies.get(`[${wanted.join(',')}]`) ?? '',
      };
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

/** Only bounds of time: the page is one range of the table itself. */
function isPlain(filter: TransactionFilter): boolean {
  return (
    filter.accounts === null &&
    filter.types === null &&
    filter.direction === null &&
    filter.isSuccessful === null &&
    filter.excludedTimes.size === 0
  );
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
