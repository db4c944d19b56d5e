import { CHUNK_SCALE } from '../../ledger/log-chunks/log-chunk.ts';
import { countPlaces, inBoth, type PlaceBits, shareNone } from '../../ledger/log-chunks/place-bits.ts';
import type { LogCondition } from './log-condition.ts';

/** What a chunk tells of a condition. */
export interface ConditionInChunk {
  readonly condition: LogCondition;
  /** Places of the logs with one of the keys that the chunk tells. */
  readonly bits: PlaceBits;
  /** Keys that few logs of the chunk have, or none. */
  readonly untold: readonly bigint[];
}

/** Where the logs of a chunk that meet all conditions can be. */
export interface ChunkPlan {
  /** At these places. */
  readonly bits: PlaceBits;
  /** Among the rows that an index finds by these keys. */
  readonly rows: readonly LogCondition[];
}

const NOTHING: ChunkPlan = { bits: new Uint32Array(), rows: [] };

/** What a chunk tells of several conditions, gathered one by one. */
export interface ConditionsInChunk {
  /** Those that all conditions with told keys alone leave; null without any. */
  readonly places: PlaceBits | null;
  /** The conditions that have untold keys. */
  readonly parted: readonly ConditionInChunk[];
}

export const NO_CONDITIONS: ConditionsInChunk = { places: null, parted: [] };

/** @returns null when no log can meet all: no more has to be told, nor any key searched. */
export function withCondition(
  { parted, places }: ConditionsInChunk,
  condition: ConditionInChunk,
): ConditionsInChunk | null {
  if (condition.untold.length > 0) return { places, parted: [...parted, condition] };
  if (places === null) return { places: condition.bits, parted };
  return shareNone(places, condition.bits) ? null : { places: inBoth(places, condition.bits), parted };
}

/**
 * Decides how the logs of a chunk that meet all conditions are found with the fewest rows.
 *
 * A log has a told key of each condition, which leaves few places, or an untold one of some, by which an index finds it. When
 * the untold keys of one condition alone are searched, the others that have such keys exclude no places; when none are, no
 * condition with such keys does.
 *
 * @param conditions at least one; null when no log meets all
 */
export function planChunk(conditions: ConditionsInChunk | null): ChunkPlan {
  if (conditions === null) return NOTHING;
  const { parted, places } = conditions;
  if (places !== null && parted.length === 0) return { bits: places, rows: [] };
  const plans = [
    planOf(places, parted),
    ...parted.map((condition) => planOf(places, [condition])),
    ...(places === null ? [] : [planOf(places, [])]),
  ];
  return plans.reduce((best, plan) => (plan.cost < best.cost ? plan : best)).plan;
}

/**
 * @param places those that all conditions with told keys alone leave; null without any
 * @param searched those whose untold keys are searched
 */
function planOf(places: PlaceBits | null, searched: readonly ConditionInChunk[]) {
  const told = searched.map((each) => each.bits);
  const bits = (places === null ? told : [places, ...told]).reduce(inBoth);
  const rows = searched.map(({ condition: { position }, untold }) => ({ position, keys: untold }));
  const keys = rows.reduce((sum, row) => sum + row.keys.length, 0);
  return { plan: { bits, rows }, cost: countPlaces(bits) + keys * CHUNK_SCALE.fewestOfKey };
}
