import { setImmediate } from 'node:timers/promises';
import type { Sql, SqlStatement } from '../../../storage/sql/sql.ts';
import type { MaybePromise } from '../../../values/map-maybe.ts';
import { LISTING } from '../../ledger/facets/contract-results.ts';
import { byNumber, type IntegerSelection, selects } from '../../parameters/page-parameters.ts';
import type { ResultSelection } from './contract-result-repository.sql.ts';

/** Where a result of a list stands. */
export interface ResultKey {
  readonly consensusTimestamp: bigint;
  readonly isSynthetic: boolean;
}

/** Rows in order of time, after or before one. */
type Scan = (from: bigint, to: bigint, count: number) => Promise<readonly KeyRow[]> | readonly KeyRow[];

/** All rows that can meet the conditions, in any order; null when they are many. */
type FewRows = () => MaybePromise<readonly KeyRow[] | null>;

/** Most rows of one statement when conditions leave some out: other requests wait no longer. */
const LARGEST_STEP = 1000;
/** How many times as many as are wanted the first of them reads; each next one twice as many. */
const FIRST_STEP = 4;

/** Prepares the search for the times of a page; rows are read by them. */
export function createResultKeys(sql: Sql): (selection: ResultSelection) => Promise<readonly ResultKey[]> {
  const statements = { asc: prepareScans(sql, 'asc'), desc: prepareScans(sql, 'desc') };
  const fewSenders = createFewSenders(sql);

  return async (selection) => {
    const { contract, isInternal, limit, order, senders, withSynthetic } = selection;
    const { byContract, bySender, byBoth, inTime, syntheticByContract, syntheticInTime } = statements[order];
    const listed = isInternal ? 'internal' : 'all';
    // What a scan chooses itself is not looked at again.
    const ofSender: ResultSelection = { ...selection, senders: null };
    const scanOf =
      (statement: SqlStatement<unknown[], KeyRow>, ...key: readonly bigint[]): Scan =>
      (from, to, count) =>
        sql.read(() => statement.all(...key, from, to, count));
    const found: ResultKey[] = [];
    const take = async (
      scan: Scan,
      of: ResultSelection,
      { byRange = null, isSynthetic = false }: { byRange?: FewRows | null; isSynthetic?: boolean } = {},
    ) => {
      const times = await firstMatches(scan, of, byRange);
      for (const at of times) found.push({ consensusTimestamp: at, isSynthetic });
    };
    if (senders?.equal != null) {
      for (const sender of senders.equal) {
        if (!selects(senders, sender)) continue;
        if (contract === null) await take(scanOf(bySender[listed], sender), ofSender);
        else {
          for (const listing of isInternal ? [LISTING.all, LISTING.internal] : [LISTING.all]) {
            await take(scanOf(byBoth, contract, sender, BigInt(listing)), ofSender);
          }
        }
      }
    } else {
      const scan = contract === null ? scanOf(inTime[listed]) : scanOf(byContract[listed], contract);
      await take(scan, selection, {
        byRange: senders === null ? null : () => fewSenders(selection, senders),
      });
    }
    if (withSynthetic && senders === null) {
      const scan = contract === null ? scanOf(syntheticInTime) : scanOf(syntheticByContract, contract);
      await take(scan, selection, { isSynthetic: true });
    }
    return merged(found, order).slice(0, limit);
  };
}

/** More times than these are found along a scan: those of a block whose times step back. */
const MAX_ALONE = 100;

/**
 * The times of the first rows that meet all conditions.
 *
 * @param fewRows asked when a first look along the scan has not found enough
 */
async function firstMatches(
  scan: Scan,
  selection: ResultSelection,
  fewRows: FewRows | null,
): Promise<readonly bigint[]> {
  const { limit, order, senders, times, transactionIndexes } = selection;
  const accepts = acceptsOf(selection);
  const { equal } = times;
  const isPlain =
    equal === null && senders === null && transactionIndexes === null && times.excluded.size === 0;
  let step = isPlain ? limit : Math.min(FIRST_STEP * limit, LARGEST_STEP);
  const matches: bigint[] = [];
  if (equal !== null && equal.size <= MAX_ALONE) {
    // They may lie far apart: what is between them is not read.
    for (const at of sorted(equal, order)) {
      if (matches.length >= limit) break;
      // Also because a time that is asked for may be one that no row can have.
      if (!selects(times, at)) continue;
      for (const row of await scan(at, at, 1)) if (accepts(row)) matches.push(row[0]);
    }
    return matches.slice(0, limit);
  }
  const [lower, upper] = spanOf(times);
  let isFirst = true;
  for (let [from, to] = [lower, upper]; from <= to; ) {
    const rows = await scan(from, to, step);
    for (const row of rows) if (accepts(row)) matches.push(row[0]);
    const last = rows.at(-1);
    if (matches.length >= limit || rows.length < step || last === undefined) break;
    const few = isFirst ? ((await fewRows?.()) ?? null) : null;
    if (few !== null) return sorted(new Set(few.filter(accepts).map(([at]) => at)), order).slice(0, limit);
    isFirst = false;
    if (order === 'asc') from = last[0] + 1n;
    else to = last[0] - 1n;
    step = Math.max(step, Math.min(2 * step, LARGEST_STEP));
    await setImmediate();
  }
  return matches.slice(0, limit);
}

/** The range in which all times are, and as little else as may be. */
function spanOf({ equal, lower, upper }: ResultSelection['times']): readonly [lower: bigint, upper: bigint] {
  if (equal === null) return [lower, upper];
  const wanted = sorted(equal, 'asc');
  const [first = lower, last = upper] = [wanted.at(0), wanted.at(-1)];
  return [first > lower ? first : lower, last < upper ? last : upper];
}

function acceptsOf({ senders, times, transactionIndexes }: ResultSelection): (row: KeyRow) => boolean {
  return ([at, sender, transactionIndex]) =>
    selects(times, at) &&
    (senders === null || (sender !== null && selects(senders, sender))) &&
    (transactionIndexes === null || (transactionIndex !== null && transactionIndexes.has(transactionIndex)));
}

function sorted(times: ReadonlySet<bigint>, order: 'asc' | 'desc'): readonly bigint[] {
  return [...times].sort(byNumber(order, (time) => time));
}

/** In order; a synthetic one gives way to the real one of its time. */
function merged(keys: readonly ResultKey[], order: 'asc' | 'desc'): readonly ResultKey[] {
  const byTime = new Map<bigint, ResultKey>();
  for (const key of keys) {
    if (!key.isSynthetic || !byTime.has(key.consensusTimestamp)) byTime.set(key.consensusTimestamp, key);
  }
  return [...byTime.values()].sort(byNumber(order, ({ consensusTimestamp }) => consensusTimestamp));
}

function prepareScans(sql: Sql, order: 'asc' | 'desc') {
  const scan = (sender: string, table: string, condition: string) =>
    sql.prepareExactColumns<unknown[], KeyRow>(
      `select consensus_ts, ${sender}, transaction_index from ${table}
       where ${condition} and consensus_ts between ? and ?
       order by consensus_ts ${order} limit ?`,
    );
  const results = (condition: string) => ({
    all: scan('sender_id', 'contract_result', `${condition} listing = 1`),
    internal: scan('sender_id', 'contract_result', `${condition} listing > 0`),
  });
  const NOBODY = 'cast(null as bigint)';
  return {
    inTime: results(''),
    byContract: results('contract_id = ? and'),
    bySender: results('sender_id = ? and'),
    byBoth: scan('sender_id', 'contract_result', 'contract_id = ? and sender_id = ? and listing = ?'),
    syntheticInTime: scan(NOBODY, 'contract_log', 'is_first_result = 1'),
    syntheticByContract: scan(NOBODY, 'contract_log', 'result_contract_id = ?'),
  };
}

/** What a result is chosen by. */
type KeyRow = readonly [at: bigint, sender: bigint | null, transactionIndex: bigint | null];

/** Those from one number to another, both included. */
type SenderRange = Pick<IntegerSelection, 'lower' | 'upper'>;

/** Above that, walking over time meets a page of them sooner. */
const FEW = 5000;

/**
 * Prepares the search for all results of a range of senders that have few, which a walk over time might meet late or never.
 *
 * It finds null when they have many, else those of the contract that is asked for, in no order.
 *
 * @see docs/adr/0018-contract-activity.md
 */
function createFewSenders(
  sql: Sql,
): (selection: ResultSelection, range: SenderRange) => MaybePromise<readonly KeyRow[] | null> {
  const ofSenders = (listing: string) => {
    const range = `from contract_result where ${listing} and sender_id between ? and ? order by sender_id, consensus_ts`;
    return {
      // Most ranges are too wide, and rows take five times as long to be read as to be counted.
      count: sql.prepareValue<[bigint, bigint, number], number>(
        `select count(*) from (select 1 ${range} limit ?) as counted`,
      ),
      rows: sql.prepareExactColumns<[bigint, bigint, number], readonly [...KeyRow, contract: bigint]>(
        `select consensus_ts, sender_id, transaction_index, contract_id ${range} limit ?`,
      ),
    };
  };
  const all = ofSenders('listing = 1');
  const withInternal = ofSenders('listing > 0');

  return ({ contract, isInternal }, { lower, upper }) => {
    const { count, rows } = isInternal ? withInternal : all;
    return sql.read(function* () {
      if (((yield* count.get(lower, upper, FEW + 1)) ?? 0) > FEW) return null;
      const found = yield* rows.all(lower, upper, FEW + 1);
      // Others may have come meanwhile.
      if (found.length > FEW) return null;
      return found.flatMap(([at, sender, transactionIndex, of]) =>
        contract === null || of === contract ? [[at, sender, transactionIndex] as const] : [],
      );
    });
  };
}
