/** The serialized `Transaction` and `TransactionRecord` of one item: what rows are decoded from, now and in a rebuild. */
export interface StreamItem {
  readonly transaction: Uint8Array;
  readonly record: Uint8Array;
}
