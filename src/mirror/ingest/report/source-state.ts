import type { UnitHeader } from '../../ledger/rows.ts';
import { type IngestState, idleState } from './ingest-state.ts';

/** How a source stands, kept up to date while it is imported. */
export interface SourceState {
  change(changes: Partial<IngestState>): void;
  /** Told once, however often. */
  note(text: string): void;
  /** The last unit of the ledger; null in an empty one. */
  atUnit(last: UnitHeader | null): void;
  current(): IngestState;
}

/** @param onState called after every change */
export function createSourceState(source: string, onState?: (state: IngestState) => void): SourceState {
  let state = idleState(source);
  const change = (changes: Partial<IngestState>): void => {
    state = { ...state, ...changes };
    onState?.(state);
  };
  return {
    change,
    atUnit: (last) =>
      change({
        verification: last?.verification ?? null,
        proof: last?.proof ?? null,
        lastUnit: last?.name ?? null,
        lastConsensusTimestamp: last?.consensusEnd ?? null,
        lastBlock: last?.blockNumber ?? null,
      }),
    note(text) {
      if (!state.notes.includes(text)) change({ notes: [...state.notes, text] });
    },
    current: () => state,
  };
}
