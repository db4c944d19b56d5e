import { describe, expect, test } from 'vitest';
import { type KnownEntities, stateOf } from '../../../../../test/kit/mirror/fees/fee-app.ts';
import { account, transactionBytes } from '../../../../../test/kit/mirror/fees/transactions.ts';
import type { MessageObject } from '../../../protobuf/messages.ts';
import { decodeTransaction } from '../../decode/decode-transaction.ts';
import { readBundledSchedule } from '../../schedule/fee-schedule.ts';
import { estimateFee, type FeeEstimateMode } from '../estimate-fee.ts';
import type { FeeStateSource } from '../fee-state.ts';

const PAYER = account(1001n);
const ALIAS = '11'.repeat(20);
const known: KnownEntities = {
  tokens: {
    '0.0.50': { kind: 'FUNGIBLE_COMMON', customFeeCount: 0 },
    '0.0.60': { kind: 'NON_FUNGIBLE_UNIQUE', customFeeCount: 0 },
  },
  accounts: {
    '0.0.2000': { maxAutomaticAssociations: 0n },
    '0.0.2001': { maxAutomaticAssociations: -1n },
    '0.0.2002': { maxAutomaticAssociations: null },
  },
  aliases: { [ALIAS]: '0.0.2000' },
  associations: {
    '0.0.2000 0.0.50': false,
    '0.0.2000 0.0.60': false,
    '0.0.2001 0.0.50': false,
    '0.0.2002 0.0.60': true,
  },
};

async function additions(
  data: MessageObject,
  mode: FeeEstimateMode = 'STATE',
  state: FeeStateSource = stateOf(known),
): Promise<unknown> {
  const estimate = await estimateFee({
    transaction: decodeTransaction(transactionBytes(data)),
    mode,
    highVolumeThrottle: 0,
    schedule: readBundledSchedule(),
    state,
    reportFault: () => {},
  });
  return estimate.additions.map(({ name, count, feePerUnit, subtotal }) => {
    expect(subtotal).toBe(count * feePerUnit);
    return `${name} ${count} x ${feePerUnit}`;
  });
}

const hbarTo = (...receivers: readonly MessageObject[]): MessageObject => ({
  cryptoTransfer: {
    transfers: {
      accountAmounts: [
        { accountID: PAYER, amount: -10n },
        ...receivers.map((accountID) => ({ accountID, amount: 1n })),
      ],
    },
  },
});
const fungible = (...receivers: readonly MessageObject[]): MessageObject => ({
  token: { tokenNum: 50n },
  transfers: [
    { accountID: PAYER, amount: -10n },
    ...receivers.map((accountID) => ({ accountID, amount: 1n })),
  ],
});
const nfts = (receiver: MessageObject, count: number): MessageObject => ({
  token: { tokenNum: 60n },
  nftTransfers: Array.from({ length: count }, (_, index) => ({
    senderAccountID: PAYER,
    receiverAccountID: receiver,
    serialNumber: BigInt(index + 1),
  })),
});
const alias = (hex: string): MessageObject => ({ alias: Buffer.from(hex, 'hex') });

describe('additions of an estimate in STATE mode', () => {
  test.each<[string, MessageObject, string[]]>([
    ['the gas of a call', { contractCall: { gas: 100_000n } }, ['GAS 100000 x 852']],
    ['the gas of a creation', { contractCreateInstance: { gas: 7n } }, ['GAS 7 x 852']],
    [
      'no gas of Ethereum data in no known form',
      { ethereumTransaction: { ethereumData: Buffer.from('ffff', 'hex') } },
      [],
    ],
    [
      'the gas limit that an Ethereum transaction signs',
      { ethereumTransaction: { ethereumData: Buffer.from('c58001825208', 'hex') } },
      ['GAS 21000 x 852'],
    ],
    ['no gas when the limit is not positive', { contractCall: { gas: -5n } }, []],
    ['nothing for a transfer between known accounts', hbarTo(account(2000n), alias(ALIAS)), []],
    [
      'receivers that the ledger does not know, each once',
      hbarTo(account(3000n), account(3000n), alias('22'.repeat(20))),
      ['CREATED_ACCOUNTS 2 x 500000000'],
    ],
    [
      'associations that the ledger knows to be missing',
      { cryptoTransfer: { tokenTransfers: [fungible(account(2000n), account(2001n), account(2002n))] } },
      ['TOKEN_ASSOCIATE 2 x 500000000'],
    ],
    [
      'account and association of a new receiver of a token',
      { cryptoTransfer: { tokenTransfers: [nfts(alias('33'.repeat(20)), 2)] } },
      ['CREATED_ACCOUNTS 1 x 500000000', 'TOKEN_ASSOCIATE 1 x 500000000'],
    ],
    [
      'airdrops that stay pending, each NFT on its own, but not for an account that takes any token',
      {
        tokenAirdrop: { tokenTransfers: [fungible(account(2000n), account(2001n)), nfts(account(2000n), 3)] },
      },
      ['AIRDROPS 4 x 500000000', 'TOKEN_ASSOCIATE 3 x 500000000'],
    ],
    ['nothing for types that add nothing', { cryptoDelete: {} }, []],
  ])('list %s', async (_name, data, expected) => {
    expect(await additions(data)).toEqual(expected);
  });

  test('are absent in INTRINSIC mode and after a fallback', async () => {
    expect(await additions({ contractCall: { gas: 100_000n } }, 'INTRINSIC')).toEqual([]);
    expect(
      await additions(
        { cryptoTransfer: { tokenTransfers: [fungible(account(3000n))] } },
        'STATE',
        stateOf({ ...known, tokens: {} }),
      ),
    ).toEqual([]);
  });

  test('are absent when accounts cannot be read, without a fallback', async () => {
    const state: FeeStateSource = {
      ...stateOf(known),
      account: () => Promise.reject(new Error('database is locked')),
    };
    expect(await additions(hbarTo(account(3000n)), 'STATE', state)).toEqual([]);
  });
});
