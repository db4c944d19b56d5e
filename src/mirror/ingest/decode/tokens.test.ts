import { describe, expect, test } from 'vitest';
import { type LedgerEvent, ledgerItem } from '../../../../tools/network/ledger-item.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { MessageObject } from '../../protobuf/messages.ts';
import { decodeUnit } from './decode-unit.ts';
import { emptyLookup } from './known-entities.ts';

const AT = 1_700_000_000_000_000_000n;
const INVALID_SIGNATURE = 7;
const token = { tokenNum: 55n };
const account = (accountNum: bigint) => ({ accountNum });
const ed25519 = (fill: number) => ({ ed25519: Buffer.alloc(32, fill) });
const keyBytes = (fill: number) => Buffer.concat([Uint8Array.of(0x12, 0x20), Buffer.alloc(32, fill)]);

const KEYS = ['kycKey', 'freezeKey', 'wipeKey', 'supplyKey', 'feeScheduleKey', 'pauseKey', 'metadataKey'];

function rowsOf(data: MessageObject, receipt: MessageObject = {}, changes: Partial<LedgerEvent> = {}) {
  const event: LedgerEvent = {
    consensus: consensusTimestamp(AT),
    validStart: consensusTimestamp(AT - 9n),
    payer: 1001n,
    data,
    receipt,
    status: 22,
    fee: 10n,
    node: 3n,
    ...changes,
  };
  return decodeUnit([ledgerItem(event, { shard: 0n, realm: 0n })], 'a.rcd', emptyLookup);
}

describe('tokens', () => {
  test('a creation tells the whole token, with the statuses that its keys make', async () => {
    const body = {
      name: 'Name',
      symbol: 'SYM',
      decimals: 3,
      initialSupply: 2n ** 63n - 1n,
      treasury: account(7n),
      kycKey: ed25519(1),
      freezeKey: ed25519(2),
      wipeKey: ed25519(3),
      supplyKey: ed25519(4),
      freezeDefault: true,
      supplyType: 1,
      maxSupply: 2n ** 63n - 1n,
      feeScheduleKey: ed25519(5),
      pauseKey: { keyList: {} },
      metadata: Buffer.from('meta'),
      metadataKey: ed25519(6),
    };
    const { tokens } = await rowsOf({ tokenCreation: body }, { tokenID: token });
    expect(tokens).toEqual([
      {
        token: 55n,
        consensusTimestamp: AT,
        row: {
          kind: 'FUNGIBLE_COMMON',
          createdTimestamp: AT,
          name: 'Name',
          symbol: 'SYM',
          decimals: 3,
          initialSupply: 2n ** 63n - 1n,
          totalSupply: 2n ** 63n - 1n,
          maxSupply: 2n ** 63n - 1n,
          supplyType: 'FINITE',
          treasury: 7n,
          metadata: Uint8Array.from(Buffer.from('meta')),
          freezeDefault: true,
          freezeStatus: 'FROZEN',
          kycStatus: 'REVOKED',
          pauseStatus: 'UNPAUSED',
          kycKey: Uint8Array.from(keyBytes(1)),
          freezeKey: Uint8Array.from(keyBytes(2)),
          wipeKey: Uint8Array.from(keyBytes(3)),
          supplyKey: Uint8Array.from(keyBytes(4)),
          feeScheduleKey: Uint8Array.from(keyBytes(5)),
          pauseKey: Uint8Array.of(0x32, 0),
          metadataKey: Uint8Array.from(keyBytes(6)),
        },
      },
    ]);
  });

  test('a creation without keys makes nothing applicable', async () => {
    const { customFees, tokens } = await rowsOf({ tokenCreation: { tokenType: 1 } }, { tokenID: token });
    expect(tokens).toMatchObject([
      {
        row: {
          kind: 'NON_FUNGIBLE_UNIQUE',
          supplyType: 'INFINITE',
          freezeStatus: 'NOT_APPLICABLE',
          kycStatus: 'NOT_APPLICABLE',
          pauseStatus: 'NOT_APPLICABLE',
          freezeKey: null,
          treasury: null,
        },
      },
    ]);
    // The empty list of fees holds, too.
    expect(customFees).toMatchObject([{ entity: 55n, consensusTimestamp: AT, fixedFees: [] }]);
  });

  test.each<[string, MessageObject, unknown]>([
    ['an update names what it changes', { name: 'N', treasury: account(8n) }, { name: 'N', treasury: 8n }],
    ['an update without members changes nothing', {}, {}],
    [
      'metadata and the admin key, which is of the entity',
      { symbol: 'S', adminKey: ed25519(7), metadata: { value: Buffer.of() } },
      { symbol: 'S', metadata: Uint8Array.of() },
    ],
    ...KEYS.map((name, index): [string, MessageObject, unknown] => [
      name,
      { [name]: ed25519(index) },
      { [name]: Uint8Array.from(keyBytes(index)) },
    ]),
    ['a key that is taken away', { wipeKey: { keyList: {} } }, { wipeKey: Uint8Array.of(0x32, 0) }],
  ])('%s', async (_what, body, update) => {
    const { tokens } = await rowsOf({ tokenUpdate: { token, ...body } });
    expect(tokens).toEqual([{ token: 55n, consensusTimestamp: AT, update }]);
  });

  test.each<[string, MessageObject, MessageObject, unknown]>([
    ['a pause', { tokenPause: { token } }, {}, { update: { pauseStatus: 'PAUSED' } }],
    ['the end of a pause', { tokenUnpause: { token } }, {}, { update: { pauseStatus: 'UNPAUSED' } }],
    [
      'a mint',
      { tokenMint: { token } },
      { newTotalSupply: 9_007_199_254_740_993n },
      { totalSupply: 9_007_199_254_740_993n },
    ],
    ['a burn of all', { tokenBurn: { token } }, {}, { totalSupply: 0n }],
    ['a wipe', { tokenWipe: { token, account: account(7n) } }, { newTotalSupply: 4n }, { totalSupply: 4n }],
  ])('%s', async (_what, data, receipt, told) => {
    const { tokens } = await rowsOf(data, receipt);
    expect(tokens).toEqual([{ token: 55n, consensusTimestamp: AT, ...(told as object) }]);
  });

  test('what failed tells nothing', async () => {
    const { customFees, tokens } = await rowsOf(
      { tokenMint: { token } },
      { newTotalSupply: 9n },
      { status: INVALID_SIGNATURE },
    );
    expect([customFees, tokens]).toEqual([[], []]);
  });
});

describe('custom fees', () => {
  const fixed = (amount: bigint, denominatingTokenId?: MessageObject) => ({ amount, denominatingTokenId });
  const collected = { feeCollectorAccountId: account(9n), allCollectorsAreExempt: true };

  test('of every kind are kept in their order; 0.0.0 is the token itself', async () => {
    const fees = [
      { ...collected, fixedFee: fixed(1n) },
      { fixedFee: fixed(2n, { tokenNum: 0n }) },
      { fixedFee: fixed(3n, { tokenNum: 77n }) },
      {
        fractionalFee: {
          fractionalAmount: { numerator: 1n, denominator: 3n },
          minimumAmount: 4n,
          maximumAmount: 5n,
          netOfTransfers: true,
        },
      },
      { fractionalFee: { fractionalAmount: { numerator: 1n, denominator: 7n } } },
      { ...collected, royaltyFee: { exchangeValueFraction: { numerator: 1n, denominator: 2n } } },
      {
        royaltyFee: {
          exchangeValueFraction: { numerator: 2n, denominator: 5n },
          fallbackFee: fixed(6n, { tokenNum: 0n }),
        },
      },
    ];
    const { customFees } = await rowsOf({ tokenFeeScheduleUpdate: { tokenId: token, customFees: fees } });
    const nobody = { collector: null, areCollectorsExempt: false };
    const nine = { collector: 9n, areCollectorsExempt: true };
    expect(customFees).toEqual([
      {
        entity: 55n,
        of: 'token',
        consensusTimestamp: AT,
        fixedFees: [
          { amount: 1n, denominatingToken: null, ...nine },
          { amount: 2n, denominatingToken: 55n, ...nobody },
          { amount: 3n, denominatingToken: 77n, ...nobody },
        ],
        fractionalFees: [
          { numerator: 1n, denominator: 3n, minimum: 4n, maximum: 5n, netOfTransfers: true, ...nobody },
          { numerator: 1n, denominator: 7n, minimum: 0n, maximum: null, netOfTransfers: false, ...nobody },
        ],
        royaltyFees: [
          { numerator: 1n, denominator: 2n, fallback: null, ...nine },
          { numerator: 2n, denominator: 5n, fallback: { amount: 6n, denominatingToken: 55n }, ...nobody },
        ],
      },
    ]);
  });

  test('of kinds that are not known are left out, and alone tell nothing', async () => {
    const unknown = { ...collected };
    const update = (customFees: MessageObject[]) =>
      rowsOf({ tokenFeeScheduleUpdate: { tokenId: token, customFees } });
    expect((await update([unknown, { fixedFee: fixed(1n) }])).customFees).toMatchObject([
      { fixedFees: [{ amount: 1n }] },
    ]);
    expect((await update([unknown])).customFees).toEqual([]);
    expect((await update([])).customFees).toMatchObject([{ entity: 55n, fixedFees: [] }]);
  });

  test('of topics follow creation and update, unless the update names none', async () => {
    const fees = [{ feeCollectorAccountId: account(9n), fixedFee: fixed(1n, { tokenNum: 77n }) }];
    const told = [
      { entity: 11n, of: 'topic', fixedFees: [{ amount: 1n, denominatingToken: 77n, collector: 9n }] },
    ];
    const topicID = { topicNum: 11n };
    expect(
      (await rowsOf({ consensusCreateTopic: { customFees: fees } }, { topicID })).customFees,
    ).toMatchObject(told);
    const update = async (customFees?: MessageObject) =>
      (await rowsOf({ consensusUpdateTopic: { topicID, ...(customFees && { customFees }) } })).customFees;
    expect(await update({ fees })).toMatchObject(told);
    expect(await update({ fees: [] })).toMatchObject([{ entity: 11n, fixedFees: [] }]);
    expect(await update()).toEqual([]);
  });
});
