import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { OpeningState } from '../../ledger/facets/opening-state.ts';
import { FieldWalk } from '../../protobuf/wire.ts';
import { timeOf } from './entity-bytes.ts';
import { MAP_CHANGE, STATE, STATE_CHANGE, STATE_CHANGES } from './field-numbers.ts';

/** A row of a map of the state that was set or deleted. */
export interface MapChange {
  readonly stateId: number;
  readonly key: Uint8Array;
  /** Null when the row was deleted. */
  readonly value: Uint8Array | null;
  /** Set to what it was before. */
  readonly isIdentical: boolean;
}

const EMPTY = new Uint8Array();

/** Consensus time of serialized `StateChanges`; null when they have none. */
export function changedAt(stateChanges: Uint8Array): bigint | null {
  for (const walk = new FieldWalk(stateChanges); walk.next(); ) {
    if (walk.number === STATE_CHANGES.consensusTimestamp) {
      return walk.end === walk.start ? null : timeOf(walk.bytes);
    }
  }
  return null;
}

/**
 * The rows that serialized `StateChanges` set or delete in maps; changes of other kinds are passed over.
 *
 * @param wanted numbers of the states that are looked at
 */
export function* mapChanges(stateChanges: Uint8Array, wanted: ReadonlySet<number>): Generator<MapChange> {
  for (const list = new FieldWalk(stateChanges); list.next(); ) {
    if (list.number !== STATE_CHANGES.change) continue;
    let [stateId, kind, start, end] = [0, 0, 0, 0];
    for (const walk = new FieldWalk(stateChanges, list.start, list.end); walk.next(); ) {
      if (walk.number === STATE_CHANGE.stateId) stateId = walk.int;
      else if (walk.number === STATE_CHANGE.mapUpdate || walk.number === STATE_CHANGE.mapDelete) {
        [kind, start, end] = [walk.number, walk.start, walk.end];
      }
    }
    if (kind === 0 || !wanted.has(stateId)) continue;
    let key: Uint8Array = EMPTY;
    let value: Uint8Array | null = null;
    let isIdentical = false;
    for (const walk = new FieldWalk(stateChanges, start, end); walk.next(); ) {
      if (walk.number === MAP_CHANGE.key) key = walk.bytes;
      else if (kind === STATE_CHANGE.mapDelete) continue;
      else if (walk.number === MAP_CHANGE.value) value = walk.bytes;
      else if (walk.number === MAP_CHANGE.isIdentical) isIdentical = walk.int !== 0;
    }
    yield { stateId, key, value: kind === STATE_CHANGE.mapUpdate ? (value ?? EMPTY) : null, isIdentical };
  }
}

/** The states that become rows. @see contracts/streams.md section 9.6 */
export const OPENING_STATES: ReadonlySet<number> = new Set([
  STATE.accounts.id,
  STATE.bytecode.id,
  STATE.files.id,
]);

/**
 * What the first block of a network states, in its order.
 *
 * @param begin of the block, for changes that tell no time
 */
export function openingStateOf(
  changes: readonly { readonly bytes: Uint8Array; readonly at: bigint | null }[],
  begin: bigint,
): readonly OpeningState[] {
  return changes.flatMap(({ at, bytes }) =>
    mapChanges(bytes, OPENING_STATES).next().done === true
      ? []
      : [{ timestamp: consensusTimestamp(at ?? begin), changes: bytes }],
  );
}
