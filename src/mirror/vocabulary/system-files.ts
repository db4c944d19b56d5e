/** Numbers of the files that configure a network. @see contracts/mirror-network.md section 5, contracts/streams.md section 12 */
export const SYSTEM_FILE = {
  /** Addresses of the nodes without their keys. */
  ADDRESS_BOOK: 101n,
  /** Nodes with their keys: the book that decides. */
  NODE_DETAILS: 102n,
  FEE_SCHEDULE: 111n,
  EXCHANGE_RATES: 112n,
  SIMPLE_FEE_SCHEDULE: 113n,
  PROPERTIES: 121n,
  PERMISSIONS: 122n,
  THROTTLES: 123n,
} as const;

/** Files of which a ledger keeps every version. */
export const SYSTEM_FILES: ReadonlySet<bigint> = new Set(Object.values(SYSTEM_FILE));

/** Files that hold a serialized address book. */
export const ADDRESS_BOOK_FILES: ReadonlySet<bigint> = new Set([
  SYSTEM_FILE.ADDRESS_BOOK,
  SYSTEM_FILE.NODE_DETAILS,
]);
