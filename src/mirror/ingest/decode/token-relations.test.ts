import { describe, expect, test } from 'vitest';
import { type LedgerEvent, ledgerItem } from '../../../../tools/network/ledger-item.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { decodeUnit } from './decode-unit.ts';
import { emptyLookup, type LedgerLookup } from './known-entities.ts';

const ids = { shard: 0n, realm: 0n };
const SUCCESS = 22;
const INVALID_SIGNATURE = 7;
const FAIL_INVALID = 23;
/** 2023-11-14 22:13:20 UTC. */
const AT = 1_700_000_000_000_000_000n;
const account = (accountNum: bigint) => ({ accountNum });
const token = (tokenNum: bigint) => ({ tokenNum });
const KEY = { ed25519: new Uint8Array(32).fill(7) };
const receipt = { tokenID: token(90n) };
const automatic = (...holders: readonly bigint[]) => ({
  automaticTokenAssociations: holders.map((holder) => ({ tokenId: token(90n), accountId: account(holder) })),
});

type Event = Partial<LedgerEvent>;

function decode(event: Event, lookup: LedgerLookup = emptyLookup) {
  const item = ledgerItem(
    {
      consensus: consensusTimestamp(AT),
      validStart: consensusTimestamp(AT - 9n),
      payer: 1001n,
      data: {},
      status: SUCCESS,
      fee: 10n,
      node: 3n,
      ...event,
    },
    ids,
  );
  return decodeUnit([item], 'a.rcd', lookup);
}

describe('relations that a transaction changes', () => {
  const creation = (members: object, record: object = {}): Event => ({
    data: { tokenCreation: { treasury: account(5n), ...members } },
    receipt,
    record: { ...record },
  });
  const fee = (collector: bigint, members: object) => ({
    feeCollectorAccountId: account(collector),
    ...members,
  });

  test.each<[string, Event, readonly object[]]>([
    ['a new token is held by its treasury', creation({}), [{ account: 5n, isAssociated: true }]],
    [
      'a new token with keys is unfrozen and granted there',
      creation({ freezeKey: KEY, kycKey: KEY }),
      [{ account: 5n, isAssociated: true, freezeStatus: 'UNFROZEN', kycStatus: 'GRANTED' }],
    ],
    [
      'a new token is held by the collectors of fees in it',
      creation({
        customFees: [
          fee(6n, { fractionalFee: {} }),
          fee(7n, { fixedFee: { denominatingTokenId: token(0n) } }),
          fee(8n, { fixedFee: { denominatingTokenId: token(77n) } }),
          fee(9n, { fixedFee: {} }),
          fee(10n, { royaltyFee: {} }),
          fee(6n, { fractionalFee: {} }),
        ],
      }),
      [
        { account: 5n, isAssociated: true },
        { account: 6n, isAssociated: true },
        { account: 7n, isAssociated: true },
      ],
    ],
    [
      'a record that lists the holders of a new token names all of them',
      creation({ kycKey: KEY, customFees: [fee(6n, { fractionalFee: {} })] }, automatic(5n, 11n)),
      [
        { account: 5n, isAssociated: true, kycStatus: 'GRANTED' },
        { account: 11n, isAssociated: true, kycStatus: 'GRANTED' },
      ],
    ],
    [
      'an association',
      { data: { tokenAssociate: { account: account(6n), tokens: [token(90n)] } } },
      [{ account: 6n, isAssociated: true }],
    ],
    [
      'a dissociation',
      { data: { tokenDissociate: { account: account(6n), tokens: [token(90n)] } } },
      [{ account: 6n, isAssociated: false }],
    ],
    [
      'a freeze',
      { data: { tokenFreeze: { account: account(6n), token: token(90n) } } },
      [{ account: 6n, freezeStatus: 'FROZEN' }],
    ],
    [
      'an unfreeze',
      { data: { tokenUnfreeze: { account: account(6n), token: token(90n) } } },
      [{ account: 6n, freezeStatus: 'UNFROZEN' }],
    ],
    [
      'a grant',
      { data: { tokenGrantKyc: { account: account(6n), token: token(90n) } } },
      [{ account: 6n, kycStatus: 'GRANTED' }],
    ],
    [
      'a revocation',
      { data: { tokenRevokeKyc: { account: account(6n), token: token(90n) } } },
      [{ account: 6n, kycStatus: 'REVOKED' }],
    ],
    [
      'claims of a fungible token and of an NFT',
      {
        data: {
          tokenClaimAirdrop: {
            pendingAirdrops: [
              { receiverId: account(6n), fungibleTokenType: token(90n) },
              { receiverId: account(7n), nonFungibleToken: { token_ID: token(90n), serialNumber: 1n } },
            ],
          },
        },
      },
      [
        { account: 6n, isAssociated: true, isIfMissing: true },
        { account: 7n, isAssociated: true, isIfMissing: true },
      ],
    ],
    [
      'automatic associations',
      { data: { cryptoTransfer: {} }, record: automatic(7n) },
      [{ account: 7n, isAssociated: true, isAutomatic: true }],
    ],
    [
      'automatic associations of a failure that keeps its transfers, without its body',
      {
        data: { tokenAssociate: { account: account(8n), tokens: [token(90n)] } },
        record: automatic(7n),
        status: FAIL_INVALID,
      },
      [{ account: 7n, isAssociated: true, isAutomatic: true }],
    ],
    [
      'nothing of other failures',
      {
        data: { tokenAssociate: { account: account(8n), tokens: [token(90n)] } },
        record: automatic(7n),
        status: INVALID_SIGNATURE,
      },
      [],
    ],
    ['nothing of a freeze without an account', { data: { tokenFreeze: { token: token(90n) } } }, []],
  ])('%s', async (_title, event, expected) => {
    const { tokenRelations } = await decode(event);
    expect(tokenRelations).toEqual(expected.map((each) => ({ token: 90n, consensusTimestamp: AT, ...each })));
  });
});

describe('dissociating a deleted token', () => {
  const lookup = (kind: 'FUNGIBLE_COMMON' | 'NON_FUNGIBLE_UNIQUE' | null): LedgerLookup => ({
    ...emptyLookup,
    tokenKind: async () => kind,
  });
  const dissociation = (...amounts: readonly (readonly [bigint, bigint])[]): Event => ({
    data: { tokenDissociate: { account: account(6n), tokens: [token(90n)] } },
    record: {
      tokenTransferLists: [
        {
          token: token(90n),
          transfers: amounts.map(([holder, amount]) => ({ accountID: account(holder), amount })),
        },
      ],
    },
  });
  const moves = async (event: Event, kind: Parameters<typeof lookup>[0]) => {
    const [transaction] = (await decode(event, lookup(kind))).transactions;
    return [transaction?.tokenTransfers, transaction?.nftTransfers];
  };
  const lost = { token: 90n, account: 6n, amount: -3n, isApproval: false };

  test('shows an NFT transfer with the negative amount where the token was unique', async () => {
    expect(await moves(dissociation([6n, -3n]), 'NON_FUNGIBLE_UNIQUE')).toEqual([
      [],
      [{ token: 90n, sender: 6n, receiver: null, serial: -3n, isApproval: false }],
    ]);
  });

  test('stays a token transfer where it was fungible, unknown, or moved to the treasury', async () => {
    expect(await moves(dissociation([6n, -3n]), 'FUNGIBLE_COMMON')).toEqual([[lost], []]);
    expect(await moves(dissociation([6n, -3n]), null)).toEqual([[lost], []]);
    const returned = { ...lost, account: 5n, amount: 3n };
    expect(await moves(dissociation([6n, -3n], [5n, 3n]), 'NON_FUNGIBLE_UNIQUE')).toEqual([
      [lost, returned],
      [],
    ]);
  });
});
