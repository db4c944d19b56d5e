import { column, type RowOf, stateTable } from '../../../values/stored-tables.ts';
import { firstSnapshotDue, nextSnapshotDue } from '../balance-snapshots.ts';
import type { LedgerTransaction, LedgerUnit, UnitHeader } from '../rows.ts';
import {
  type FoldedUnit,
  type FoldState,
  type StateFold,
  type StateLoad,
  TouchedKeys,
} from './fold-state.ts';

/**
 * Version of the rules that derive state from what was imported. It grows when a rebuild would make other rows of a
 * ledger that is stored.
 */
export const DERIVATION = 12n;

/** What is known of the ledger as a whole. */
export interface LedgerClock {
  /** Whether it is known from its first block, so that an account without a row has balance 0. */
  readonly isComplete: boolean;
  readonly lastTransaction: bigint | null;
  readonly lastSnapshot: bigint | null;
  /** From which end of a unit the next snapshot is taken; null before the first unit. */
  readonly snapshotDue: bigint | null;
  /** The last transaction before the newest jump over missing units; null without one. */
  readonly forgottenAt: bigint | null;
  /** The {@link DERIVATION} that it began with, or was rebuilt by; null before there were versions. */
  readonly derivation: bigint | null;
  /** The greatest time of record files and blocks; null without any. */
  readonly streamEnd: bigint | null;
  /** The most nanoseconds by which a transaction of record files and blocks lies before one that came earlier. */
  readonly stepBack: bigint;
}

/** Balances are copied to the end of a unit, as they are then. */
export interface Snapshot {
  readonly at: bigint;
  /** The last one before; null when there is none. */
  readonly last: bigint | null;
}

/** One row. */
const LEDGER_STATE = stateTable(
  'ledger_state',
  { onlyRow: 'only_row' },
  {
    isComplete: column<bigint>('balances_complete'),
    lastTransaction: column<bigint | null>('last_transaction_ts'),
    lastSnapshot: column<bigint | null>('last_snapshot_ts'),
    snapshotDue: column<bigint | null>('snapshot_due_ts'),
    forgottenAt: column<bigint | null>('forgotten_ts'),
    derivation: column<bigint | null>('derivation'),
    streamEnd: column<bigint | null>('stream_end_ts'),
    stepBack: column<bigint>('step_back'),
  },
);
type ClockRow = RowOf<typeof LEDGER_STATE>;

/** The row of {@link LEDGER_STATE}. */
function clockRow(clock: LedgerClock): ClockRow {
  return { ...clock, onlyRow: 1n, isComplete: clock.isComplete ? 1n : 0n };
}

/** A ledger is complete when it begins with the first block, or with a fixture. */
function firstClock({ blockNumber, kind }: UnitHeader): LedgerClock {
  const isComplete = kind === 'fixture' || blockNumber === 0n;
  return {
    isComplete,
    lastTransaction: null,
    lastSnapshot: null,
    snapshotDue: null,
    forgottenAt: null,
    derivation: DERIVATION,
    streamEnd: null,
    stepBack: 0n,
  };
}

/** What is known after a jump over missing units. */
function forgetful(clock: LedgerClock): LedgerClock {
  return { ...clock, isComplete: false, forgottenAt: clock.lastTransaction };
}

/**
 * The ledger after a unit, and the snapshot at its end: the first 2 minutes after the first unit, each other 15 minutes
 * after the one before.
 *
 * @param end place of the unit
 * @see contracts/mirror-entities.md section 1.6
 */
function advanceClock(
  clock: LedgerClock,
  end: bigint,
  { added, unit: { header } }: Pick<NewUnit, 'added' | 'unit'>,
): { readonly clock: LedgerClock; readonly snapshot: Snapshot | null } {
  let { lastTransaction, stepBack } = clock;
  for (const { consensusTimestamp: at } of added) {
    if (lastTransaction === null || at > lastTransaction) lastTransaction = at;
    else if (lastTransaction - at > stepBack && header.kind !== 'fixture') stepBack = lastTransaction - at;
  }
  const { lastSnapshot: last } = clock;
  let { streamEnd } = clock;
  if (header.kind !== 'fixture' && header.consensusEnd > (streamEnd ?? -1n)) streamEnd = header.consensusEnd;
  const due = clock.snapshotDue ?? (last === null ? firstSnapshotDue(end) : nextSnapshotDue(last));
  if (end < due)
    return { clock: { ...clock, lastTransaction, streamEnd, stepBack, snapshotDue: due }, snapshot: null };
  const next = { lastTransaction, streamEnd, stepBack, lastSnapshot: end, snapshotDue: nextSnapshotDue(end) };
  return { clock: { ...clock, ...next }, snapshot: { at: end, last } };
}

/** A unit that is stored, with what the units before it state. */
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
