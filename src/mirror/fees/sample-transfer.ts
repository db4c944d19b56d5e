import { messages } from '../protobuf/messages.ts';

/**
 * A transfer between two accounts as an SDK posts it for an estimate: the demo and the benchmarks send it.
 *
 * @param signatures pairs with a 32-byte prefix; SDKs send none.
 */
export function aTransfer(signatures: number): Buffer {
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
  const sigPair = Array.from({ length: signatures }, () => ({
    pubKeyPrefix: new Uint8Array(32).fill(1),
    ed25519: new Uint8Array(64).fill(2),
  }));
  const signedTransactionBytes = messages.SignedTransaction.encode({ bodyBytes, sigMap: { sigPair } });
  return Buffer.from(messages.Transaction.encode({ signedTransactionBytes }));
}
