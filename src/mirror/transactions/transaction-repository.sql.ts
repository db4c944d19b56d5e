import { prepareSelect, type Sql, type SqlList } from '../../storage/sql/sql.ts';
import { MAX_INT64 } from '../../values/int64.ts';
import { flag, int64, number, type RecordOf, rowTable } from '../../values/row-table.ts';
import type { Work } from '../../values/work.ts';
import type { Dialect } from '../dialect.ts';
import { hashPrefix } from '../ledger/hash-prefix.ts';
import { unmarked } from '../ledger/transaction-json.ts';
import { isSuccess } from '../vocabulary/response-codes.ts';
import { cutPage, EMPTY_PAGE, ROW_SEPARATOR } from './page-text.ts';
import type { TransactionFilter, TransactionPage } from './transaction-filter.ts';
import { createScanPlanner, mergeScans, NARROW_RANGE_ACCOUNTS } from './transaction-scans.sql.ts';

const INNER_PAIR = /\[(-?\d+),(-?\d+)\]/g;

/** One row of a lookup by id or hash. @param body selects the object of lists */
const foundTable = (body: string, dialect: Dialect) =>
  rowTable({
    consensusTimestamp: int64('t.consensus_ts'),
    type: number('t.type'),
    isSuccessful: { column: 't.result', fromStored: (result: bigint) => isSuccess(Number(result)) },
    isScheduled: flag('t.scheduled'),
    nonce: number('t.nonce'),
    /** Payer and valid start of the transactions inside a batch. */
    inner: {
      column: 't.inner_transactions',
      fromStored: (pairs: string | null) =>
        [...(pairs ?? '').matchAll(INNER_PAIR)].map(
          ([, payer = '0', validStart = '0']) => [BigInt(payer), BigInt(validStart)] as const,
        ),
    },
    /** The object of the single transaction: with `assessed_custom_fees` where there are any. */
    json: {
      column: `'{' || coalesce('"assessed_custom_fees":' || t.assessed_fees || ',', '') || substr(${body}, 2) as json`,
      fromStored: (json: string) => unmarked(json, dialect),
    },
  });
export type FoundTransaction = RecordOf<ReturnType<typeof foundTable>>;

type PageRow = [count: number, text: string | null];

/** The read side of transactions. */
export type TransactionRepository = ReturnType<typeof createTransactionRepository>;

/**
 * Reads prepared list objects: a page is a range scan and a concatenation inside SQLite.
 *
 * @param narrowRangeAccounts accounts up to which a range is a merge of scans, one per account.
 */
export function createTransactionRepository(
  sql: Sql,
  dialect: Dialect,
  narrowRangeAccounts: number = NARROW_RANGE_ACCOUNTS,
) {
  const { each, inOrder, list } = sql.dialect;
  const body = dialect === 'spec' ? 'coalesce(t.body_spec, t.body)' : 't.body';
  const plan = createScanPlanner(sql, narrowRangeAccounts);
  const rangePage = (order: 'asc' | 'desc') =>
    sql.prepareColumns<[bigint, bigint, number], PageRow>(
      `select count(*), string_agg(json, '${ROW_SEPARATOR}') from (
       select ${body} as json from tx as t where consensus_ts between ? and ?
       order by consensus_ts ${order} limit ?) as page`,
    );
  const rangePages = { asc: rangePage('asc'), desc: rangePage('desc') };
  const accountPage = (order: 'asc' | 'desc') =>
    sql.prepareColumns<[bigint, bigint, bigint, number], PageRow>(
      `select count(*), string_agg(${body}, '${ROW_SEPARATOR}' ${inOrder('page')}) from (
       select consensus_ts, ${order === 'asc' ? '' : '-'}consensus_ts as key from account_tx
       where account_id = ? and consensus_ts between ? and ? order by consensus_ts ${order} limit ?) as page
       cross join tx as t where t.consensus_ts = page.consensus_ts`,
    );
  const accountPages = { asc: accountPage('asc'), desc: accountPage('desc') };
  const bodies = sql.prepareValue<[SqlList], string>(
    `select string_agg(${body}, '${ROW_SEPARATOR}' ${inOrder('wanted')})
     from ${each('wanted')} cross join tx as t where t.consensus_ts = wanted.value`,
  );
  const oldest = sql.prepareExactValue<[], bigint | null>('select min(consensus_ts) from tx');
  const table = foundTable(body, dialect);
  const found = (from: string, where: string, time: string) =>
    prepareSelect(sql, table, `from ${from} where ${where} order by ${time} limit ?`);
  const byId = found('tx as t', 't.payer = ? and t.valid_start = ?', 't.consensus_ts');
  const byHash = found(
    'tx_hash as h cross join tx as t',
    't.consensus_ts = h.consensus_ts and h.prefix = ? and t.hash = ?',
    'h.consensus_ts',
  );

  /** One row more per excluded time, since those are dropped after the scan. */
  function* times(filter: TransactionFilter, limit: number): Work<readonly bigint[]> {
    const { excludedTimes, lower, order, upper } = filter;
    if (lower > upper) return [];
    const scans = yield* plan(filter);
    const merged = yield* mergeScans(scans, { lower, upper, order, limit: limit + excludedTimes.size });
    return merged.filter((time) => !excludedTimes.has(time)).slice(0, limit);
  }

  function* page(filter: TransactionFilter): Work<TransactionPage> {
    const { accounts, limit, lower, order, upper } = filter;
    if (lower > upper) return EMPTY_PAGE;
    const [account, ...others] = accounts?.kind === 'set' ? accounts.ids : [];
    // One row more than asked for tells whether anything follows, for less than a second look.
    if (isPlain(filter) && (accounts === null || (account !== undefined && others.length === 0))) {
      const found =
        account === undefined
          ? yield* rangePages[order].get(lower, upper, limit + 1)
          : yield* accountPages[order].get(account, lower, upper, limit + 1);
      const [count, text] = found ?? [0, null];
      return cutPage(unmarked(text ?? '', dialect), count, limit);
    }
    const found = yield* times(filter, limit + 1);
    if (found.length === 0) return EMPTY_PAGE;
    return cutPage(unmarked((yield* bodies.get(list(found))) ?? '', dialect), found.length, limit);
  }

  return {
    /** A store in the process itself answers at once: a promise for each page costs more than the search. */
    page: (filter: TransactionFilter) => sql.read(() => page(filter)),
    /** Consensus time of the oldest stored transaction. */
    async oldestTimestamp() {
      return (await sql.read(() => oldest.get())) ?? null;
    },
    /** All transactions with this payer and valid start, ascending by consensus time. */
    async findById(payer: bigint, validStart: bigint) {
      return sql.read(() => byId.all(payer, validStart, MAX_INT64));
    },
    /** Up to `limit` transactions with exactly this hash, ascending by consensus time. */
    async findByHash(hash: Uint8Array, limit: number) {
      const prefix = hashPrefix(hash);
      if (prefix === null) return [];
      return sql.read(() => byHash.all(prefix, hash, limit));
    },
  };
}

/** Only bounds of time, and at most accounts: the page is one range of the ledger itself, or of each account. */
function isPlain(filter: TransactionFilter): boolean {
  return (
    filter.types === null &&
    filter.direction === null &&
    filter.isSuccessful === null &&
    filter.excludedTimes.size === 0
  );
}
