import type { LedgerTransaction, LedgerUnit } from '../rows.ts';
import type { FoldState } from './fold-state.ts';
import {
  advanceClock,
  clockRow,
  firstClock,
  forgetful,
  LEDGER_STATE,
  type LedgerClock,
} from './ledger-clock.ts';
import type { FoldedUnit, StateFold } from './state-fold.ts';
import { type StateLoad, TouchedKeys } from './touched-keys.ts';

/** A unit that is stored, with what the units before it tell. */
export interface NewUnit {
  readonly unit: LedgerUnit;
  /** Where it stands among the units of the ledger. */
  readonly place: bigint;
  /** Those of its transactions that were not stored before, in its order. */
  readonly added: readonly LedgerTransaction[];
  /** Whether units before it are missing. */
  readonly isJump: boolean;
}

const ONLY_ROW = 1n;
const NO_TIMES: ReadonlySet<bigint> = new Set();

/** The rows that the units touch, in one load for each table. */
export function loadsOf(
  folds: readonly Partial<StateFold>[],
  units: readonly LedgerUnit[],
): readonly StateLoad[] {
  const keys = new TouchedKeys();
  keys.add(LEDGER_STATE, ONLY_ROW);
  for (const { touch } of folds) for (const unit of units) touch?.(unit, keys);
  return keys.loads();
}

/**
 * Takes units into the state, one after the other.
 *
 * Pure: the same units make the same state, however they are split into calls.
 *
 * @param state filled with what {@link loadsOf} named
 */
export function foldUnits(
  folds: readonly Partial<StateFold>[],
  units: readonly NewUnit[],
  state: FoldState,
): void {
  const row = state.rows(LEDGER_STATE).get(ONLY_ROW);
  let stored: LedgerClock | null = row === null ? null : { ...row, isComplete: row.isComplete === 1n };
  for (const taken of units) {
    const { added, isJump, place, unit } = taken;
    const before = stored === null ? firstClock(unit.header) : isJump ? forgetful(stored) : stored;
    const { clock, snapshot } = advanceClock(before, place, taken);
    const streamsUntil = (clock.streamEnd ?? -1n) + 1n;
    const retold = retoldTimes(unit, added);
    const known = { unit, place, added, retold, isJump, streamsUntil, clock: before, snapshot };
    const folded: FoldedUnit = { ...known, settingsBefore: new Map() };
    for (const { fold } of folds) fold?.(folded, state);
    state.rows(LEDGER_STATE).set(clockRow(clock));
    stored = clock;
  }
}

function retoldTimes({ transactions }: LedgerUnit, added: readonly LedgerTransaction[]): ReadonlySet<bigint> {
  if (added.length === transactions.length) return NO_TIMES;
  const times = new Set<bigint>(transactions.map(({ consensusTimestamp }) => consensusTimestamp));
  for (const { consensusTimestamp } of added) times.delete(consensusTimestamp);
  return times;
}
