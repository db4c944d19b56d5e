import { describe, expect, test } from 'vitest';
import { type KnownEntities, stateOf } from '../../../../test/kit/mirror/fees/fee-app.ts';
import { smallSchedule } from '../../../../test/kit/mirror/fees/schedules.ts';
import {
  account,
  ed25519Key,
  legacyTransactionBytes,
  transactionBytes,
} from '../../../../test/kit/mirror/fees/transactions.ts';
import { type MessageObject, messageType } from '../../protobuf/messages.ts';
import { decodeTransaction } from '../decode/decode-transaction.ts';
import { parseFeeScheduleJson, readBundledSchedule } from '../schedule/fee-schedule.ts';
import { MAX_TINYCENTS } from '../tinycents.ts';
import { estimateFee, type FeeEstimateRequest } from './estimate-fee.ts';
import type { TokenFacts } from './fee-state.ts';
import { pricedMembers, priceOf } from './transaction-prices.ts';

const bundled = readBundledSchedule();

async function estimate(
  data: MessageObject,
  request: Partial<FeeEstimateRequest> & {
    readonly known?: KnownEntities;
    readonly signatures?: number;
  } = {},
) {
  const { known, signatures = 1, ...rest } = request;
  return estimateFee({
    transaction: decodeTransaction(transactionBytes(data, signatures)),
    mode: 'INTRINSIC',
    highVolumeThrottle: 0,
    schedule: bundled,
    state: stateOf(known),
    reportFault: () => {},
    ...rest,
  });
}

/** The service extras in short: name, count, charged. */
async function serviceExtras(...parameters: Parameters<typeof estimate>) {
  const { service } = await estimate(...parameters);
  return service.extras.map(({ name, count, charged }) => [name, Number(count), Number(charged)]);
}

const hbar = (...accounts: readonly MessageObject[]): MessageObject => ({
  accountAmounts: accounts.map((accountID) => ({ accountID, amount: 1n })),
});
const FUNGIBLE = 5005n;
const CUSTOM = 5006n;
const NFT = 6006n;
const tokens: Record<string, TokenFacts> = {
  '0.0.5005': { kind: 'FUNGIBLE_COMMON', customFeeCount: 0 },
  '0.0.5006': { kind: 'FUNGIBLE_COMMON', customFeeCount: 2 },
  '0.0.6006': { kind: 'NON_FUNGIBLE_UNIQUE', customFeeCount: 0 },
};
const amounts = (token: bigint, count = 2): MessageObject => ({
  token: { tokenNum: token },
  transfers: Array.from({ length: count }, (_, index) => ({
    accountID: account(2000n + BigInt(index)),
    amount: 1n,
  })),
});
const moves = (token: bigint, count: number): MessageObject => ({
  token: { tokenNum: token },
  nftTransfers: Array.from({ length: count }, (_, index) => ({
    senderAccountID: account(2000n),
    receiverAccountID: account(2001n),
    serialNumber: BigInt(index + 1),
  })),
});

describe('estimateFee, every type', () => {
  test('every type that the schedule prices is in the table, and nothing else', async () => {
    const isQuery = (functionality: string) => /Get|CallLocal/.test(functionality);
    const inSchedule = [...bundled.definitions.keys()].filter((each) => !isQuery(each));
    const inTable = pricedMembers.map((member) => priceOf(member)?.functionality);
    expect(inTable.toSorted()).toEqual(inSchedule.toSorted());
  });

  test.each(pricedMembers)('%s without any content has a price', async (member) => {
    expect((await estimate({ [member]: {} })).total).toBeGreaterThanOrEqual(0n);
  });

  test.each<[string, MessageObject, bigint]>([
    ['cryptoDelete', {}, 50_000_000n],
    ['contractCall', {}, 0n],
    ['systemDelete', {}, 0n],
    ['tokenDissociate', {}, 500_000_000n],
    ['ethereumTransaction', {}, 1_000_000n],
    ['consensusUpdateTopic', { feeExemptKeyList: { keys: [ed25519Key(1), ed25519Key(2)] } }, 102_200_000n],
    ['tokenMint', { amount: 1n }, 10_000_000n],
    ['tokenMint', { metadata: [new Uint8Array(1)] }, 200_000_000n],
    ['tokenCreation', { feeScheduleKey: ed25519Key(1) }, 20_000_000_000n],
    ['scheduleCreate', { scheduledTransactionBody: { contractCall: {} } }, 1_000_000_000n],
    ['fileAppend', { contents: new Uint8Array(1001) }, 501_000_000n],
  ])('%s, case %#', async (member, body, total) => {
    expect((await estimate({ [member]: body })).total).toBe(total);
  });

  test.each(['freeze', 'uncheckedSubmit', 'nodeStakeUpdate', 'cryptoAddLiveHash', 'hookDispatch'])(
    '%s has no price',
    async (member) => {
      await expect(estimate({ [member]: {} })).rejects.toThrow('Unknown transaction type');
    },
  );

  test('a type that the schedule does not list has no price either', async () => {
    const schedule = parseFeeScheduleJson(smallSchedule());
    await expect(estimate({ fileDelete: {} }, { schedule })).rejects.toThrow('Unknown transaction type');
    expect((await estimate({ cryptoDelete: {} }, { schedule })).total).toBe(10n * 100n + 7n);
  });

  test('the older wrapping is priced alike', async () => {
    const transaction = decodeTransaction(legacyTransactionBytes({ cryptoDelete: {} }, 3));
    expect((await estimate({}, { transaction })).total).toBe(52_000_000n);
  });

  test('unlisted extras are free', async () => {
    const schedule = parseFeeScheduleJson({
      ...smallSchedule(),
      services: [{ name: 'S', schedule: [{ name: 'CryptoCreate' }] }],
    });
    expect(
      (
        await estimate(
          { cryptoCreateAccount: { key: { keyList: { keys: [ed25519Key(1), ed25519Key(2)] } } } },
          { schedule },
        )
      ).service.extras,
    ).toEqual([]);
  });
});

describe('estimateFee, transfers', () => {
  test('an alias and a number are different accounts, the same number twice is one', async () => {
    const alias = { alias: new Uint8Array([1, 2]) };
    const transfers = hbar(account(1n), account(1n), account(2n), alias, alias, {
      ...account(1n),
      realmNum: 1n,
    });
    expect(await serviceExtras({ cryptoTransfer: { transfers } })).toEqual([['ACCOUNTS', 4, 2]]);
  });

  test('without state every token list counts its entries', async () => {
    const tokenTransfers = [amounts(FUNGIBLE), moves(NFT, 3), moves(NFT, 1)];
    expect(await serviceExtras({ cryptoTransfer: { tokenTransfers } })).toEqual([
      ['TOKEN_TYPES', 2, 1],
      ['TOKEN_TYPES', 3, 2],
    ]);
  });

  test.each<[string, readonly MessageObject[], unknown]>([
    ['one fungible token', [amounts(FUNGIBLE)], [['TOKEN_TRANSFER_BASE', 1, 1]]],
    ['custom fees', [amounts(CUSTOM)], [['TOKEN_TRANSFER_BASE_CUSTOM_FEES', 1, 1]]],
    [
      'both',
      [amounts(FUNGIBLE), amounts(CUSTOM)],
      [
        ['TOKEN_TRANSFER_BASE_CUSTOM_FEES', 1, 1],
        ['TOKEN_TYPES', 2, 1],
      ],
    ],
    [
      'three serials',
      [moves(NFT, 3)],
      [
        ['TOKEN_TRANSFER_BASE', 1, 1],
        ['TOKEN_TYPES', 3, 2],
      ],
    ],
    ['lists without entries', [amounts(FUNGIBLE, 0), moves(NFT, 0)], []],
    ['entries of the other kind', [moves(FUNGIBLE, 2)], []],
  ])('with state: %s', async (_name, tokenTransfers, expected) => {
    const request = { mode: 'STATE', known: { tokens } } as const;
    expect(await serviceExtras({ cryptoTransfer: { tokenTransfers } }, request)).toEqual(expected);
    expect(await serviceExtras({ tokenAirdrop: { tokenTransfers } }, request)).toEqual(expected);
  });

  test('hooks are counted in both modes, their gas limited', async () => {
    const hook = (gasLimit: bigint): MessageObject => ({ evmHookCall: { gasLimit } });
    const cryptoTransfer = {
      transfers: { accountAmounts: [{ accountID: account(1n), preTxAllowanceHook: hook(20_000_000n) }] },
      tokenTransfers: [
        {
          token: { tokenNum: NFT },
          nftTransfers: [
            {
              senderAccountID: account(1n),
              receiverAccountID: account(2n),
              prePostTxSenderAllowanceHook: hook(10n),
              preTxReceiverAllowanceHook: {},
            },
          ],
        },
      ],
    };
    const expected = [
      ['HOOK_EXECUTION', 4, 4],
      ['GAS', 15_000_020, 15_000_020],
    ];
    expect(await serviceExtras({ cryptoTransfer })).toEqual(expected);
    expect(await serviceExtras({ cryptoTransfer }, { mode: 'STATE', known: { tokens } })).toEqual([
      ...expected,
      ['TOKEN_TRANSFER_BASE', 1, 1],
    ]);
  });
});

describe('estimateFee in STATE mode', () => {
  const transfer = {
    cryptoTransfer: { tokenTransfers: [amounts(FUNGIBLE), amounts(9999n), amounts(9998n)] },
  };

  test('makes the whole estimate without state when one entity is missing, and names each', async () => {
    const { notes, ...answer } = await estimate(transfer, { mode: 'STATE', known: { tokens } });
    const { notes: none, ...intrinsic } = await estimate(transfer);
    expect(answer).toEqual(intrinsic);
    expect(none).toEqual([]);
    expect(notes).toEqual([
      'State of token 0.0.9999 is not available: estimated in INTRINSIC mode',
      'State of token 0.0.9998 is not available: estimated in INTRINSIC mode',
    ]);
  });

  test('treats a store that is down like missing state, and reports it', async () => {
    const faults: unknown[] = [];
    const down = async () => {
      throw new Error('down');
    };
    const { notes } = await estimate(transfer, {
      mode: 'STATE',
      state: { ...stateOf(), token: down, topic: down },
      reportFault: (_error, entity) => faults.push(entity),
    });
    expect(notes).toHaveLength(3);
    expect(faults).toEqual(['token 0.0.5005', 'token 0.0.9999', 'token 0.0.9998']);
  });

  test('asks for every token once, and for nothing in INTRINSIC mode', async () => {
    const asked: bigint[] = [];
    const state = {
      ...stateOf({ tokens }),
      token: async (id: bigint) => {
        asked.push(id);
        return tokens['0.0.5005'] ?? null;
      },
    };
    const twice = { cryptoTransfer: { tokenTransfers: [amounts(FUNGIBLE), amounts(FUNGIBLE)] } };
    await estimate(twice, { state });
    expect(asked).toEqual([]);
    await estimate(twice, { mode: 'STATE', state });
    expect(asked).toEqual([FUNGIBLE]);
  });

  test('an id that no ledger can have is missing', async () => {
    const submit = {
      consensusSubmitMessage: { topicID: { topicNum: 2n ** 40n }, message: new Uint8Array(1) },
    };
    const { notes } = await estimate(submit, { mode: 'STATE' });
    expect(notes).toEqual(['State of topic 0.0.1099511627776 is not available: estimated in INTRINSIC mode']);
  });

  test('types that need no state never fall back', async () => {
    expect(
      (await estimate({ cryptoTransfer: { transfers: hbar(account(1n)) } }, { mode: 'STATE' })).notes,
    ).toEqual([]);
  });

  test('the high-volume flag multiplies listed types only', async () => {
    const multiplier = async (
      data: MessageObject,
      request: Partial<FeeEstimateRequest> = { mode: 'STATE' },
    ) => (await estimate({ ...data, highVolume: true }, request)).highVolumeMultiplier;
    expect(await multiplier({ cryptoCreateAccount: {} })).toBe(4n);
    expect(await multiplier({ tokenAirdrop: {} })).toBe(4n);
    expect(await multiplier({ cryptoUpdateAccount: {} })).toBe(1n);
    expect(await multiplier({ cryptoCreateAccount: {} }, { mode: 'INTRINSIC' })).toBe(1n);
    expect(await multiplier({ tokenAirdrop: { tokenTransfers: [amounts(1n)] } })).toBe(1n);
  });

  test('totals are scaled as a whole, not as the sum of rounded parts', async () => {
    const text = smallSchedule();
    const schedule = parseFeeScheduleJson({
      ...text,
      node: { ...text.node, baseFee: 101 },
      extras: [
        { name: 'SIGNATURES', fee: 3 },
        { name: 'KEYS', fee: 70 },
      ],
    });
    const { node, network, total } = await estimate(
      { cryptoCreateAccount: {}, highVolume: true },
      { mode: 'STATE', schedule, highVolumeThrottle: 11, signatures: 2 },
    );
    // 4400 thousandths: base 444.4, unit 13.2, node total (101 + 3) × 4.4 = 457.6, service 500 × 4.4.
    expect([node.base, node.extras[0]?.subtotal, network.subtotal, total]).toEqual([
      444n,
      13n,
      4113n,
      457n + 4113n + 2200n,
    ]);
  });
});

describe('estimateFee, limits', () => {
  test.each<[string, MessageObject]>([
    ['11 hbar transfers', { cryptoTransfer: { transfers: hbar(...Array(11).fill(account(1n))) } }],
    ['11 token transfer lists', { cryptoTransfer: { tokenTransfers: Array(11).fill(amounts(1n)) } }],
    ['11 airdrop token transfer lists', { tokenAirdrop: { tokenTransfers: Array(11).fill(amounts(1n)) } }],
    ['12 nft transfers', { cryptoTransfer: { tokenTransfers: [moves(1n, 6), moves(2n, 6)] } }],
    ['11 nft transfers', { tokenAirdrop: { tokenTransfers: [moves(1n, 11)] } }],
    ['11 pending airdrops to claim', { tokenClaimAirdrop: { pendingAirdrops: Array(11).fill({}) } }],
    ['11 pending airdrops to cancel', { tokenCancelAirdrop: { pendingAirdrops: Array(11).fill({}) } }],
  ])('%s are too many', async (count, data) => {
    await expect(estimate(data)).rejects.toThrow(
      `Transaction contains ${count}, which exceeds the maximum of 10`,
    );
  });

  test('100 signature pairs are the most', async () => {
    const sign = (count: number) => {
      const sigMap = { sigPair: Array(count).fill({}) };
      const { encode } = messageType('proto.Transaction');
      const body = messageType('proto.TransactionBody').encode({ cryptoDelete: {} });
      return decodeTransaction(encode({ bodyBytes: body, sigMap }));
    };
    expect((await estimate({}, { transaction: sign(100) })).node.extras[0]?.count).toBe(100);
    await expect(estimate({}, { transaction: sign(101) })).rejects.toThrow(
      'Transaction contains 101 signature pairs, which exceeds the maximum of 100',
    );
  });

  test('the size limit comes first, and is larger for Ethereum transactions', async () => {
    const contents = new Uint8Array(6200);
    await expect(estimate({ fileCreate: { contents } })).rejects.toThrow(
      /^Transaction size \d+ exceeds maximum 6144 bytes$/,
    );
    await expect(estimate({ freeze: { fileHash: contents } })).rejects.toThrow('exceeds maximum 6144');
    const ethereumData = new Uint8Array(130_000);
    expect((await estimate({ ethereumTransaction: { ethereumData } })).total).toBeGreaterThan(1_000_000n);
    await expect(
      estimate({ ethereumTransaction: { ethereumData: new Uint8Array(133_120) } }),
    ).rejects.toThrow('exceeds maximum 133120 bytes');
  });

  test('amounts stop at the largest int64', async () => {
    const text = smallSchedule();
    const schedule = parseFeeScheduleJson({ ...text, node: { baseFee: String(MAX_TINYCENTS) } });
    const { total, network } = await estimate({ cryptoDelete: {} }, { schedule });
    expect([total, network.subtotal]).toEqual([MAX_TINYCENTS, MAX_TINYCENTS]);
  });
});
