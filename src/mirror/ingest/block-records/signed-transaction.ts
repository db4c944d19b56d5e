import { LedgerlensError } from '../../../values/ledgerlens-error.ts';
import { isData } from '../../items/body-data.ts';
import { FieldWalk } from '../../protobuf/wire.ts';
import type { WireWriter } from '../../protobuf/wire-writer.ts';
import { sha384 } from '../sha384.ts';
import { BODY, SIGNED } from './field-numbers.ts';

/** A signed transaction of a block as its bytes. */
export interface SignedTransaction {
  readonly bytes: Uint8Array;
  readonly body: Uint8Array;
  readonly signatures: Uint8Array | null;
  /** Whether the sender used the older envelope, over which the hash is then computed. */
  readonly usesOldHash: boolean;
  /** Number of the member of the oneof `data`; 0 without one. */
  readonly type: number;
  /** The bytes of that member. */
  readonly data: Uint8Array;
  readonly transactionId: Uint8Array | null;
  readonly memo: Uint8Array | null;
}

/** Members of `Transaction`. */
const TRANSACTION = { signatures: 3, body: 4, signedTransaction: 5 };
const EMPTY = new Uint8Array();

/** @throws LedgerlensError `malformed` without a body. */
export function readSignedTransaction(bytes: Uint8Array): SignedTransaction {
  let body: Uint8Array | null = null;
  let signatures: Uint8Array | null = null;
  let usesOldHash = false;
  for (const walk = new FieldWalk(bytes); walk.next(); ) {
    if (walk.number === SIGNED.body) body = walk.bytes;
    else if (walk.number === SIGNED.signatures) signatures = walk.bytes;
    else if (walk.number === SIGNED.usesOldHash) usesOldHash = walk.int !== 0;
  }
  if (body === null) throw malformed('a signed transaction has no body');
  let [type, data]: [number, Uint8Array] = [0, EMPTY];
  let transactionId: Uint8Array | null = null;
  let memo: Uint8Array | null = null;
  for (const walk = new FieldWalk(body); walk.next(); ) {
    if (walk.number === BODY.transactionId) transactionId = walk.bytes;
    else if (walk.number === BODY.memo) memo = walk.bytes;
    else if (isData(walk, type)) [type, data] = [walk.number, walk.bytes];
  }
  return { bytes, body, signatures, usesOldHash, type, data, transactionId, memo };
}

/** The `Transaction` that a record file would have of it, and the hash by which clients know it. */
export function envelopeOf(
  { body, bytes, signatures, usesOldHash }: SignedTransaction,
  writer: WireWriter,
): { readonly transaction: Uint8Array; readonly hash: Uint8Array } {
  if (!usesOldHash) {
    const transaction = writer.delimited(TRANSACTION.signedTransaction, bytes).finish();
    return { transaction, hash: sha384(bytes) };
  }
  const transaction = writer
    .delimited(TRANSACTION.signatures, signatures)
    .delimited(TRANSACTION.body, body)
    .finish();
  return { transaction, hash: sha384(transaction) };
}

/** A block whose items do not make transactions. */
export function malformed(reason: string): LedgerlensError {
  return new LedgerlensError('malformed', reason);
}
