import type { MessageObject } from '../../src/mirror/protobuf/messages.ts';
import { RESULT } from '../../src/mirror/vocabulary/response-codes.ts';
import { type LedgerEvent, signedTransactionOf } from './ledger-item.ts';
import { FUNGIBLE_TOKEN, type ScriptContext, TOPIC } from './script-context.ts';
import type { Scene } from './transfer-scenes.ts';

const UNKNOWN_TOPIC = 999_999_999n;

/** A transaction without anything but its body. */
function plain(
  data: (context: ScriptContext, payer: bigint) => MessageObject,
  more: Partial<LedgerEvent> = {},
): Scene {
  return (context, at) => {
    const event = context.base(at, {});
    return [{ ...event, data: data(context, event.payer), ...more }];
  };
}

export const message: Scene = (context, at) => [
  context.base(at, {
    consensusSubmitMessage: {
      topicID: context.topic(TOPIC),
      message: context.random.bytes(20 + context.random.below(100)),
    },
  }),
];

export const messageToNowhere = plain(
  ({ topic, random }) => ({
    consensusSubmitMessage: { topicID: topic(UNKNOWN_TOPIC), message: random.bytes(20) },
  }),
  { status: RESULT.INVALID_TOPIC_ID },
);

export const updateAccount = plain(({ account }, payer) => ({
  cryptoUpdateAccount: { accountIDToUpdate: account(payer), memo: { value: 'renamed' }, stakedNodeId: 1n },
}));

export const approveAllowance = plain((context, payer) => ({
  cryptoApproveAllowance: {
    cryptoAllowances: [
      {
        owner: context.account(payer),
        spender: context.account(context.other(payer)),
        amount: context.amount(1_000_000_000),
      },
    ],
  },
}));

export const associateToken = plain(({ account, token }, payer) => ({
  tokenAssociate: { account: account(payer), tokens: [token(FUNGIBLE_TOKEN)] },
}));

export const randomNumber = plain(() => ({ utilPrng: { range: 100 } }));

export const createTopic: Scene = (context, at) => [
  {
    ...context.base(at, { consensusCreateTopic: { memo: 'events' } }),
    receipt: { topicID: context.topic(context.create('topic')) },
  },
];

/** To the treasury that signs. */
export const createToken: Scene = (context, at) => {
  const event = context.base(at, {});
  const tokenID = context.token(context.create('token'));
  const treasury = context.account(event.payer);
  const initialSupply = context.amount(1_000_000);
  return [
    {
      ...event,
      data: { tokenCreation: { name: 'Points', symbol: 'P', treasury, initialSupply, decimals: 2 } },
      receipt: { tokenID, newTotalSupply: initialSupply },
      record: {
        tokenTransferLists: [{ token: tokenID, transfers: [{ accountID: treasury, amount: initialSupply }] }],
      },
    },
  ];
};

/** Two transfers that happen together, each with a record after that of the batch. */
export const batch: Scene = (context, at) => {
  const parent = context.base(at, {});
  const to = context.other(parent.payer);
  const inner = [1, 2].map((position) => ({
    ...context.child(parent, position, { cryptoTransfer: {} }),
    // Inner transactions were signed by themselves, so their ids differ from that of the batch.
    validStart: (parent.validStart - BigInt(position)) as LedgerEvent['validStart'],
    nonce: 0,
    transfers: [
      [parent.payer, -11n],
      [to, 11n],
    ] as const,
  }));
  const transactions = inner.map((event) => signedTransactionOf(event, context.account));
  return [{ ...parent, data: { atomicBatch: { transactions } } }, ...inner];
};
