import type { UnitHeader } from '../../ledger/rows.ts';
import { type IngestState, idleState } from './ingest-state.ts';
import { PaceMeter } from './pace.ts';

/** How a source stands, kept up to date while it is imported. */
export interface SourceState {
  change(changes: Partial<IngestState>): void;
  /** A unit of this source was stored. */
  stored(transactions: number, last: UnitHeader, nowMs: number): void;
  /** Told once, however often. */
  note(text: string): void;
  /** The last unit of the ledger; null in an empty one. */
  atUnit(last: UnitHeader | null): void;
  current(): IngestState;
}

/** @param onState called after every change */
export function createSourceState(source: string, onState?: (state: IngestState) => void): SourceState {
  const meter = new PaceMeter();
  let state = idleState(source);
  const change = (changes: Partial<IngestState>): void => {
    state = { ...state, ...changes };
    onState?.(state);
  };
  return {
    change,
    atUnit: (last) => change(endOfLedger(last)),
    stored(transactions, last, nowMs) {
      meter.add(transactions, last.consensusEnd, nowMs);
      const units = state.units + 1;
      change({ ...endOfLedger(last), storedAtMs: nowMs, units, pace: meter.current(nowMs) });
    },
    note(text) {
      if (!state.notes.includes(text)) change({ notes: [...state.notes, text] });
    },
    current: () => state,
  };
}

function endOfLedger(last: UnitHeader | null): Partial<IngestState> {
  return {
    verification: last?.verification ?? null,
    proof: last?.proof ?? null,
    lastUnit: last?.name ?? null,
    lastConsensusTimestamp: last?.consensusEnd ?? null,
    lastBlock: last?.blockNumber ?? null,
  };
}
