import { setImmediate } from 'node:timers/promises';
import type { Sql, SqlStatement } from '../../../storage/sql/sql.ts';
import { unsignedBytes, unsignedOf } from '../../evm/quantities.ts';
import { topicTail } from '../../ledger/facets/contract-logs.ts';
import type { LogPlace, LogSelection } from './contract-log-repository.ts';

interface PlaceRow extends LogPlace {
  readonly contract: bigint;
  readonly topic0: Uint8Array | null;
  readonly topic1: Uint8Array | null;
  readonly topic2: Uint8Array | null;
  readonly topic3: Uint8Array | null;
}

/** One range of an index. */
type Driver =
  | { readonly kind: 'time' }
  | { readonly kind: 'contract'; readonly contract: bigint }
  | { readonly kind: 'topic'; readonly position: number; readonly tails: readonly bigint[] };

/** Rows of one statement when conditions leave some out: other requests wait no longer. */
const STEP = 500;
/** How far the candidates to drive a search are counted. */
const COUNTED = 1000;

/** Prepares the search for the places of a page; rows are read by them. */
export function createLogPlaces(sql: Sql): (selection: LogSelection) => Promise<readonly LogPlace[]> {
  const statements = { asc: prepareScans(sql, 'asc'), desc: prepareScans(sql, 'desc') };
  const countOfTopic = prepareCount(sql, 'contract_log_topic', 'position = ? and topic_tail = ?');
  const countOfContract = prepareCount(sql, 'contract_log', 'contract_id = ? and is_hidden = 0');

  /** What has the fewest rows within the times, counted up to a bound. */
  async function driverOf({ contract, from, to, topics }: LogSelection): Promise<Driver> {
    const times = [from.consensusTimestamp, to.consensusTimestamp, COUNTED] as const;
    let best: Driver = contract === null ? { kind: 'time' } : { kind: 'contract', contract };
    let fewest = Number.POSITIVE_INFINITY;
    const asked = topics.flatMap((values, position) => (values === null ? [] : [{ position, values }]));
    if (asked.length === 0) return best;
    if (contract !== null) fewest = (await sql.read(() => countOfContract.get(contract, ...times))) ?? 0;
    for (const { position, values } of asked) {
      const tails = [...new Set([...values].map((value) => topicTail(unsignedBytes(value))))];
      let count = 0;
      for (const tail of tails) {
        count += (await sql.read(() => countOfTopic.get(BigInt(position), tail, ...times))) ?? 0;
        if (count >= fewest) break;
      }
      if (count < fewest) [best, fewest] = [{ kind: 'topic', position, tails }, count];
    }
    return best;
  }

  return async (selection) => {
    const { order } = selection;
    const { byContract, byTime, byTopic } = statements[order];
    const driver = await driverOf(selection);
    if (driver.kind === 'time') return firstMatches(sql, byTime, [], selection);
    if (driver.kind === 'contract') return firstMatches(sql, byContract, [driver.contract], selection);
    const found: LogPlace[] = [];
    for (const tail of driver.tails) {
      found.push(...(await firstMatches(sql, byTopic, [BigInt(driver.position), tail], selection)));
    }
    return inOrder(found, order).slice(0, selection.limit);
  };
}

/** The places of the first rows of an index range that meet all conditions. */
async function firstMatches(
  sql: Sql,
  statement: SqlStatement<unknown[], PlaceRow>,
  key: readonly bigint[],
  { contract, from, limit, order, to, topics }: LogSelection,
): Promise<readonly LogPlace[]> {
  const accepts = (row: PlaceRow) => {
    if (contract !== null && row.contract !== contract) return false;
    const own = [row.topic0, row.topic1, row.topic2, row.topic3];
    return topics.every((wanted, position) => {
      const topic = own[position] ?? null;
      return wanted === null || (topic !== null && wanted.has(unsignedOf(topic)));
    });
  };
  const matches: LogPlace[] = [];
  const hasTopics = topics.some((wanted) => wanted !== null);
  const step = hasTopics ? STEP : limit;
  for (let [first, last] = [from, to]; ; ) {
    const bounds = [first.consensusTimestamp, last.consensusTimestamp, first.consensusTimestamp, first.index];
    const rows = await sql.read(() =>
      statement.all(...key, ...bounds, last.consensusTimestamp, last.index, step),
    );
    for (const row of rows) if (accepts(row)) matches.push(row);
    const reached = rows.at(-1);
    if (matches.length >= limit || rows.length < step || reached === undefined)
      return matches.slice(0, limit);
    const { consensusTimestamp, index } = reached;
    if (order === 'asc') first = { consensusTimestamp, index: index + 1n };
    else last = { consensusTimestamp, index: index - 1n };
    await setImmediate();
  }
}

function inOrder(places: readonly LogPlace[], order: 'asc' | 'desc'): readonly LogPlace[] {
  const sign = order === 'asc' ? 1 : -1;
  return [...places].sort((left, right) => {
    const difference = left.consensusTimestamp - right.consensusTimestamp || left.index - right.index;
    return difference < 0n ? -sign : difference > 0n ? sign : 0;
  });
}

function prepareScans(sql: Sql, order: 'asc' | 'desc') {
  const { boundLimit } = sql.dialect;
  const columns = `l.consensus_ts as "consensusTimestamp", l.log_index as "index", l.contract_id as contract,
    l.topic0, l.topic1, l.topic2, l.topic3`;
  const scan = (table: string, condition: string, from: string, visible: string) =>
    sql
      .prepare<unknown[], PlaceRow>(
        `select ${columns} from ${from}
         where ${condition} ${table}.consensus_ts between ? and ?
           and (${table}.consensus_ts > ? or ${table}.log_index >= ?)
           and (${table}.consensus_ts < ? or ${table}.log_index <= ?) ${visible}
         order by ${table}.consensus_ts ${order}, ${table}.log_index ${order} limit ${boundLimit}`,
      )
      .safeIntegers(true);
  return {
    byTime: scan('l', '', 'contract_log l', 'and l.is_hidden = 0'),
    byContract: scan('l', 'l.contract_id = ? and', 'contract_log l', 'and l.is_hidden = 0'),
    byTopic: scan(
      't',
      't.position = ? and t.topic_tail = ? and',
      `contract_log_topic t ${sql.dialect.orderedJoin} contract_log l
         on l.consensus_ts = t.consensus_ts and l.log_index = t.log_index`,
      '',
    ),
  };
}

function prepareCount(sql: Sql, table: string, condition: string) {
  return sql
    .prepare<unknown[], number>(
      `select count(*) from (select 1 from ${table} where ${condition} and consensus_ts between ? and ?
         limit ${sql.dialect.boundLimit}) counted`,
    )
    .pluck();
}
