import { UnpriceableTransactionError, unpriceableInner } from '../fee-errors.ts';
import { canonicalLength } from './canonical-length.ts';
import { type DecodedTransaction, decodeSignedTransaction } from './decode-transaction.ts';
import { shapes } from './descriptor-file.ts';
import type { DecodedMessage } from './strict-decoder.ts';
import type { PricedBodies } from './transaction-fields.ts';

/**
 * The transactions that a batch or schedule carries; null for every other type.
 *
 * A scheduled body is taken as a transaction of that size with one signature.
 *
 * @throws UnpriceableTransactionError naming the member of a batch that cannot be decoded.
 * @see contracts/fees-estimate.md section 12, batch and schedule
 */
export function innerTransactions({
  body,
  member,
}: DecodedTransaction): readonly DecodedTransaction[] | null {
  if (member === 'atomicBatch') {
    const { transactions = [] } = body as PricedBodies['atomicBatch'];
    return transactions.map((bytes, index) => naming(index, () => decodeSignedTransaction(bytes)));
  }
  if (member !== 'scheduleCreate') return null;
  const { scheduledTransactionBody: scheduled } = body as PricedBodies['scheduleCreate'];
  if (scheduled?.data === undefined) return [];
  return [
    {
      member: scheduled.data,
      body: scheduled[scheduled.data],
      signatureCount: 1,
      byteLength: canonicalLength(shapes.SchedulableTransactionBody, scheduled as unknown as DecodedMessage),
      highVolume: false,
      id: undefined,
      memo: undefined,
      offeredFee: undefined,
    },
  ];
}

/**
 * Runs what concerns one inner transaction.
 *
 * @throws UnpriceableTransactionError with the place of the inner transaction, counted from 1.
 */
export function naming<T>(index: number, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof UnpriceableTransactionError) throw unpriceableInner(index + 1, error);
    throw error;
  }
}
