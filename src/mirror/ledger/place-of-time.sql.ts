import type { Sql } from '../../storage/sql/sql.ts';
import type { Work } from '../../values/work.ts';
import type { StoredUnitHeader } from './rows.ts';

/**
 * SQL: the place of the block that holds the transaction of a time; null without one.
 *
 * @param time SQL of its consensus time
 * @param isBlock SQL of what makes a unit `u` a block; `true` takes fixtures too
 */
export function placeOfTime(time: string, isBlock = 'u.block_number is not null'): string {
  return `coalesce((select p.place from tx_place p where p.consensus_ts = ${time}),
    (select u.place from ledger_unit u where u.place >= ${time} and ${isBlock}
     order by u.place limit 1))`;
}

/** First and last time, both included. */
export type TimeSpan = readonly [first: bigint, last: bigint];

/** Reads the spans of time in which all transactions are those of one unit, in the order of the unit. */
export function createUnitSpans(sql: Sql): (unit: UnitTimes) => Work<readonly TimeSpan[]> {
  const own = sql.prepareExactValue<[bigint], bigint>(
    'select consensus_ts from tx_place where place = ? order by seq',
  );
  const foreign = sql.prepareExactValue<[bigint, bigint], bigint>(
    'select consensus_ts from tx_place where consensus_ts between ? and ? order by consensus_ts',
  );
  return function* ({ consensusEnd, consensusStart, count, place }) {
    // An empty block may tell the time of a transaction of another.
    if (BigInt(count) === 0n) return [];
    const times = yield* own.all(place);
    if (times.length > 0) return times.map((time) => [time, time] as const);
    const spans: TimeSpan[] = [];
    let first: bigint = consensusStart;
    for (const time of yield* foreign.all(consensusStart, consensusEnd)) {
      if (time > first) spans.push([first, time - 1n]);
      first = time + 1n;
    }
    if (first <= consensusEnd) spans.push([first, consensusEnd]);
    return spans;
  };
}

type UnitTimes = Pick<StoredUnitHeader, 'place'> & {
  readonly consensusStart: bigint;
  readonly consensusEnd: bigint;
  readonly count: number | bigint;
};
