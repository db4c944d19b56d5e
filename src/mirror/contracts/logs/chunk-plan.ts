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

const NOTHING: ChunkPlan = { bits: new Uint8Array(), rows: [] };

/**
 * Decides how the logs of a chunk that meet all conditions are found with the fewest rows.
 *
 * A log has a told key of each condition, which leaves few places, or an untold one of some, by which an index finds it. When
 * the untold keys of one condition alone are searched, the others that have such keys exclude no places; when none are, no
 * condition with such keys does.
 *
 * @param conditions at least one
 */
export function planChunk(conditions: readonly ConditionInChunk[]): ChunkPlan {
  const whole = conditions.filter(({ untold }) => untold.length === 0);
  const parted = conditions.filter(({ untold }) => untold.length > 0);
  const wholeBits = whole.map(({ bits }) => bits);
  // Nothing is left of what is told alone: no key has to be searched then.
  if (wholeBits.length > 0 && shareNone(wholeBits)) return NOTHING;
  const places = wholeBits.length === 0 ? null : wholeBits.reduce(inBoth);
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
