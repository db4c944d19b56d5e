import type { Sql, SqlStatement } from '../../storage/sql/sql.ts';
import type { Work } from '../../values/work.ts';
import { facetBits } from '../ledger/account-rows.ts';
import type { AccountFilter } from '../parameters/account-filter.ts';
import type { PageRange } from '../parameters/page-parameters.ts';
import type { TransactionFilter } from './transaction-filter.ts';

/**
 * An account range with at most this many known accounts is a merge of one scan per account. A wider one walks the
 * account rows in time order, where matches are dense, or with types or failures, which may be rare, the
 * transactions of these.
 */
export const NARROW_RANGE_ACCOUNTS = 512;

/** Above this many combinations of type and facet it is cheaper to look which of them there are. */
const FEW_COMBINATIONS = 16;
const FACETS = 8;

type Combination = [type: number, facet: number];

/** An index range in page order: the first `limit` consensus times within the bounds. */
type Scan = (lower: bigint, upper: bigint, limit: number) => Work<readonly bigint[]>;

/** Chooses the index ranges that together hold exactly the rows of a filter. */
type ScanPlanner = (filter: TransactionFilter) => Work<readonly Scan[]>;

/**
 * Each scan is one range of one index, so no filter combination walks the whole table.
 *
 * @see contracts/mirror-storage.md section 2, filter to plan
 */
export function createScanPlanner(
  sql: Sql,
  narrowRangeAccounts: number = NARROW_RANGE_ACCOUNTS,
): ScanPlanner {
  const { each, indexedBy, list } = sql.dialect;
  const scanTable = (order: 'asc' | 'desc') => {
    const times = (from: string, where: string) =>
      sql.prepareExactValue<unknown[], bigint>(
        `select consensus_ts from ${from} where ${where} consensus_ts between ? and ?
         order by consensus_ts ${order} limit ?`,
      );
    // Not EXISTS, which PostgreSQL may turn round: the range may be all accounts there are.
    const timesInRange = (from: string, where: string) =>
      times(
        from,
        `${where} and (
           select 1 from account_tx as a ${indexedBy('account_tx_by_time')}
           where a.consensus_ts = tx.consensus_ts and a.account_id between ? and ?
             and a.account_id not in (select value from ${each('listed')})
             and a.facet in (select value from ${each('listed')}) limit 1) is not null and`,
      );
    return {
      all: times('tx', ''),
      facet: times(`tx ${indexedBy('tx_by_facet')}`, 'facet = ? and'),
      type: times(`tx ${indexedBy('tx_by_type')}`, 'type = ? and facet = ? and'),
      account: times('account_tx', 'account_id = ? and'),
      accountFacet: times(
        `account_tx ${indexedBy('account_tx_by_facet')}`,
        'account_id = ? and facet = ? and',
      ),
      accountType: times(
        `account_tx ${indexedBy('account_tx_by_type')}`,
        'account_id = ? and type = ? and facet = ? and',
      ),
      // With a plus the range is not searched by account, for the same reason.
      accountRange: sql.prepareExactValue<unknown[], bigint>(
        `select distinct consensus_ts from account_tx ${indexedBy('account_tx_by_time')}
         where consensus_ts between ? and ? and +account_id between ? and ?
           and account_id not in (select value from ${each('listed')})
           and facet in (select value from ${each('listed')})
         order by consensus_ts ${order} limit ?`,
      ),
      rangeOfFacet: timesInRange(`tx ${indexedBy('tx_by_facet')}`, 'facet = ?'),
      rangeOfType: timesInRange(`tx ${indexedBy('tx_by_type')}`, 'type = ? and facet = ?'),
    };
  };
  const tables = { asc: scanTable('asc'), desc: scanTable('desc') };
  const combinationAfter = (from: string, where: string) =>
    sql.prepareColumns<unknown[], Combination>(
      `select type, facet from ${from} where ${where} (type, facet) > (?, ?)
       order by type, facet limit ?`,
    );
  const nextCombination = combinationAfter(`tx ${indexedBy('tx_by_type')}`, '');
  const nextOfAccount = combinationAfter(
    `account_tx ${indexedBy('account_tx_by_type')}`,
    'account_id = ? and',
  );
  const nextAccount = sql.prepareExactValue<[bigint, bigint], bigint>(
    `select account_id from account_tx where account_id between ? and ? order by account_id limit 1`,
  );

  /** Skips from account to account; null when there are too many to merge. */
  function* knownAccounts(range: AccountFilter & { kind: 'range' }): Work<readonly bigint[] | null> {
    const ids: bigint[] = [];
    const excluded = new Set(range.excluded);
    let id = yield* nextAccount.get(range.lower, range.upper);
    while (id !== undefined) {
      if (!excluded.has(id)) ids.push(id);
      if (ids.length > narrowRangeAccounts) return null;
      if (id >= range.upper) break;
      id = yield* nextAccount.get(id + 1n, range.upper);
    }
    return ids;
  }

  return function* (filter) {
    const table = tables[filter.order];
    const facets = selectFacets(filter);
    const { accounts, types } = filter;
    const combinations = types === null ? null : cross(types, listFacets(filter));
    if (accounts === null) {
      if (combinations !== null) {
        const found = yield* existing(combinations, (type, facet) => nextCombination.get(type, facet, 1));
        return found.map((combination) => scanOf(table.type, ...combination));
      }
      return facets === null ? [scanOf(table.all)] : facets.map((facet) => scanOf(table.facet, facet));
    }
    const ids = accounts.kind === 'set' ? accounts.ids : yield* knownAccounts(accounts);
    if (ids === null && accounts.kind === 'range') {
      const member = [
        accounts.lower,
        accounts.upper,
        list(accounts.excluded),
        list(listFacets(filter)),
      ] as const;
      // What one account did is also what some account did, so the facets of the filter hold for the transaction too.
      if (combinations !== null) {
        const found = yield* existing(combinations, (type, facet) => nextCombination.get(type, facet, 1));
        return found.map((combination) => scanOf(table.rangeOfType, ...combination, ...member));
      }
      if (filter.isSuccessful === false) {
        return listFacets(filter).map((facet) => scanOf(table.rangeOfFacet, facet, ...member));
      }
      return [(lower, upper, limit) => table.accountRange.all(lower, upper, ...member, limit)];
    }
    const scans: Scan[] = [];
    for (const id of ids ?? []) {
      if (combinations !== null) {
        const found = yield* existing(combinations, (type, facet) => nextOfAccount.get(id, type, facet, 1));
        scans.push(...found.map((combination) => scanOf(table.accountType, id, ...combination)));
      } else if (facets === null) scans.push(scanOf(table.account, id));
      else scans.push(...facets.map((facet) => scanOf(table.accountFacet, id, facet)));
    }
    return scans;
  };
}

/** The rows of an index that begin with these values. */
function scanOf(rows: SqlStatement<unknown[], bigint>, ...key: readonly unknown[]): Scan {
  return (...range) => rows.all(...key, ...range);
}

function cross(types: readonly number[], facets: readonly number[]): readonly Combination[] {
  return types.flatMap((type) => facets.map((facet): Combination => [type, facet]));
}

/** Those of many combinations that have rows; a few are not worth the look. */
function* existing(
  wanted: readonly Combination[],
  next: (type: number, facet: number) => Work<Combination | undefined>,
): Work<readonly Combination[]> {
  if (wanted.length <= FEW_COMBINATIONS) return wanted;
  const numberOf = ([type, facet]: Combination) => type * FACETS + facet;
  const numbers = new Set(wanted.map(numberOf));
  const found: Combination[] = [];
  for (let each = yield* next(-1, 0); each !== undefined; each = yield* next(...each)) {
    if (numbers.has(numberOf(each))) found.push(each);
  }
  return found;
}

/**
 * Merges ordered scans into the first `limit` distinct consensus times.
 *
 * Once enough are found, the following scans need not look beyond the last of them.
 */
export function* mergeScans(scans: readonly Scan[], range: PageRange): Work<readonly bigint[]> {
  const { limit, order } = range;
  let { lower, upper } = range;
  let merged: readonly bigint[] = [];
  for (const scan of scans) {
    const found = yield* scan(lower, upper, limit);
    if (found.length === 0) continue;
    merged = merged.length === 0 ? found : distinctInOrder([...merged, ...found], order).slice(0, limit);
    const last = merged.at(-1);
    if (last === undefined || merged.length < limit) continue;
    if (order === 'desc') lower = last;
    else upper = last;
  }
  return merged;
}

function distinctInOrder(times: readonly bigint[], order: 'asc' | 'desc'): readonly bigint[] {
  return [...new Set(times)].sort((a, b) => (a < b === (order === 'asc') ? -1 : 1));
}

/** Every value that the column `facet` can have. */
const ALL_FACETS: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 7];

/**
 * The facets that a filter selects; null when it selects all.
 *
 * With `type` a row of zero amount or an NFT row does not count: credit and debit are bits of their own.
 */
function selectFacets({
  direction,
  isSuccessful,
}: Pick<TransactionFilter, 'direction' | 'isSuccessful'>): readonly number[] | null {
  if (direction === null && isSuccessful === null) return null;
  return ALL_FACETS.filter(
    (facet) =>
      (direction === null || (facet & facetBits[direction]) !== 0) &&
      (isSuccessful === null || ((facet & facetBits.ok) !== 0) === isSuccessful),
  );
}

/** The facets as a list, also when all are selected. */
function listFacets(filter: Pick<TransactionFilter, 'direction' | 'isSuccessful'>): readonly number[] {
  return selectFacets(filter) ?? ALL_FACETS;
}
