import type { ColumnValue } from '../../../values/stored-tables.ts';
import type { EntityChange, LedgerTransaction, LedgerUnit } from '../rows.ts';
import type { FoldState } from './fold-state.ts';
import type { LedgerClock, Snapshot } from './ledger-clock.ts';
import type { TouchedKeys } from './touched-keys.ts';

/** The settings of an account that count when a staking period ends. */
export type StakeSettings = Readonly<
  Record<'declinesReward' | 'isDeleted' | 'stakedAccount' | 'stakedNode' | 'stakePeriodStart', ColumnValue>
>;

/** A unit on its way into the state. */
export interface FoldedUnit {
  readonly unit: LedgerUnit;
  /** Where it stands among the units of the ledger. */
  readonly place: bigint;
  /** Those of its transactions that were not stored before, in its order. */
  readonly added: readonly LedgerTransaction[];
  /** Times of the others. */
  readonly retold: ReadonlySet<bigint>;
  /** Right after the greatest time of record files and blocks, its own too: what holds since later is of fixtures. */
  readonly streamsUntil: bigint;
  /** Whether units before it are missing: what was moved in between is unknown. */
  readonly isJump: boolean;
  /** What is known of the ledger before the unit. */
  readonly clock: LedgerClock;
  /** That of its end; null when none is due. */
  readonly snapshot: Snapshot | null;
  /** Of a unit with stake updates: the settings that each change found, in the order of the unit. */
  readonly settingsBefore: Map<EntityChange, StakeSettings | null>;
}

/**
 * What units make of one kind of stored rows, without a database: the keys that they touch are named, the rows
 * with these keys are loaded, and the fold changes them.
 *
 * @see docs/adr/0017-ledger-state-is-a-fold.md
 */
export interface StateFold {
  /** Names every key of which {@link fold} asks. */
  touch?(unit: LedgerUnit, keys: TouchedKeys): void;
  /** Called with each new unit in order. */
  fold(unit: FoldedUnit, state: FoldState): void;
  /**
   * What `ledger rebuild` does with the tables: replaces them by what the stored bytes make, or adds what is missing.
   * Tables that are not named stay as they are, and then the fold is not run.
   */
  readonly rebuild?: { readonly replaced?: readonly string[]; readonly added?: readonly string[] };
}
