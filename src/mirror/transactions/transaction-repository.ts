import type { FoundTransaction, TransactionFilter, TransactionPage } from './transaction-filter.ts';

/** The read side of transactions. */
export interface TransactionRepository {
  /** A store in the process itself answers at once: a promise for each page costs more than the search. */
  page(filter: TransactionFilter): TransactionPage | Promise<TransactionPage>;
  /** Consensus time of the oldest stored transaction. */
  oldestTimestamp(): Promise<bigint | null>;
  /** All transactions with this payer and valid start, ascending by consensus time. */
  findById(payer: bigint, validStart: bigint): Promise<readonly FoundTransaction[]>;
  /** Up to `limit` transactions with exactly this hash, ascending by consensus time. */
  findByHash(hash: Uint8Array, limit: number): Promise<readonly FoundTransaction[]>;
}
