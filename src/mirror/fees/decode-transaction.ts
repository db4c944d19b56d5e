import { LedgerlensError } from '../../values/ledgerlens-error.ts';
import { canonicalLength } from './canonical-length.ts';
import { shapes } from './descriptor-file.ts';
import { emptyBody, noTransactionBody, unparsableTransaction } from './fee-errors.ts';
import type { MessageShape } from './message-shape.ts';
import { type DecodedMessage, decodeStrictly } from './strict-decoder.ts';

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
}

interface WireTransaction {
  readonly sigMap?: WireSignatureMap;
  readonly bodyBytes?: Uint8Array;
  readonly signedTransactionBytes?: Uint8Array;
}

interface WireSignatureMap {
  readonly sigPair?: readonly unknown[];
}

interface WireSigned {
  readonly bodyBytes?: Uint8Array;
  readonly sigMap?: WireSignatureMap;
}

const NO_BYTES = new Uint8Array(0);

/**
 * Decodes a serialized `proto.Transaction` in either of its wrappings; the newer one wins when both are there.
 *
 * @throws UnpriceableTransactionError for no bytes, bytes that cannot be decoded, and a transaction without body.
 * @see contracts/fees-estimate.md sections 1.1, 3 and 8
 */
export function decodeTransaction(bytes: Uint8Array): DecodedTransaction {
  if (bytes.length === 0) throw emptyBody();
  const message = decode(shapes.Transaction, bytes);
  const { signedTransactionBytes = NO_BYTES, bodyBytes = NO_BYTES, sigMap } = message as WireTransaction;
  if (signedTransactionBytes.length > 0) {
    const signed = decode(shapes.SignedTransaction, signedTransactionBytes) as WireSigned;
    return withBody(message, signed.bodyBytes ?? NO_BYTES, signed.sigMap);
  }
  if (bodyBytes.length === 0) throw noTransactionBody();
  return withBody(message, bodyBytes, sigMap);
}

function withBody(
  transaction: DecodedMessage,
  bodyBytes: Uint8Array,
  signatures: WireSignatureMap | undefined,
): DecodedTransaction {
  const body = decode(shapes.TransactionBody, bodyBytes);
  const member = typeof body['data'] === 'string' ? body['data'] : null;
  return {
    member,
    body: member === null ? undefined : body[member],
    signatureCount: signatures?.sigPair?.length ?? 0,
    byteLength: canonicalLength(shapes.Transaction, transaction),
    highVolume: body['highVolume'] === true,
  };
}

function decode(shape: MessageShape, bytes: Uint8Array): DecodedMessage {
  try {
    return decodeStrictly(shape, bytes);
  } catch (error) {
    if (error instanceof LedgerlensError) throw unparsableTransaction(error);
    throw error;
  }
}
