import type { DecodedTransaction } from '../decode/decode-transaction.ts';
import { UnpriceableTransactionError } from '../fee-errors.ts';
import type { TransactionPrice } from './transaction-prices.ts';

const MAX_TRANSACTION_BYTES = 6144;
const MAX_LIST_LENGTH = 10;

/** The network takes no transaction with more; also the largest number of signatures one can ask about. */
export const MAX_SIGNATURE_PAIRS = 100;

/**
 * Checks size and signatures.
 *
 * @param price null for a type without a price, which has the ordinary limits.
 * @throws UnpriceableTransactionError
 * @see contracts/fees-estimate.md section 7
 */
export function checkSize(
  { byteLength, signatureCount }: DecodedTransaction,
  price: TransactionPrice<unknown> | null,
): void {
  const maximum = price?.maxBytes ?? MAX_TRANSACTION_BYTES;
  if (byteLength > maximum) {
    throw new UnpriceableTransactionError(
      'transaction_too_large',
      `Transaction size ${byteLength} exceeds maximum ${maximum} bytes`,
    );
  }
  if (signatureCount > MAX_SIGNATURE_PAIRS) {
    throw tooManyEntries(signatureCount, 'signature pairs', MAX_SIGNATURE_PAIRS);
  }
}

/**
 * Checks the lists of the type, in the specification's order.
 *
 * @throws UnpriceableTransactionError
 * @see contracts/fees-estimate.md section 7
 */
export function checkLists({ body }: DecodedTransaction, price: TransactionPrice<unknown>): void {
  if (price.listLengths === undefined) return;
  for (const [noun, length] of price.listLengths(body)) {
    if (length > MAX_LIST_LENGTH) throw tooManyEntries(length, noun, MAX_LIST_LENGTH);
  }
}

function tooManyEntries(count: number, noun: string, maximum: number): UnpriceableTransactionError {
  return new UnpriceableTransactionError(
    'too_many_entries',
    `Transaction contains ${count} ${noun}, which exceeds the maximum of ${maximum}`,
  );
}
