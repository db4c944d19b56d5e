import { column, type RowOf, stateTable } from '../../../values/stored-tables.ts';
import { firstSnapshotDue, nextSnapshotDue } from '../balance-snapshots.ts';
import type { UnitHeader } from '../rows.ts';
import type { NewUnit } from './fold-units.ts';

/**
 * Version of the rules that derive state from what was imported. It grows when a rebuild would make other rows of a
 * ledger that is stored.
 */
export const DERIVATION = 10n;

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
export const LEDGER_STATE = stateTable(
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
export function clockRow(clock: LedgerClock): ClockRow {
  return { ...clock, onlyRow: 1n, isComplete: clock.isComplete ? 1n : 0n };
}

/** A ledger is complete when it begins with the first block, or with a fixture. */
export function firstClock({ blockNumber, kind }: UnitHeader): LedgerClock {
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
export function forgetful(clock: LedgerClock): LedgerClock {
  return { ...clock, isComplete: false, forgottenAt: clock.lastTransaction };
}

/**
 * The ledger after a unit, and the snapshot at its end: the first 2 minutes after the first unit, each other 15 minutes
 * after the one before.
 *
 * @param end place of the unit
 * @see contracts/mirror-entities.md section 1.6
 */
export function advanceClock(
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
