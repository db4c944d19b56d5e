import { isNewSnapshotInterval, isNewSnapshotMonth } from '../balance-snapshots.ts';
import type { LedgerTransaction, UnitHeader } from '../rows.ts';
import { stateTable } from './tables.ts';

/** What is known of the ledger as a whole. */
export interface LedgerClock {
  /** Whether it is known from its first block, so that an account without a row has balance 0. */
  readonly isComplete: boolean;
  readonly lastTransaction: bigint | null;
  readonly lastSnapshot: bigint | null;
  /** The last transaction before the newest jump over missing units; null without one. */
  readonly forgottenAt: bigint | null;
}

/** Balances are copied to the time `at`: those that changed after `since`, all when it is −1. */
export interface Snapshot {
  readonly at: bigint;
  readonly since: bigint;
}

/** When balances are copied while a unit is folded. */
export interface Snapshots {
  /** By the time of the transaction before which they are copied. */
  readonly before: ReadonlyMap<bigint, Snapshot>;
  /** After the last transaction; null for none. */
  readonly closing: Snapshot | null;
}

interface ClockRow {
  readonly onlyRow: bigint;
  readonly isComplete: bigint;
  readonly lastTransaction: bigint | null;
  readonly lastSnapshot: bigint | null;
  readonly forgottenAt: bigint | null;
}

/** One row. */
export const LEDGER_STATE = stateTable<ClockRow>(
  'ledger_state',
  { onlyRow: 'only_row' },
  {
    isComplete: 'balances_complete',
    lastTransaction: 'last_transaction_ts',
    lastSnapshot: 'last_snapshot_ts',
    forgottenAt: 'forgotten_ts',
  },
);

/** The row of {@link LEDGER_STATE}. */
export function clockRow(clock: LedgerClock): ClockRow {
  return { ...clock, onlyRow: 1n, isComplete: clock.isComplete ? 1n : 0n };
}

/** A ledger is complete when it begins with the first block, or with a fixture. */
export function firstClock({ blockNumber, kind }: UnitHeader): LedgerClock {
  const isComplete = kind === 'fixture' || blockNumber === 0n;
  return { isComplete, lastTransaction: null, lastSnapshot: null, forgottenAt: null };
}

/** What is known after a jump over missing units. */
export function forgetful(clock: LedgerClock): LedgerClock {
  return { ...clock, isComplete: false, forgottenAt: clock.lastTransaction };
}

/**
 * The ledger after the transactions of a unit, and the snapshots on the way: one whenever a quarter of an hour
 * ended before a transaction, and one after the first unit.
 *
 * @see contracts/mirror-network.md section 7
 */
export function advanceClock(
  clock: LedgerClock,
  added: readonly LedgerTransaction[],
): { readonly clock: LedgerClock; readonly snapshots: Snapshots } {
  let { lastSnapshot, lastTransaction } = clock;
  const take = (at: bigint): Snapshot => {
    const since = lastSnapshot === null || isNewSnapshotMonth(lastSnapshot, at) ? -1n : lastSnapshot;
    lastSnapshot = at;
    return { at, since };
  };
  const before = new Map<bigint, Snapshot>();
  for (const { consensusTimestamp: at } of added) {
    if (lastTransaction !== null && isNewSnapshotInterval(lastTransaction, at)) {
      before.set(at, take(lastTransaction));
    }
    lastTransaction = at;
  }
  const closing = lastSnapshot === null && lastTransaction !== null ? take(lastTransaction) : null;
  return { clock: { ...clock, lastTransaction, lastSnapshot }, snapshots: { before, closing } };
}
