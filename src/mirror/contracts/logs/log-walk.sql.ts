import { setImmediate } from 'node:timers/promises';
import type { Sql, SqlList, SqlStatement } from '../../../storage/sql/sql.ts';
import { CONTRACT_POSITION } from '../../ledger/log-chunks/log-chunk.ts';
import type { LogPlace, LogSelection } from './contract-log-repository.ts';
import { comparePlaces, isSelected, type LogCondition, type LogFacts } from './log-condition.ts';

/** Finds selected logs by their rows. */
export type LogWalk = ReturnType<typeof createLogWalk>;

/** One topic at one position, by its tail. */
export interface TopicKey {
  readonly position: number;
  readonly key: bigint;
}

interface CountedCondition {
  /** Null of none. */
  readonly condition: LogCondition | null;
  readonly count: number;
}

/** Most rows of one statement when conditions leave some out: other requests wait no longer. */
const STEP = 500;
/** How many times as many rows as the one before it a statement reads: mostly the first rows of a key are a page. */
const GROWTH = 4;

/** Prepares the statements of a walk. */
export function createLogWalk(sql: Sql) {
  const { isListed } = sql.dialect;
  const scans = { asc: prepareScans(sql, 'asc'), desc: prepareScans(sql, 'desc') };
  const countOfTopic = prepareCount(sql, 'contract_log_topic', 'position = ? and topic_tail = ?');
  const countOfContract = prepareCount(sql, 'contract_log', 'contract_id = ? and is_hidden = 0');
  const atPlaces = sql.prepareExact<[SqlList, SqlList], LogFacts>(
    `select ${columnsOf('l')} from contract_log l
     where ${isListed('l.consensus_ts')} and ${isListed('l.log_index')} and l.is_hidden = 0`,
  );

  async function count({ keys, position }: LogCondition, { from, to }: LogSelection, most: number) {
    const times = [from.consensusTimestamp, to.consensusTimestamp] as const;
    let found = 0;
    for (const key of keys) {
      const rows = await sql.read(() =>
        position === CONTRACT_POSITION
          ? countOfContract.get(key, ...times, most)
          : countOfTopic.get(BigInt(position), key, ...times, most),
      );
      found += rows ?? 0;
      if (found >= most) break;
    }
    return found;
  }

  return {
    /**
     * The first ones of those that have a key, or of all for null; in the order of the selection.
     *
     * @param beside topics at other positions that they have as well, looked for before their rows are; for few logs alone,
     *   since all are looked through in one statement
     */
    async first(
      condition: LogCondition | null,
      selection: LogSelection,
      beside: readonly TopicKey[] = [],
    ): Promise<readonly LogPlace[]> {
      const { byTime, byKey } = scans[selection.order];
      if (condition === null) return firstSelected(sql, byTime, [], selection);
      const { byContract, byTopic } = byKey[beside.length] ?? byKey[0];
      const found: LogPlace[] = [];
      for (const key of condition.keys) {
        const matches =
          condition.position === CONTRACT_POSITION
            ? await firstSelected(sql, byContract, [key], selection, beside)
            : await firstSelected(sql, byTopic, [BigInt(condition.position), key], selection, beside);
        found.push(...matches);
      }
      return inOrder(found, selection.order).slice(0, selection.limit);
    },
    /** Those that are at some places, in any order. */
    async at(places: readonly LogPlace[], selection: LogSelection): Promise<readonly LogPlace[]> {
      const { list } = sql.dialect;
      const wanted = new Set(places.map(placeKey));
      const times = list(new Set(places.map((place) => place.consensusTimestamp)));
      const indexes = list(new Set(places.map((place) => place.index)));
      const rows = await sql.read(() => atPlaces.all(times, indexes));
      return rows.filter((row) => wanted.has(placeKey(row)) && isSelected(row, selection));
    },
    /** The condition that the fewest rows meet within the times, counted up to a bound. */
    async rarest(
      conditions: readonly LogCondition[],
      selection: LogSelection,
      most: number,
    ): Promise<CountedCondition> {
      let rarest: CountedCondition = { condition: conditions[0] ?? null, count: most };
      for (const condition of conditions) {
        const found = await count(condition, selection, rarest.count);
        if (found < rarest.count) rarest = { condition, count: found };
      }
      return rarest;
    },
  };
}

/** Places in the order of a list. */
export function inOrder(places: readonly LogPlace[], order: 'asc' | 'desc'): readonly LogPlace[] {
  return order === 'asc'
    ? places.toSorted(comparePlaces)
    : places.toSorted((one, other) => comparePlaces(other, one));
}

/** A place as text; equal texts are equal places. */
export function placeKey({ consensusTimestamp, index }: LogPlace): string {
  return `${consensusTimestamp}/${index}`;
}

/** The places of the first rows of an index range that meet all conditions. */
async function firstSelected(
  sql: Sql,
  statement: SqlStatement<unknown[], LogFacts>,
  key: readonly bigint[],
  selection: LogSelection,
  beside: readonly TopicKey[] = [],
): Promise<readonly LogPlace[]> {
  const { from, limit, order, to } = selection;
  const matches: LogPlace[] = [];
  for (let [first, last, step] = [from, to, limit]; ; step = Math.min(GROWTH * step, STEP)) {
    const bounds = [first.consensusTimestamp, last.consensusTimestamp, first.consensusTimestamp, first.index];
    const others = beside.flatMap(({ key, position }) => [
      BigInt(position),
      key,
      first.consensusTimestamp,
      last.consensusTimestamp,
    ]);
    const rows = await sql.read(() =>
      statement.all(...key, ...bounds, last.consensusTimestamp, last.index, ...others, step),
    );
    for (const row of rows) if (isSelected(row, selection)) matches.push(row);
    const reached = rows.at(-1);
    if (matches.length >= limit || rows.length < step || reached === undefined)
      return matches.slice(0, limit);
    const { consensusTimestamp, index } = reached;
    if (order === 'asc') first = { consensusTimestamp, index: index + 1n };
    else last = { consensusTimestamp, index: index - 1n };
    await setImmediate();
  }
}

function prepareScans(sql: Sql, order: 'asc' | 'desc') {
  const scan = (table: string, condition: string, from: string, rest: string) =>
    sql.prepareExact<unknown[], LogFacts>(
      `select ${columnsOf('l')} from ${from}
       where ${condition} ${table}.consensus_ts between ? and ?
         and (${table}.consensus_ts > ? or ${table}.log_index >= ?)
         and (${table}.consensus_ts < ? or ${table}.log_index <= ?) ${rest}
       order by ${table}.consensus_ts ${order}, ${table}.log_index ${order} limit ?`,
    );
  const beside = (table: string) =>
    `and exists (select 1 from contract_log_topic b where b.position = ? and b.topic_tail = ?
       and b.consensus_ts between ? and ? and b.consensus_ts = ${table}.consensus_ts
       and b.log_index = ${table}.log_index)`;
  const byKey = (besideCount: number) => ({
    byContract: scan(
      'l',
      'l.contract_id = ? and',
      'contract_log l',
      `and l.is_hidden = 0 ${beside('l').repeat(besideCount)}`,
    ),
    byTopic: scan(
      't',
      't.position = ? and t.topic_tail = ? and',
      `contract_log_topic t ${sql.dialect.orderedJoin} contract_log l
         on l.consensus_ts = t.consensus_ts and l.log_index = t.log_index`,
      beside('t').repeat(besideCount),
    ),
  });
  return {
    byTime: scan('l', '', 'contract_log l', 'and l.is_hidden = 0'),
    byKey: [byKey(0), byKey(1), byKey(2), byKey(3), byKey(4)] as const,
  };
}

function columnsOf(table: string): string {
  return `${table}.consensus_ts as "consensusTimestamp", ${table}.log_index as "index", ${table}.contract_id as contract,
    ${table}.topic0, ${table}.topic1, ${table}.topic2, ${table}.topic3`;
}

function prepareCount(sql: Sql, table: string, condition: string) {
  return sql.prepareValue<unknown[], number>(
    `select count(*) from (select 1 from ${table} where ${condition} and consensus_ts between ? and ?
     limit ?) counted`,
  );
}
