import { LedgerlensError } from '../../values/ledgerlens-error.ts';
import { FieldWalk, rawField } from './wire.ts';

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

/** A signature of a submitted transaction. */
export interface SignaturePair {
  /** The first bytes of the public key, or all of them; may be empty. */
  readonly prefix: Uint8Array;
  /** Field number of the kind, also of kinds that this version does not know. */
  readonly type: number;
  readonly signature: Uint8Array;
}

/** `Transaction.sigMap`, `SignedTransaction.sigMap`, `SignatureMap.sigPair` and the prefix in a pair. */
const FIELD = { sigMap: 3, signedSigMap: 2, sigPair: 1, prefix: 1 };
/** The kinds that a pair knows: contract, Ed25519, RSA, ECDSA 384 and ECDSA secp256k1. */
const [FIRST_KIND, LAST_KIND] = [2, 6];
const LENGTH_DELIMITED = 2;
const EMPTY = new Uint8Array();

/**
 * The signatures of a serialized `Transaction`, in their order.
 *
 * Of a kind that this version does not know, the field that has one length-delimited value is the signature; a pair
 * without one is left out.
 *
 * @throws LedgerlensError `malformed`
 * @see contracts/mirror-entities.md section 11.7
 */
export function signaturePairs(transaction: Uint8Array): readonly SignaturePair[] {
  const signed = signedTransactionOf(transaction);
  const map = signed === null ? rawField(transaction, FIELD.sigMap) : rawField(signed, FIELD.signedSigMap);
  const pairs: SignaturePair[] = [];
  if (map === null) return pairs;
  for (const walk = new FieldWalk(map); walk.next(); ) {
    const pair = walk.number === FIELD.sigPair && walk.wireType === LENGTH_DELIMITED ? walk.bytes : null;
    const read = pair === null ? null : signaturePair(pair);
    if (read !== null) pairs.push(read);
  }
  return pairs;
}

function signaturePair(bytes: Uint8Array): SignaturePair | null {
  let prefix: Uint8Array = EMPTY;
  let known: { readonly type: number; readonly signature: Uint8Array } | null = null;
  const others = new Map<number, Uint8Array[]>();
  for (const walk = new FieldWalk(bytes); walk.next(); ) {
    if (walk.wireType !== LENGTH_DELIMITED) continue;
    const { bytes: value, number } = walk;
    if (number === FIELD.prefix) prefix = value;
    // Of a oneof the last one counts.
    else if (number >= FIRST_KIND && number <= LAST_KIND) known = { type: number, signature: value };
    else others.set(number, [...(others.get(number) ?? []), value]);
  }
  if (known !== null) return { prefix, ...known };
  for (const [type, [signature, ...more]] of [...others].sort(([one], [other]) => one - other)) {
    if (signature !== undefined && more.length === 0) return { prefix, type, signature };
  }
  return null;
}
