import { parseHex } from '../../../values/hex.ts';
import { LedgerlensError } from '../../../values/ledgerlens-error.ts';
import type { SignedTransaction, Transaction } from '../../protobuf/message-types.ts';
import { UnpriceableTransactionError } from '../fee-errors.ts';
import { canonicalLength } from './canonical-length.ts';
import { type MessageShape, pricedShapes, shapes, WIRE } from './message-shape.ts';
import { type DecodedMessage, decodeStrictly, readLength, readTag } from './strict-decoder.ts';
import type { Fields, TransactionIdFields } from './transaction-fields.ts';

/** What an estimate needs of a transaction. */
export interface DecodedTransaction {
  /** Name of the set member of `TransactionBody.data`; null when none is set or its number is unknown. */
  readonly member: string | null;
  /** That member, decoded. */
  readonly body: unknown;
  /** Entries of the signature map, whatever they hold. */
  readonly signatureCount: number;
  /** Bytes of the canonical encoding of the outer message. */
  readonly byteLength: number;
  readonly highVolume: boolean;
  /** Absent members have the protobuf default; undefined when there is no id, or it was not asked for. */
  readonly id: TransactionIdFields | undefined;
  /** As the id: only where it was asked for. */
  readonly memo: string | undefined;
  /** Tinybars; likewise. */
  readonly offeredFee: bigint | undefined;
}

const NO_BYTES = new Uint8Array(0);

/**
 * Decodes a serialized `proto.Transaction` in either of its wrappings; the newer one wins when both are there.
 *
 * @param inner shapes of what it wraps; the default ones leave the id out.
 * @throws UnpriceableTransactionError for no bytes, bytes that cannot be decoded, and a transaction without body.
 * @see contracts/fees-estimate.md sections 1.1, 3 and 8
 */
export function decodeTransaction(
  bytes: Uint8Array,
  inner: typeof pricedShapes = pricedShapes,
): DecodedTransaction {
  if (bytes.length === 0) throw new UnpriceableTransactionError('empty_body', 'Failed to read request');
  const message = decode(shapes.Transaction, bytes);
  const { signedTransactionBytes = NO_BYTES, bodyBytes = NO_BYTES, sigMap } = message as Fields<Transaction>;
  if (signedTransactionBytes.length > 0) {
    const signed = decode(inner.SignedTransaction, signedTransactionBytes) as Fields<SignedTransaction>;
    return withBody(message, signed.bodyBytes ?? NO_BYTES, signed.sigMap, inner);
  }
  if (bodyBytes.length === 0) {
    throw new UnpriceableTransactionError(
      'no_transaction_body',
      'Transaction must contain body bytes or signed transaction bytes',
    );
  }
  return withBody(message, bodyBytes, sigMap, inner);
}

function withBody(
  transaction: DecodedMessage,
  bodyBytes: Uint8Array,
  signatures: Fields<Transaction>['sigMap'],
  inner: typeof pricedShapes,
): DecodedTransaction {
  const body = decode(inner.TransactionBody, bodyBytes);
  const member = typeof body['data'] === 'string' ? body['data'] : null;
  return {
    member,
    body: member === null ? undefined : body[member],
    signatureCount: signatures?.sigPair?.length ?? 0,
    byteLength: canonicalLength(shapes.Transaction, transaction),
    highVolume: body['highVolume'] === true,
    id: body['transactionID'] as TransactionIdFields | undefined,
    memo: body['memo'] as string | undefined,
    offeredFee: body['transactionFee'] as bigint | undefined,
  };
}

/**
 * Decodes what clients store, one by one: a `Transaction`, or a `TransactionList` of them, with their ids.
 *
 * @throws UnpriceableTransactionError as {@link decodeTransaction}, for a list about its first member that is none, and
 *   `too_many_entries`.
 * @see contracts/fees-estimate.md section 12, TransactionList input
 */
export function* decodeTransactions(bytes: Uint8Array): Generator<DecodedTransaction> {
  // The only member of a list has the number of a member that transactions had long ago.
  const members = bytes[0] === FIRST_FIELD_TAG ? splitList(bytes) : null;
  demandFew(members?.length ?? 1);
  for (const member of members ?? [bytes]) yield decodeTransaction(member, shapes);
}

/** SDKs make one for each node and each chunk of a message. */
const MAX_TRANSACTIONS = 1_000;

/** @throws UnpriceableTransactionError `too_many_entries` when a request has more transactions than one may have. */
export function demandFew(transactions: number): void {
  if (transactions <= MAX_TRANSACTIONS) return;
  throw new UnpriceableTransactionError(
    'too_many_entries',
    `More than ${MAX_TRANSACTIONS} transactions in one request: send them in several`,
  );
}

const FIRST_FIELD_TAG = 0x0a;

/** Null when other fields than the list's own are there, or the bytes are cut off. */
function splitList(bytes: Uint8Array): readonly Uint8Array[] | null {
  const cursor = { bytes, at: 0, end: bytes.length };
  const members: Uint8Array[] = [];
  try {
    while (cursor.at < cursor.end) {
      if (readTag(cursor) !== FIRST_FIELD_TAG) return null;
      const length = readLength(cursor);
      members.push(bytes.subarray(cursor.at, cursor.at + length));
      cursor.at += length;
    }
  } catch (error) {
    if (error instanceof LedgerlensError) return null;
    throw error;
  }
  return members;
}

/**
 * Decodes a member of a batch: a serialized `SignedTransaction`.
 *
 * @throws UnpriceableTransactionError
 */
export function decodeSignedTransaction(bytes: Uint8Array): DecodedTransaction {
  return decodeTransaction(Buffer.concat([Buffer.from([SIGNED_BYTES_TAG]), varint(bytes.length), bytes]));
}

const SIGNED_BYTES_TAG = (5 << 3) | WIRE.delimited;

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Uint8Array.from([...bytes, rest]);
}

function decode(shape: MessageShape, bytes: Uint8Array): DecodedMessage {
  try {
    return decodeStrictly(shape, bytes);
  } catch (error) {
    if (error instanceof LedgerlensError) {
      throw new UnpriceableTransactionError('unparsable_transaction', 'Unable to parse transaction', error);
    }
    throw error;
  }
}

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/**
 * Reads a serialized transaction from text: hexadecimal with or without `0x`, or base64 in either alphabet.
 *
 * Text of nothing but an even number of hexadecimal digits is hexadecimal: no serialized transaction of more than a few
 * bytes looks so in base64. Blanks and line ends are ignored.
 *
 * @returns null when it is neither.
 */
export function parseTransactionText(text: string): Uint8Array | null {
  const dense = text.replace(/\s+/g, '');
  const bytes = parseHex(dense);
  if (bytes !== null) return bytes;
  return BASE64.test(dense) ? new Uint8Array(Buffer.from(dense, 'base64')) : null;
}
