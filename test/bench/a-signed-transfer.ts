import { messages } from '../../src/mirror/protobuf/messages.ts';

/** A transfer between two accounts with one signature, as an SDK would post it for an estimate. */
export function aSignedTransfer(): Buffer {
  const account = (accountNum: bigint) => ({ shardNum: 0n, realmNum: 0n, accountNum });
  const bodyBytes = messages.TransactionBody.encode({
    transactionID: {
      accountID: account(1001n),
      transactionValidStart: { seconds: 1_700_000_000n, nanos: 0 },
    },
    nodeAccountID: account(3n),
    transactionFee: 100_000_000n,
    transactionValidDuration: { seconds: 120n },
    cryptoTransfer: {
      transfers: {
        accountAmounts: [
          { accountID: account(1001n), amount: -100n },
          { accountID: account(1002n), amount: 100n },
        ],
      },
    },
  });
  const signedTransactionBytes = messages.SignedTransaction.encode({
    bodyBytes,
    sigMap: { sigPair: [{ pubKeyPrefix: new Uint8Array(32).fill(1), ed25519: new Uint8Array(64).fill(2) }] },
  });
  return Buffer.from(messages.Transaction.encode({ signedTransactionBytes }));
}
