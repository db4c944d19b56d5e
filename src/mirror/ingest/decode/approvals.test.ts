import { describe, expect, test } from 'vitest';
import { type LedgerEvent, ledgerItem } from '../../../../tools/network/ledger-item.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { entityId } from '../../../values/entity-id.ts';
import type { StreamItem } from '../../items/stream-item.ts';
import { decodeUnit } from './decode-unit.ts';
import { emptyLookup, type LedgerLookup } from './known-entities.ts';

const PAYER = 1001n;
const FAIL_INVALID = 23;
const INSUFFICIENT_ACCOUNT_BALANCE = 28;
const AT = consensusTimestamp(1_700_000_000_000_000_000n);
const account = (accountNum: bigint) => ({ accountNum });
const token = (tokenNum: bigint) => ({ tokenNum });
const alias = Uint8Array.from({ length: 20 }, () => 0xaa);
const lookup: LedgerLookup = {
  ...emptyLookup,
  entityByAlias: async (given) => (given[0] === 0xaa ? entityId(77n) : null),
};

function item(changes: Partial<LedgerEvent>): StreamItem {
  return ledgerItem(
    {
      consensus: AT,
      validStart: consensusTimestamp(AT - 9n),
      payer: PAYER,
      data: {},
      status: 22,
      fee: 10n,
      node: 3n,
      ...changes,
    },
    { shard: 0n, realm: 0n },
  );
}

async function decode(changes: Partial<LedgerEvent>) {
  return decodeUnit([item(changes)], 'a.rcd', lookup);
}

const approve = (data: LedgerEvent['data']) => decode({ data: { cryptoApproveAllowance: data } });

describe('CRYPTOAPPROVEALLOWANCE', () => {
  test('tells amounts of hbar and tokens, and approvals of all NFTs', async () => {
    const { allowances } = await approve({
      cryptoAllowances: [{ owner: account(5n), spender: account(6n), amount: 40n }],
      tokenAllowances: [{ tokenId: token(90n), owner: account(5n), spender: account(6n), amount: 0n }],
      nftAllowances: [
        { tokenId: token(95n), owner: account(5n), spender: account(6n), approvedForAll: { value: true } },
        { tokenId: token(96n), owner: account(5n), spender: account(6n), approvedForAll: { value: false } },
        // Serial numbers alone belong to the NFTs.
        { tokenId: token(97n), owner: account(5n), spender: account(6n), serialNumbers: [1n] },
      ],
    });
    const parties = { is: 'grant', owner: 5n, spender: 6n, timestamp: AT };
    expect(allowances).toEqual([
      { ...parties, kind: 'hbar', token: null, granted: 40n, amount: 40n },
      { ...parties, kind: 'token', token: 90n, granted: 0n, amount: 0n },
      { ...parties, kind: 'nft', token: 95n, granted: 1n, amount: 1n },
      { ...parties, kind: 'nft', token: 96n, granted: 0n, amount: 0n },
    ]);
  });

  test('the payer owns what names no owner, an alias is resolved, and one that nobody has is reported and skipped', async () => {
    const { allowances, notes } = await approve({
      cryptoAllowances: [
        { spender: account(6n), amount: 1n },
        { owner: account(0n), spender: account(6n), amount: 2n },
        { owner: { alias }, spender: { alias }, amount: 3n },
        { owner: { alias: Uint8Array.of(1) }, spender: account(6n), amount: 4n },
        { owner: account(5n), spender: { alias: Uint8Array.of(1) }, amount: 5n },
        { owner: account(5n), amount: 6n },
      ],
      tokenAllowances: [{ owner: account(5n), spender: account(6n), amount: 7n }],
    });
    expect(allowances).toMatchObject([
      { owner: PAYER, spender: 6n, amount: 1n },
      { owner: PAYER, spender: 6n, amount: 2n },
      { owner: 77n, spender: 77n, amount: 3n },
    ]);
    expect(notes).toEqual([expect.stringMatching(/unknown alias/)]);
  });

  test('a failure approves nothing', async () => {
    const data = {
      cryptoApproveAllowance: { cryptoAllowances: [{ spender: account(6n), amount: 1n }] },
    };
    expect((await decode({ data, status: INSUFFICIENT_ACCOUNT_BALANCE })).allowances).toEqual([]);
    expect((await decode({ data, status: FAIL_INVALID })).allowances).toEqual([]);
  });
});

describe('CRYPTOTRANSFER', () => {
  const entry = (accountNum: bigint, amount: bigint, isApproval: boolean) => ({
    accountID: account(accountNum),
    amount,
    isApproval,
  });
  const cryptoTransfer = {
    transfers: {
      accountAmounts: [entry(5n, -30n, true), entry(6n, 35n, true), entry(7n, -5n, false)],
    },
    tokenTransfers: [
      { token: token(90n), transfers: [entry(5n, -8n, true), entry(5n, -2n, true), entry(6n, 10n, false)] },
    ],
  };
  const record = { transferList: { accountAmounts: [entry(5n, -29n, true), entry(6n, 29n, false)] } };

  test('takes what the body asks for off the allowance of the payer', async () => {
    const { allowances } = await decode({ data: { cryptoTransfer }, record });
    const debit = { is: 'debit', owner: 5n, spender: PAYER, timestamp: AT };
    expect(allowances).toEqual([
      { ...debit, kind: 'hbar', token: null, spent: 30n },
      { ...debit, kind: 'token', token: 90n, spent: 8n },
      { ...debit, kind: 'token', token: 90n, spent: 2n },
    ]);
  });

  test('a call of a contract spends for its sender', async () => {
    const called = (contractCallResult: LedgerEvent['data']) =>
      decode({ data: { cryptoTransfer }, record: { contractCallResult } });
    expect((await called({ senderId: account(44n) })).allowances).toMatchObject([
      { kind: 'hbar', spender: 44n },
      { kind: 'token', spender: 44n },
      { kind: 'token', spender: 44n },
    ]);
    expect((await called({ gasUsed: 1n })).allowances).toMatchObject(Array(3).fill({ spender: PAYER }));
    expect((await called({ senderId: { alias: Uint8Array.of(1) } })).allowances).toEqual([]);
  });

  test('a failure spends nothing, but one keeps what it did with tokens', async () => {
    const failed = await decode({ data: { cryptoTransfer }, status: INSUFFICIENT_ACCOUNT_BALANCE });
    expect(failed.allowances).toEqual([]);
    const invalid = await decode({ data: { cryptoTransfer }, status: FAIL_INVALID });
    expect(invalid.allowances).toMatchObject([{ kind: 'token' }, { kind: 'token' }]);
  });
});

describe('airdrops', () => {
  const parties = { senderId: account(5n), receiverId: account(6n) };
  const fungible = { ...parties, fungibleTokenType: token(90n) };
  const nft = { ...parties, nonFungibleToken: { token_ID: token(95n), serialNumber: 3n } };
  const told = { sender: 5n, receiver: 6n, timestamp: AT };

  test('those of the record wait, whatever the body asks for', async () => {
    const { airdrops } = await decode({
      data: { tokenAirdrop: { tokenTransfers: [{ token: token(91n), transfers: [] }] } },
      record: {
        newPendingAirdrops: [
          { pendingAirdropId: fungible, pendingAirdropValue: { amount: 70n } },
          { pendingAirdropId: nft },
          { pendingAirdropId: { ...fungible, receiverId: { alias: Uint8Array.of(1) } } },
          { pendingAirdropId: parties, pendingAirdropValue: { amount: 1n } },
        ],
      },
    });
    expect(airdrops).toEqual([
      { ...told, token: 90n, serial: 0n, state: 'pending', amount: 70n },
      { ...told, token: 95n, serial: 3n, state: 'pending', amount: null },
    ]);
  });

  test.each([
    ['tokenCancelAirdrop', 'cancelled'],
    ['tokenClaimAirdrop', 'claimed'],
  ])('%s ends those of the body', async (name, state) => {
    const { airdrops } = await decode({ data: { [name]: { pendingAirdrops: [fungible, nft] } } });
    expect(airdrops).toEqual([
      { ...told, token: 90n, serial: 0n, state },
      { ...told, token: 95n, serial: 3n, state },
    ]);
  });

  test('an amount beyond int64 is the greatest there is', async () => {
    const { airdrops } = await decode({
      data: { tokenAirdrop: {} },
      record: {
        newPendingAirdrops: [{ pendingAirdropId: fungible, pendingAirdropValue: { amount: 2n ** 64n - 1n } }],
      },
    });
    expect(airdrops).toMatchObject([{ amount: 2n ** 63n - 1n }]);
  });
});

test.each([
  ['ascend', 1n],
  ['step back', -1n],
])(
  'an alias names who had it then, not who is given it later in the unit whose times %s',
  async (_, step) => {
    const associate = { data: { tokenAssociate: { account: { alias }, tokens: [token(90n)] } } };
    const grant = {
      data: {
        cryptoApproveAllowance: {
          cryptoAllowances: [{ owner: { alias }, spender: account(6n), amount: 3n }],
        },
      },
    };
    const schedule = {
      data: { scheduleCreate: { payerAccountID: { alias } } },
    };
    const created = { data: { cryptoCreateAccount: { alias } }, receipt: { accountID: account(88n) } };
    const events: readonly Partial<LedgerEvent>[] = [
      associate,
      grant,
      { ...schedule, receipt: { scheduleID: { scheduleNum: 300n } } },
      created,
      associate,
      grant,
      { ...schedule, receipt: { scheduleID: { scheduleNum: 301n } } },
    ];
    const items = events.map((each, index) =>
      item({ ...each, consensus: consensusTimestamp(AT + BigInt(index) * step) }),
    );
    const { allowances, schedules, tokenRelations } = await decodeUnit(items, 'a.rcd', lookup);
    expect(tokenRelations.map((each) => each.account)).toEqual([77n, 88n]);
    expect(allowances.map((each) => each.owner)).toEqual([77n, 88n]);
    expect(schedules).toMatchObject([{ payer: 77n }, { payer: 88n }]);
  },
);
