import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { appendTable } from '../../../values/stored-tables.ts';
import type { Facet } from './facet.ts';

/** What the first block of a network states beside its transactions, as it came. */
export interface OpeningState {
  readonly timestamp: ConsensusTimestamp;
  /** Serialized `StateChanges`. */
  readonly changes: Uint8Array;
}

const OPENING_STATE = appendTable('opening_state', 2, ['place', 'number', 'consensus_ts', 'changes']);

/**
 * Kept as it came, so that a rebuild reads it as an import does.
 *
 * @see contracts/streams.md section 9.6
 */
export const openingState: Facet<'openingState', OpeningState> = {
  name: 'openingState',

  fold({ place, unit }, state) {
    for (const [number, { changes, timestamp }] of unit.openingState.entries()) {
      state.append(OPENING_STATE, [place, number, timestamp, changes]);
    }
  },
};
