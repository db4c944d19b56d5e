import type { DecodedTransaction } from '../decode/decode-transaction.ts';

/** A pair with a 32-byte ed25519 prefix. */
const BYTES_PER_SIGNATURE = 102;

/**
 * The transaction as it will be when so many signed it: clients ask about transactions before they sign them.
 *
 * Bytes are added for missing signatures, and none taken away for surplus ones.
 *
 * @see contracts/fees-estimate.md section 12, expected number of signatures
 */
export function withExpectedSignatures(
  transaction: DecodedTransaction,
  expected: number,
): DecodedTransaction {
  const missing = Math.max(0, expected - transaction.signatureCount);
  return {
    ...transaction,
    signatureCount: expected,
    byteLength: transaction.byteLength + missing * BYTES_PER_SIGNATURE,
  };
}

/** What the answer then says. */
export function noteOfSignatures(expected: number, found: number): string {
  return `Estimated for ${expected} signatures; the transaction has ${found}`;
}
