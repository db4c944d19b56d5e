import { flag, int64, number, type RecordOf, rowTable } from '../../values/row-table.ts';
import type { Dialect } from '../dialect.ts';
import { unmarked } from '../ledger/transaction-json.ts';
import { isSuccess } from '../vocabulary/response-codes.ts';
import type { TransactionFilter, TransactionPage } from './transaction-filter.ts';

const INNER_PAIR = /\[(-?\d+),(-?\d+)\]/g;

/** One row of a lookup by id or hash. @param body selects the object of lists */
export const foundTable = (body: string, dialect: Dialect) =>
  rowTable({
    consensusTimestamp: int64('t.consensus_ts'),
    type: number('t.type'),
    isSuccessful: { column: 't.result', fromStored: (result: bigint) => isSuccess(Number(result)) },
    isScheduled: flag('t.scheduled'),
    nonce: number('t.nonce'),
    /** Payer and valid start of the transactions inside a batch. */
    inner: {
      column: 't.inner_transactions',
      fromStored: (pairs: string | null) =>
        [...(pairs ?? '').matchAll(INNER_PAIR)].map(
          ([, payer = '0', validStart = '0']) => [BigInt(payer), BigInt(validStart)] as const,
        ),
    },
    /** The object of the single transaction: with `assessed_custom_fees` where there are any. */
    json: {
      column: `'{' || coalesce('"assessed_custom_fees":' || t.assessed_fees || ',', '') || substr(${body}, 2) as json`,
      fromStored: (json: string) => unmarked(json, dialect),
    },
  });
export type FoundTransaction = RecordOf<ReturnType<typeof foundTable>>;

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
