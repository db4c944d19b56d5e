import type { OpeningState } from '../facets/opening-state.ts';
import type { LedgerUnit, StatedBalances, StoredUnitHeader, UnitSidecar } from '../rows.ts';

/** A unit that is derived anew. */
export interface StoredUnit extends LedgerUnit {
  readonly header: StoredUnitHeader;
}

/** The bytes of one transaction as they came. */
export interface StoredItem {
  readonly transaction: Uint8Array;
  readonly record: Uint8Array;
}

/** Units as they are stored, for rebuilding what was derived from them. */
export interface StoredUnits {
  count(): Promise<number>;
  /** The unit behind a place; null behind the last. `after` null: the first of all. */
  next(after: bigint | null): Promise<StoredUnitHeader | null>;
  /** In the order of the unit; null when bytes are missing: the rows of a fixture have none. */
  items(unit: StoredUnitHeader): Promise<readonly StoredItem[] | null>;
  /** Those that the record file of the unit names, or that its block was told as; in the order of their ids. */
  sidecars(unit: StoredUnitHeader): Promise<readonly UnitSidecar[]>;
  /** What the unit stated of balances, as far as it took effect. */
  statedBalances(unit: StoredUnitHeader): Promise<StatedBalances>;
  /** What the first block of a network stated beside its transactions, in the order of the block. */
  openingState(unit: StoredUnitHeader): Promise<readonly OpeningState[]>;
  /** The tables in which rows of a unit are not those that its bytes give, in any order. Only reads. */
  differences(unit: StoredUnit): Promise<readonly string[]>;
  /** Writes the transactions of a unit and what was summed up over them anew, in one commit. */
  rewrite(unit: StoredUnit): Promise<void>;
}
