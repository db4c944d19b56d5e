import { setImmediate } from 'node:timers/promises';
import type { Sql, SqlList } from '../../../storage/sql/sql.ts';
import { MAX_INT64 } from '../../../values/int64.ts';
import type { Work } from '../../../values/work.ts';
import { CHUNK_SCALE, CONTRACT_POSITION, PLACE_BYTES, placeIn } from '../../ledger/log-chunks/log-chunk.ts';
import {
  inEither,
  isEmpty,
  type PlaceBits,
  placeNumbers,
  unpackPlaces,
} from '../../ledger/log-chunks/place-bits.ts';
import {
  type ChunkPlan,
  type ConditionInChunk,
  type ConditionsInChunk,
  NO_CONDITIONS,
  planChunk,
  withCondition,
} from './chunk-plan.ts';
import type { LogPlace, LogSelection } from './contract-log-repository.ts';
import { comparePlaces, type LogCondition } from './log-condition.ts';
import { inOrder, type LogWalk, placeKey, type TopicKey } from './log-walk.sql.ts';

/** Finds the places of a page by all conditions at once. */
type ChunkSearch = (
  conditions: readonly LogCondition[],
  selection: LogSelection,
) => Promise<readonly LogPlace[]>;

interface Chunk {
  readonly last: bigint;
  readonly size: bigint;
  /** Where the chunk before it ends; null for the first one. */
  readonly after: bigint | null;
}

/** A list, since thousands are read for a search. */
type KeyRow = readonly [key: bigint, last: bigint, places: Uint8Array];

/** A range of logs, and how those that meet all conditions are found in it. */
interface Span {
  readonly from: LogPlace;
  readonly to: LogPlace;
  readonly rows: readonly LogCondition[];
  /** Topics that the rows have as well; none where the rows may be many. */
  readonly beside: readonly TopicKey[];
  readonly candidates: Candidates | null;
}

/** Places of one chunk, in which logs can be that meet all conditions. */
interface Candidates {
  readonly chunk: Chunk;
  readonly bits: PlaceBits;
}

/** Chunks that are read first: mostly a page is found in them. Each time after that twice as many are. */
const FIRST_CHUNKS = 16;
/** Keys of chunks that are read together: other requests wait no longer. */
const KEYS = 1000;
/** How far rows that are in no chunk are counted: they are about as many as a chunk has. */
const COUNTED = CHUNK_SCALE.size;
/** Candidates whose rows are read together. The places of so many are read first, then of twice as many and so on. */
const CANDIDATES = 50;

/** Prepares the search over chunks. */
export function createChunkSearch(sql: Sql, walk: LogWalk): ChunkSearch {
  const { isListed, list } = sql.dialect;
  // Chunks follow each other without a gap: what is before the end of one is in one.
  const chunksIn = (order: 'asc' | 'desc') =>
    sql.prepareExact<[bigint, bigint, number], Chunk>(
      `select c.last_ts as last, c.log_count as size,
         (select max(b.last_ts) from contract_log_chunk b where b.last_ts < c.last_ts) as after
       from contract_log_chunk c
       where c.last_ts between ? and coalesce((select min(last_ts) from contract_log_chunk where last_ts >= ?),
         (select max(last_ts) from contract_log_chunk))
       order by c.last_ts ${order} limit ?`,
    );
  const chunks = { asc: chunksIn('asc'), desc: chunksIn('desc') };
  const keys = sql.prepareExactColumns<[bigint, SqlList, bigint, bigint], KeyRow>(
    `select key, last_ts, places from contract_log_chunk_key
     where position = ? and ${isListed('key')} and last_ts between ? and ?`,
  );
  const placesOf = sql.prepareValue<[number, number, bigint, bigint], Uint8Array>(
    'select substr(places, ?, ?) from contract_log_chunk where last_ts = ? and log_count = ?',
  );

  /** What each chunk tells of the conditions; null where no log can meet all. */
  function* toldOf(
    batch: readonly Chunk[],
    conditions: readonly LogCondition[],
  ): Work<(ConditionsInChunk | null)[]> {
    const told: (ConditionsInChunk | null)[] = batch.map(() => NO_CONDITIONS);
    for (const condition of conditions) {
      const open = batch.filter((_, index) => told[index] !== null);
      const [one, other] = [open[0]?.last, open.at(-1)?.last];
      if (one === undefined || other === undefined) break;
      const [first, last] = one < other ? [one, other] : [other, one];
      const ofChunk = new Map<bigint, KeyRow[]>(open.map((chunk) => [chunk.last, []]));
      const rows = yield* keys.all(BigInt(condition.position), list(condition.keys), first, last);
      for (const row of rows) ofChunk.get(row[1])?.push(row);
      for (const [index, chunk] of batch.entries()) {
        const before = told[index] ?? null;
        if (before === null) continue;
        told[index] = withCondition(before, conditionIn(chunk, condition, ofChunk.get(chunk.last) ?? []));
      }
    }
    return told;
  }

  /** The next chunks that hold places of a selection, in its order; they follow each other without a gap. */
  function chunksOf({ from, order, to }: LogSelection, most: number): Work<readonly Chunk[]> {
    return chunks[order].all(from.consensusTimestamp, to.consensusTimestamp, most);
  }

  /** Each range once, whatever is dropped and made meanwhile: what no chunk holds any more is walked. */
  async function* spansOf(
    conditions: readonly LogCondition[],
    selection: LogSelection,
  ): AsyncGenerator<Span> {
    const keyCount = conditions.reduce((count, { keys: { length } }) => count + length, 0);
    const mostTogether = Math.max(1, Math.floor(KEYS / keyCount));
    let most = Math.min(FIRST_CHUNKS, mostTogether);
    const isAscending = selection.order === 'asc';
    for (let rest: LogSelection | null = selection; rest !== null; await setImmediate()) {
      const asked: LogSelection = rest;
      const { batch, told } = await sql.readTogether(function* () {
        const batch = yield* chunksOf(asked, most);
        return { batch, told: yield* toldOf(batch, conditions) };
      });
      const [nearest, farthest] = [batch[0], batch.at(-1)];
      const isCut = batch.length === most;
      const newest = isAscending ? farthest : nearest;
      const behind = isAscending && isCut ? null : partAfter(asked, newest?.last ?? null);
      if (behind !== null && !isAscending) yield await walked(behind, conditions);
      yield* joined(batch.map((chunk, index) => spanOf(chunk, planChunk(told[index] ?? null), asked)));
      if (behind !== null && isAscending) yield await walked(behind, conditions);
      rest = farthest === undefined || !isCut ? null : partBeyond(asked, farthest);
      most = Math.min(2 * most, mostTogether);
    }
  }

  /** A range without chunks: the rows of the condition that is rarest there are looked through. */
  async function walked(selection: LogSelection, conditions: readonly LogCondition[]): Promise<Span> {
    const { from, to } = selection;
    const { condition, count } = await walk.rarest(conditions, selection, COUNTED);
    const others = conditions.filter((each) => each !== condition);
    const beside = count < COUNTED ? topicsOf(others) : [];
    return { from, to, rows: condition === null ? [] : [condition], beside, candidates: null };
  }

  async function placesIn(
    span: Span,
    conditions: readonly LogCondition[],
    selection: LogSelection,
  ): Promise<readonly LogPlace[]> {
    const { beside, candidates, from, rows, to } = span;
    const asked = { ...selection, from, to };
    const found: LogPlace[] = [];
    for (const condition of rows) found.push(...(await walk.first(condition, asked, beside)));
    if (candidates === null) return ordered(found, asked);
    const ofChunk = await selectedOf(candidates, asked);
    // Logs came in between, and the chunk is gone.
    if (ofChunk === null) return placesIn(await walked(asked, conditions), conditions, asked);
    return ordered([...found, ...ofChunk], asked);
  }

  /** Null when there is no such chunk any more. */
  async function selectedOf({ bits, chunk }: Candidates, selection: LogSelection) {
    const { from, limit, order, to } = selection;
    const ascending = placeNumbers(bits);
    const numbers = order === 'asc' ? ascending : ascending.toReversed();
    const found: LogPlace[] = [];
    for (let [at, most] = [0, CANDIDATES]; at < numbers.length && found.length < limit; most *= 2) {
      const places = await placesAt(chunk, numbers.slice(at, at + most));
      if (places === null) return null;
      const inRange = places.filter(
        (place) => comparePlaces(place, from) >= 0 && comparePlaces(place, to) <= 0,
      );
      found.push(...(await selectedAt(inRange, selection)));
      at += most;
    }
    return found;
  }

  /** @param numbers of logs, of which the first and the last are the farthest from each other */
  async function placesAt({ last, size }: Chunk, numbers: readonly number[]) {
    const [one = 0, other = 0] = [numbers[0], numbers.at(-1)];
    const first = Math.min(one, other);
    const length = (Math.abs(one - other) + 1) * PLACE_BYTES;
    const places = await sql.read(() => placesOf.get(1 + first * PLACE_BYTES, length, last, size));
    return places === undefined ? null : numbers.map((number) => placeIn(places, number - first));
  }

  async function selectedAt(candidates: readonly LogPlace[], selection: LogSelection) {
    const found: LogPlace[] = [];
    for (let at = 0; at < candidates.length && found.length < selection.limit; at += CANDIDATES) {
      found.push(...(await walk.at(candidates.slice(at, at + CANDIDATES), selection)));
      await setImmediate();
    }
    return found;
  }

  return async (conditions, selection) => {
    const found: LogPlace[] = [];
    for await (const span of spansOf(conditions, selection)) {
      found.push(
        ...(await placesIn(span, conditions, { ...selection, limit: selection.limit - found.length })),
      );
      if (found.length >= selection.limit) break;
    }
    return found.slice(0, selection.limit);
  };
}

function conditionIn({ size }: Chunk, condition: LogCondition, rows: readonly KeyRow[]): ConditionInChunk {
  const told = new Set<bigint>();
  let bits: PlaceBits | null = null;
  for (const [key, , places] of rows) {
    told.add(key);
    const unpacked = unpackPlaces(places, Number(size));
    bits = bits === null ? unpacked : inEither(bits, unpacked);
  }
  return {
    condition,
    bits: bits ?? unpackPlaces(new Uint8Array(), Number(size)),
    untold: condition.keys.filter((key) => !told.has(key)),
  };
}

/** Of the conditions that one topic meets. */
function topicsOf(conditions: readonly LogCondition[]): readonly TopicKey[] {
  return conditions
    .filter(({ keys, position }) => keys.length === 1 && position !== CONTRACT_POSITION)
    .flatMap(({ keys, position }) => keys.map((key) => ({ key, position })));
}

function spanOf(chunk: Chunk, { bits, rows }: ChunkPlan, selection: LogSelection): Span {
  return {
    ...within(selection, chunk.after, chunk.last),
    rows,
    beside: [],
    candidates: isEmpty(bits) ? null : { chunk, bits },
  };
}

/** What is left of a selection in its order behind a chunk; null for nothing. */
function partBeyond(selection: LogSelection, { after, last }: Chunk): LogSelection | null {
  if (selection.order === 'asc') return partAfter(selection, last);
  if (after === null || after < selection.from.consensusTimestamp) return null;
  return { ...selection, ...within(selection, null, after) };
}

/** What of a selection lies after a time, all of it after null; null for nothing. */
function partAfter(selection: LogSelection, time: bigint | null): LogSelection | null {
  const end = selection.to.consensusTimestamp;
  return time !== null && time >= end ? null : { ...selection, ...within(selection, time, end) };
}

/** The places of a selection after a time, up to another one. */
function within({ from, to }: LogSelection, after: bigint | null, last: bigint) {
  const isLater = after !== null && after >= from.consensusTimestamp;
  return {
    from: isLater ? { consensusTimestamp: after + 1n, index: 0n } : from,
    to: last < to.consensusTimestamp ? { consensusTimestamp: last, index: MAX_INT64 } : to,
  };
}

/** Leaves out spans in which nothing can be; those that follow each other and are walked by the same keys are one. */
function joined(spans: readonly Span[]): readonly Span[] {
  const kept: Span[] = [];
  let before: Span | null = null;
  for (const span of spans) {
    const whole: Span = before !== null && isWalkedAlike(before, span) ? together(before, span) : span;
    if (whole !== span) kept.pop();
    before = span.rows.length === 0 && span.candidates === null ? null : whole;
    if (before !== null) kept.push(before);
  }
  return kept;
}

function together(one: Span, other: Span): Span {
  return comparePlaces(one.from, other.from) < 0 ? { ...one, to: other.to } : { ...one, from: other.from };
}

function isWalkedAlike(one: Span, other: Span): boolean {
  return one.candidates === null && other.candidates === null && keysOf(one) === keysOf(other);
}

function keysOf({ rows }: Span): string {
  return rows.map(({ keys, position }) => `${position}: ${keys.join()}`).join('; ');
}

/** Each once: several keys may find the same log. */
function ordered(places: readonly LogPlace[], { limit, order }: LogSelection): readonly LogPlace[] {
  const byKey = new Map(places.map((place) => [placeKey(place), place]));
  return inOrder([...byKey.values()], order).slice(0, limit);
}
