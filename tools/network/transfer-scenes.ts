import type { MessageObject } from '../../src/mirror/protobuf/messages.ts';
import { RESULT } from '../../src/mirror/vocabulary/response-codes.ts';
import type { ConsensusTimestamp } from '../../src/values/consensus-timestamp.ts';
import type { LedgerEvent } from './ledger-item.ts';
import { FUNGIBLE_TOKEN, REWARD_ACCOUNT, type ScriptContext, SUCCESS } from './script-context.ts';

/** What one step of a ledger's life writes: a transaction, with its children when it has some. */
export type Scene = (context: ScriptContext, at: ConsensusTimestamp) => readonly LedgerEvent[];

const FEE_OF_TOKEN = 1_000n;

/** One in ten fails, one in ten pays a staking reward by the way. */
export const transfer: Scene = (context, at) => {
  const { account, random } = context;
  const event = context.base(at, {});
  const to = context.other(event.payer);
  const amount = context.amount(1_000_000_000);
  const sent = {
    ...event,
    data: { cryptoTransfer: { transfers: { accountAmounts: pair(context, event.payer, to, amount) } } },
    memo: context.once(3) ? `invoice ${random.below(100_000)}` : '',
  };
  const isFailed = context.once(10);
  const isRewarded = context.once(10);
  const reward = context.amount(10_000);
  if (isFailed) return [{ ...sent, status: RESULT.INSUFFICIENT_ACCOUNT_BALANCE }];
  const moved = [
    [event.payer, -amount],
    [to, amount],
  ] as const;
  if (!isRewarded) return [{ ...sent, transfers: moved }];
  return [
    {
      ...sent,
      transfers: [...moved, [to, reward], [REWARD_ACCOUNT, -reward]],
      record: { paidStakingRewards: [{ accountID: account(to), amount: reward }] },
    },
  ];
};

/** Some by allowance, some with a custom fee, some without the tokens. */
export const tokenTransfer: Scene = (context, at) => {
  const { account, token } = context;
  const event = context.base(at, {});
  const to = context.other(event.payer);
  const isApproval = context.once(4);
  const lists = (entries: readonly MessageObject[]) => [{ token: token(FUNGIBLE_TOKEN), transfers: entries }];
  const [from, into] = pair(context, event.payer, to, context.amount(10_000));
  const asked = lists([{ ...from, isApproval }, { ...into }]);
  const data = { cryptoTransfer: { tokenTransfers: asked } };
  if (context.once(25)) return [{ ...event, data, status: RESULT.INSUFFICIENT_TOKEN_BALANCE }];
  const fee = context.once(5)
    ? {
        assessedCustomFees: [
          {
            amount: FEE_OF_TOKEN,
            feeCollectorAccountId: account(context.user()),
            effectivePayerAccountId: [account(event.payer)],
          },
        ],
      }
    : {};
  return [{ ...event, data, record: { tokenTransferLists: lists([{ ...from }, { ...into }]), ...fee } }];
};

/** To accounts that have room for the token at once, to others as pending. */
export const airdrop: Scene = (context, at) => {
  const { account, token } = context;
  const event = context.base(at, {});
  const receiver = context.other(event.payer);
  const amount = context.amount(500);
  const lists = [{ token: token(FUNGIBLE_TOKEN), transfers: pair(context, event.payer, receiver, amount) }];
  const pendingAirdropId = {
    senderId: account(event.payer),
    receiverId: account(receiver),
    fungibleTokenType: token(FUNGIBLE_TOKEN),
  };
  return [
    {
      ...event,
      data: { tokenAirdrop: { tokenTransfers: lists } },
      record: context.once(2)
        ? { newPendingAirdrops: [{ pendingAirdropId, pendingAirdropValue: { amount } }] }
        : { tokenTransferLists: lists },
    },
  ];
};

export const createAccount: Scene = (context, at) => {
  const event = context.base(at, {});
  const created = context.create('account');
  const alias = context.random.bytes(20);
  const initialBalance = context.amount(1_000_000);
  const key = { ed25519: context.random.bytes(32) };
  return [
    {
      ...event,
      data: { cryptoCreateAccount: { initialBalance, alias, key } },
      transfers: [
        [event.payer, -initialBalance],
        [created, initialBalance],
      ],
      receipt: { accountID: context.account(created) },
      record: { evmAddress: alias },
    },
  ];
};

/** A transfer to an address that nobody has: the creation stands before it. */
export const hollowAccount: Scene = (context, at) => {
  const evmAddress = context.random.bytes(20);
  const created = context.create('account');
  const amount = context.amount(100_000);
  const parent = context.base((at + 1n) as ConsensusTimestamp, {});
  const alias = { ...context.account(0n), accountNum: undefined, alias: evmAddress };
  return [
    {
      ...context.child(parent, -1, { cryptoCreateAccount: { alias: evmAddress, key: { keyList: {} } } }),
      receipt: { accountID: context.account(created) },
      record: { evmAddress },
    },
    {
      ...parent,
      data: {
        cryptoTransfer: {
          transfers: {
            accountAmounts: [
              { accountID: context.account(parent.payer), amount: -amount },
              { accountID: alias, amount },
            ],
          },
        },
      },
      transfers: [
        [parent.payer, -amount],
        [created, amount],
      ],
    },
  ];
};

/** Signed by one account, executed with the signature of another as a record of its own. */
export const scheduledTransfer: Scene = (context, at) => {
  const { account } = context;
  const creation = context.base(at, {});
  const [payer, to] = [creation.payer, context.other(creation.payer)];
  const amount = context.amount(1_000_000);
  const body = { cryptoTransfer: { transfers: { accountAmounts: pair(context, payer, to, amount) } } };
  const scheduleID = context.schedule(context.create('schedule'));
  const scheduled = {
    accountID: account(payer),
    transactionValidStart: {
      seconds: creation.validStart / 1_000_000_000n,
      nanos: Number(creation.validStart % 1_000_000_000n),
    },
    scheduled: true,
  };
  const signing = context.base((at + 1n) as ConsensusTimestamp, { scheduleSign: { scheduleID } });
  return [
    {
      ...creation,
      data: { scheduleCreate: { scheduledTransactionBody: { transactionFee: 100_000_000n, ...body } } },
      receipt: { scheduleID, scheduledTransactionID: scheduled },
    },
    { ...signing, receipt: { scheduledTransactionID: scheduled } },
    {
      ...creation,
      consensus: (at + 2n) as ConsensusTimestamp,
      status: SUCCESS,
      scheduled: true,
      data: body,
      transfers: [
        [payer, -amount],
        [to, amount],
      ],
      record: { scheduleRef: scheduleID },
    },
  ];
};

export function pair(
  { account }: ScriptContext,
  from: bigint,
  to: bigint,
  amount: bigint,
): readonly MessageObject[] {
  return [
    { accountID: account(from), amount: -amount },
    { accountID: account(to), amount },
  ];
}
