import { type MessageObject, messageType } from '../../../../src/mirror/protobuf/messages.ts';
import type { RandomSource } from '../../../../tools/network/seeded-random.ts';
import { type Drawers, membersOf, randomMessage, typeOfMember } from './random-message.ts';
import type { SlowState } from './slow-estimate.ts';

/** A transaction as the object that it was made from and as the bytes that a client would send. */
export interface RandomTransaction {
  readonly member: string;
  readonly body: MessageObject;
  readonly signatures: number;
  readonly payload: Buffer;
  /** Bytes that count: without the unknown fields of the outer message. */
  readonly bytes: number;
}

const BODY = 'proto.TransactionBody';
const Transaction = messageType('proto.Transaction');
const SignedTransaction = messageType('proto.SignedTransaction');
const TransactionBody = messageType(BODY);

/** Every member of the `data` choice that the descriptor knows, with and without a price. */
export const TRANSACTION_MEMBERS = membersOf(BODY, 'data');

/** Tokens and topics with these numbers are known, others are not. */
export const RANDOM_STATE: SlowState = {
  tokens: {
    '0.0.1': { nft: false, customFees: false },
    '0.0.2': { nft: false, customFees: true },
    '0.0.3': { nft: true, customFees: false },
    '0.0.4': { nft: true, customFees: true },
  },
  topics: { '0.0.1': { customFees: false }, '0.0.2': { customFees: true } },
};

/** Mostly known ids, so that most estimates in STATE mode find what they need. */
function numberOf(random: RandomSource, known: number): bigint {
  return BigInt(1 + random.below(random.below(8) === 0 ? known + 1 : known));
}

const account = (random: RandomSource): MessageObject =>
  random.below(4) === 0
    ? { alias: random.bytes(random.below(2) === 0 ? 20 : 2).fill(random.below(3)) }
    : { ...(random.below(8) === 0 ? { shardNum: 1n } : {}), accountNum: BigInt(1 + random.below(8)) };

const hook = (random: RandomSource): MessageObject => ({
  hookId: 1n,
  evmHookCall: random.below(5) === 0 ? {} : { gasLimit: BigInt(random.below(20_000_000)) },
});

/** The specification does not say what a transfer without account or token counts: real ones always have them. */
const DRAWERS: Drawers = {
  AccountID: account,
  TokenID: (random) => ({ tokenNum: numberOf(random, 4) }),
  TopicID: (random) => ({ topicNum: numberOf(random, 2) }),
  AccountAmount: (random) => ({
    accountID: account(random),
    amount: BigInt(random.below(1000)) - 500n,
    ...(random.below(12) === 0
      ? { [random.below(2) === 0 ? 'preTxAllowanceHook' : 'prePostTxAllowanceHook']: hook(random) }
      : {}),
  }),
  NftTransfer: (random) => ({
    senderAccountID: account(random),
    receiverAccountID: account(random),
    serialNumber: BigInt(random.below(99)),
    ...(random.below(12) === 0
      ? {
          [random.below(2) === 0 ? 'preTxSenderAllowanceHook' : 'prePostTxSenderAllowanceHook']: hook(random),
          [random.below(2) === 0 ? 'preTxReceiverAllowanceHook' : 'prePostTxReceiverAllowanceHook']:
            hook(random),
        }
      : {}),
  }),
  TokenTransferList: (random) => {
    const amounts = randomMessage('proto.TransferList', random, DRAWERS)['accountAmounts'] ?? [];
    const isNft = random.below(2) === 0;
    const nfts = Array.from({ length: random.below(4) }, () =>
      randomMessage('proto.NftTransfer', random, DRAWERS),
    );
    return {
      token: { tokenNum: numberOf(random, 4) },
      ...(isNft && random.below(6) > 0 ? {} : { transfers: amounts }),
      ...(isNft || random.below(6) === 0 ? { nftTransfers: nfts } : {}),
    };
  },
};

/** Lists that have a limit get more entries now and then. */
function longLists(member: string, random: RandomSource): MessageObject {
  const many = (type: string) =>
    Array.from({ length: 8 + random.below(5) }, () => randomMessage(type, random, DRAWERS));
  if (member === 'cryptoTransfer' && random.below(2) === 0) {
    return { transfers: { accountAmounts: many('proto.AccountAmount') } };
  }
  if (member === 'cryptoTransfer' || member === 'tokenAirdrop') {
    return { tokenTransfers: many('proto.TokenTransferList') };
  }
  return { pendingAirdrops: many('proto.PendingAirdropId') };
}

const LIMITED: ReadonlySet<string> = new Set([
  'cryptoTransfer',
  'tokenAirdrop',
  'tokenClaimAirdrop',
  'tokenCancelAirdrop',
]);

/** Draws a transaction of the given type in either wrapping, now and then with unknown fields and many signatures. */
export function randomTransaction(member: string, random: RandomSource): RandomTransaction {
  const own = randomMessage(typeOfMember(BODY, member), random, DRAWERS);
  const isLong = LIMITED.has(member) && random.below(6) === 0;
  const body: MessageObject = {
    transactionID: randomMessage('proto.TransactionID', random, DRAWERS),
    nodeAccountID: { accountNum: 3n },
    memo: 'm'.repeat(random.below(20)),
    [member]: isLong ? { ...own, ...longLists(member, random) } : own,
    ...(random.below(3) === 0 ? { highVolume: true } : {}),
  };
  const signatures = random.below(10) === 0 ? random.below(110) : random.below(4);
  const sigMap = {
    sigPair: Array.from({ length: signatures }, () =>
      random.below(6) === 0 ? {} : randomMessage('proto.SignaturePair', random),
    ),
  };
  const bodyBytes = Buffer.concat([TransactionBody.encode(body), unknownFields(random)]);
  const outer = Transaction.encode(
    random.below(5) === 0
      ? { bodyBytes, sigMap }
      : {
          signedTransactionBytes: Buffer.concat([
            SignedTransaction.encode({ bodyBytes, sigMap }),
            unknownFields(random),
          ]),
        },
  );
  return {
    member,
    body,
    signatures,
    payload: Buffer.concat([outer, unknownFields(random)]),
    bytes: outer.length,
  };
}

/** Field 900 as a number, field 901 as bytes, or nothing. */
function unknownFields(random: RandomSource): Uint8Array {
  const chance = random.below(12);
  if (chance === 0) return Uint8Array.of(0xa0, 0x38, 0x96, 0x01);
  if (chance === 1) return Uint8Array.of(0xaa, 0x38, 0x03, 1, 2, 3);
  return new Uint8Array(0);
}
