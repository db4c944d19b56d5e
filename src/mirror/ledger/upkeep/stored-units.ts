import type { LedgerUnit, StoredUnitHeader } from '../rows.ts';

/** A unit that is derived anew. */
export interface StoredUnit extends LedgerUnit {
  readonly header: StoredUnitHeader;
}

/** The bytes of one transaction as they came. */
export interface StoredItem {
  readonly transaction: Uint8Array;
  readonly record: Uint8Array;
}
