import { type MessageObject, messageType } from '../../../../src/mirror/protobuf/messages.ts';

const Transaction = messageType('proto.Transaction');
const SignedTransaction = messageType('proto.SignedTransaction');
const TransactionBody = messageType('proto.TransactionBody');

const HEADER: MessageObject = {
  transactionID: {
    accountID: { accountNum: 1001n },
    transactionValidStart: { seconds: 1_700_000_000n, nanos: 0 },
  },
  nodeAccountID: { accountNum: 3n },
  transactionFee: 100_000_000n,
  transactionValidDuration: { seconds: 120n },
};

/** A `TransactionBody` with the usual header and the given type's own part, for example `{ cryptoDelete: {} }`. */
export function bodyBytes(data: MessageObject): Uint8Array {
  return TransactionBody.encode({ ...HEADER, ...data });
}

/** A serialized `Transaction` with `signatures` ed25519 pairs (default 1). */
export function transactionBytes(data: MessageObject, signatures = 1): Buffer {
  const signed = SignedTransaction.encode({ bodyBytes: bodyBytes(data), sigMap: signatureMap(signatures) });
  return Buffer.from(Transaction.encode({ signedTransactionBytes: signed }));
}

/** The same in the deprecated wrapping. */
export function legacyTransactionBytes(data: MessageObject, signatures = 1): Buffer {
  return Buffer.from(Transaction.encode({ bodyBytes: bodyBytes(data), sigMap: signatureMap(signatures) }));
}

/** A key of 32 equal bytes. */
export function ed25519Key(fill: number): MessageObject {
  return { ed25519: new Uint8Array(32).fill(fill) };
}

export function account(num: bigint): MessageObject {
  return { accountNum: num };
}

function signatureMap(count: number): MessageObject {
  return {
    sigPair: Array.from({ length: count }, (_, index) => ({
      pubKeyPrefix: new Uint8Array(32).fill(index),
      ed25519: new Uint8Array(64).fill(2),
    })),
  };
}
