import { LedgerlensError } from '../../values/ledgerlens-error.ts';
import { rawField } from './wire.ts';

/** In `Transaction`. */
const MEMBER = { body: 1, bodyBytes: 4, signedTransactionBytes: 5 };
/** In `SignedTransaction`. */
const BODY_BYTES = 1;

/**
 * The serialized body inside a serialized `Transaction`.
 *
 * @throws LedgerlensError `malformed`
 * @see contracts/streams.md section 6, row Body
 */
export function bodyOf(transaction: Uint8Array): Uint8Array {
  const signed = signedTransactionOf(transaction);
  if (signed !== null) return signedBody(signed);
  const bodyBytes = rawField(transaction, MEMBER.bodyBytes);
  if (bodyBytes !== null && bodyBytes.length > 0) return bodyBytes;
  return present(rawField(transaction, MEMBER.body), 'a transaction has no body');
}

/** The serialized `SignedTransaction` inside a serialized `Transaction`; null in the older forms. */
export function signedTransactionOf(transaction: Uint8Array): Uint8Array | null {
  const signed = rawField(transaction, MEMBER.signedTransactionBytes);
  return signed !== null && signed.length > 0 ? signed : null;
}

/** The serialized body inside a serialized `SignedTransaction`. @throws LedgerlensError `malformed` */
export function signedBody(signedTransaction: Uint8Array): Uint8Array {
  return present(rawField(signedTransaction, BODY_BYTES), 'a signed transaction has no body');
}

function present(bytes: Uint8Array | null, reason: string): Uint8Array {
  if (bytes === null) throw new LedgerlensError('malformed', reason);
  return bytes;
}
