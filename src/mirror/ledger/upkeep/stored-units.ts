import type { LedgerUnit, StatedBalances, UnitHeader, UnitSidecar } from '../rows.ts';

/** The bytes of one transaction as they came. */
export interface StoredItem {
  readonly transaction: Uint8Array;
  readonly record: Uint8Array;
}

/** Units as they are stored, for rebuilding what was derived from them. */
export interface StoredUnits {
  count(): Promise<number>;
  /** The first unit that ends later; null behind the last. `after` null: the first of all. */
  next(after: bigint | null): Promise<UnitHeader | null>;
  /** In the order of the unit; null when bytes are missing: the rows of a fixture have none. */
  items(unit: UnitHeader): Promise<readonly StoredItem[] | null>;
  /** Those that the record file of the unit names, or that its block was told as; in the order of their ids. */
  sidecars(unit: UnitHeader): Promise<readonly UnitSidecar[]>;
  /** What the unit stated of balances, as far as it took effect. */
  statedBalances(unit: UnitHeader): Promise<StatedBalances>;
  /** Writes the transactions of a unit and what was summed up over them anew, in one commit. */
  rewrite(unit: LedgerUnit): Promise<void>;
}
