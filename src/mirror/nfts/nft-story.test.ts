import { afterEach, describe, expect, test } from 'vitest';
import { buildMirrorApp, type MirrorApp } from '../../../test/kit/mirror/mirror-app.ts';
import { type LedgerEvent, ledgerItem } from '../../../tools/network/ledger-item.ts';
import { consensusTimestamp } from '../../values/consensus-timestamp.ts';
import { decodeUnit } from '../ingest/decode/decode-unit.ts';
import { emptyLookup } from '../ingest/decode/known-entities.ts';
import { fixtureUnit } from '../ledger/fixture-unit.ts';
import { RESULT } from '../vocabulary/response-codes.ts';

const HOME = { shard: 0n, realm: 0n };
const START = 1_700_000_000_000_000_000n;
const TOKEN = { tokenNum: 500n };
const [TREASURY, ALICE, BOB, SPENDER] = [1000n, 1001n, 1002n, 1003n] as const;
const account = (accountNum: bigint) => ({ accountNum });

let mirror: MirrorApp;
afterEach(() => mirror.close());

type Event = Partial<LedgerEvent>;

/** Stores items a second apart, of which each call makes a unit. */
async function ledgerOf(...units: readonly (readonly Event[])[]): Promise<void> {
  mirror = await buildMirrorApp({ dialect: 'hiero' });
  let second = 0n;
  for (const [index, events] of units.entries()) {
    const items = events.map((event) => {
      const at = consensusTimestamp(START + second++ * 1_000_000_000n);
      const rest = { payer: TREASURY, status: RESULT.SUCCESS, fee: 0n, node: 3n, data: {}, ...event };
      return ledgerItem({ consensus: at, validStart: consensusTimestamp(at - 5n), ...rest }, HOME);
    });
    const rows = await decodeUnit(items, 'a.rcd', emptyLookup);
    await mirror.area.ledger.commitUnit(fixtureUnit(`unit ${index}`, rows));
  }
}

async function get(path: string): Promise<{ readonly status: number; readonly body: unknown }> {
  const answer = await mirror.app.inject({ url: `/api/v1/${path}` });
  return { status: answer.statusCode, body: answer.json() };
}

const nft = async (serial: number) => (await get(`tokens/500/nfts/${serial}`)).body;
const at = (second: number) => `${1_700_000_000 + second}.000000000`;

const transferList = (from: bigint | null, to: bigint | null, serials: readonly bigint[]) => ({
  token: TOKEN,
  nftTransfers: serials.map((serialNumber) => ({
    ...(from === null ? {} : { senderAccountID: account(from) }),
    ...(to === null ? {} : { receiverAccountID: account(to) }),
    serialNumber,
  })),
});
const moved = (from: bigint | null, to: bigint | null, ...serials: readonly bigint[]) => ({
  tokenTransferLists: [transferList(from, to, serials)],
});

const mint = (...serials: readonly bigint[]): Event => ({
  data: { tokenMint: { token: TOKEN, metadata: serials.map((serial) => Buffer.from(`m${serial}`)) } },
  receipt: { serialNumbers: serials, newTotalSupply: BigInt(serials.length) },
  record: moved(null, TREASURY, ...serials),
});
const transfer = (from: bigint, to: bigint, ...serials: readonly bigint[]): Event => ({
  data: { cryptoTransfer: {} },
  record: moved(from, to, ...serials),
});
const approve = (owner: bigint | null, serials: readonly bigint[], more = {}): Event => ({
  payer: owner ?? ALICE,
  data: {
    cryptoApproveAllowance: {
      nftAllowances: [
        {
          tokenId: TOKEN,
          ...(owner === null ? {} : { owner: account(owner) }),
          spender: account(SPENDER),
          serialNumbers: serials,
          ...more,
        },
      ],
    },
  },
});
const changeTreasury = (from: bigint, to: bigint): Event => ({
  data: { tokenUpdate: { token: TOKEN, treasury: account(to) } },
  record: moved(from, to, -1n),
});

describe('an NFT', () => {
  test('begins with its mint: each serial number with metadata of its own, at the treasury', async () => {
    await ledgerOf([mint(1n, 2n)]);
    expect(await nft(2)).toEqual({
      account_id: '0.0.1000',
      created_timestamp: at(0),
      delegating_spender: null,
      deleted: false,
      metadata: Buffer.from('m2').toString('base64'),
      modified_timestamp: at(0),
      serial_number: 2,
      spender: null,
      token_id: '0.0.500',
    });
  });

  test('is approved to a spender until it moves', async () => {
    await ledgerOf([
      mint(1n, 2n),
      transfer(TREASURY, ALICE, 1n, 2n),
      approve(ALICE, [1n, 2n], { delegatingSpender: account(BOB) }),
      transfer(ALICE, BOB, 1n),
    ]);
    expect(await nft(2)).toMatchObject({
      account_id: '0.0.1001',
      spender: '0.0.1003',
      delegating_spender: '0.0.1002',
      created_timestamp: at(0),
      modified_timestamp: at(2),
    });
    expect(await nft(1)).toMatchObject({ account_id: '0.0.1002', spender: null, delegating_spender: null });
  });

  test('loses its approval when the owner deletes it; an owner that is not named is the payer', async () => {
    await ledgerOf([
      mint(1n, 2n),
      transfer(TREASURY, ALICE, 1n, 2n),
      approve(null, [1n, 2n]),
      {
        data: {
          cryptoDeleteAllowance: {
            nftAllowances: [{ tokenId: TOKEN, owner: account(ALICE), serialNumbers: [1n] }],
          },
        },
      },
    ]);
    expect(await nft(1)).toMatchObject({ account_id: '0.0.1001', spender: null, modified_timestamp: at(3) });
    expect(await nft(2)).toMatchObject({ account_id: '0.0.1001', spender: '0.0.1003' });
  });

  test('is not approved by an entry whose owner or spender nobody knows', async () => {
    const unknown = { alias: Buffer.alloc(35, 9) };
    await ledgerOf([
      mint(1n),
      approve(TREASURY, [1n], { spender: unknown }),
      approve(TREASURY, [1n], { owner: unknown }),
    ]);
    expect(await nft(1)).toMatchObject({ spender: null, modified_timestamp: at(0) });
  });

  test('of several entries for one serial number the last one counts', async () => {
    const entry = (spender: bigint) => ({
      tokenId: TOKEN,
      owner: account(TREASURY),
      spender: account(spender),
      serialNumbers: [1n],
    });
    await ledgerOf([
      mint(1n),
      { data: { cryptoApproveAllowance: { nftAllowances: [entry(ALICE), entry(BOB)] } } },
    ]);
    expect(await nft(1)).toMatchObject({ spender: '0.0.1002' });
  });

  test('goes to the last receiver when it moves several times at once', async () => {
    await ledgerOf([
      mint(1n),
      {
        data: { cryptoTransfer: {} },
        record: { tokenTransferLists: [transferList(TREASURY, ALICE, [1n]), transferList(ALICE, BOB, [1n])] },
      },
    ]);
    expect(await nft(1)).toMatchObject({ account_id: '0.0.1002', modified_timestamp: at(1) });
  });

  test('gets other metadata and keeps its spender; without metadata nothing changes', async () => {
    const update = (metadata?: Uint8Array) => ({
      data: {
        tokenUpdateNfts: {
          token: TOKEN,
          serialNumbers: [1n],
          ...(metadata === undefined ? {} : { metadata: { value: metadata } }),
        },
      },
    });
    await ledgerOf([mint(1n), approve(TREASURY, [1n]), update(Buffer.from('new')), update()]);
    expect(await nft(1)).toMatchObject({
      metadata: Buffer.from('new').toString('base64'),
      spender: '0.0.1003',
      modified_timestamp: at(2),
    });
  });

  test('stays readable without an owner when it is burned or wiped', async () => {
    await ledgerOf([
      mint(1n, 2n, 3n),
      transfer(TREASURY, ALICE, 2n),
      { data: { tokenBurn: { token: TOKEN, serialNumbers: [1n] } }, record: moved(TREASURY, null, 1n) },
      {
        data: { tokenWipe: { token: TOKEN, account: account(ALICE), serialNumbers: [2n] } },
        record: moved(ALICE, null, 2n),
      },
    ]);
    expect(await nft(1)).toMatchObject({ account_id: null, deleted: true, modified_timestamp: at(2) });
    expect(await nft(2)).toMatchObject({ account_id: null, deleted: true, modified_timestamp: at(3) });
    expect((await get('tokens/500/nfts')).body).toMatchObject({
      nfts: [{ serial_number: 3 }, { serial_number: 2 }, { serial_number: 1 }],
    });
    expect((await get('accounts/1001/nfts')).body).toMatchObject({ nfts: [] });
    expect((await get('accounts/1000/nfts')).body).toMatchObject({ nfts: [{ serial_number: 3 }] });
  });

  test('moves to a new treasury with all others that the old one has, in the unit of its mint as later', async () => {
    const events = [
      mint(1n, 2n, 3n),
      transfer(TREASURY, ALICE, 2n),
      approve(TREASURY, [3n]),
      changeTreasury(TREASURY, BOB),
      mint(4n),
      transfer(BOB, ALICE, 1n),
    ];
    for (const units of [[events], events.map((event) => [event])]) {
      await ledgerOf(...units);
      expect(await nft(1)).toMatchObject({ account_id: '0.0.1001', modified_timestamp: at(5) });
      expect(await nft(2)).toMatchObject({ account_id: '0.0.1001', modified_timestamp: at(1) });
      expect(await nft(3)).toMatchObject({
        account_id: '0.0.1002',
        spender: null,
        created_timestamp: at(0),
        modified_timestamp: at(3),
      });
      expect(await nft(4)).toMatchObject({ account_id: '0.0.1000', modified_timestamp: at(4) });
      const { body } = await get('tokens/500/nfts/1/transactions?order=asc');
      expect(body).toMatchObject({
        transactions: [
          { type: 'TOKENMINT', receiver_account_id: '0.0.1000', sender_account_id: null },
          { type: 'TOKENUPDATE', receiver_account_id: null, sender_account_id: null, is_approval: false },
          { type: 'CRYPTOTRANSFER', receiver_account_id: '0.0.1001', sender_account_id: '0.0.1002' },
        ],
      });
      await mirror.close();
    }
  });

  test('is deleted with its token, whose deletion is the last of its transactions', async () => {
    await ledgerOf([mint(1n), { data: { tokenDeletion: { token: TOKEN } } }]);
    expect(await nft(1)).toMatchObject({ account_id: '0.0.1000', deleted: true, modified_timestamp: at(0) });
    expect((await get('accounts/1000/nfts')).body).toMatchObject({ nfts: [{ deleted: true }] });
    expect((await get('tokens/500/nfts/1/transactions')).body).toMatchObject({
      transactions: [{ type: 'TOKENDELETION', receiver_account_id: null }, { type: 'TOKENMINT' }],
    });
  });

  test('that was minted before the imported part has a row from its first change on, and its transactions answer 206', async () => {
    await ledgerOf([transfer(ALICE, BOB, 7n)]);
    expect(await nft(7)).toMatchObject({
      account_id: '0.0.1002',
      created_timestamp: null,
      metadata: '',
      modified_timestamp: at(0),
    });
    const { body, status } = await get('tokens/500/nfts/7/transactions');
    expect(status).toBe(206);
    expect(body).toMatchObject({ transactions: [{ sender_account_id: '0.0.1001' }] });
    expect((await get('tokens/500/nfts/8/transactions')).status).toBe(200);
  });

  test('is not changed by what failed', async () => {
    const failed = { status: RESULT.INVALID_SIGNATURE };
    await ledgerOf([
      mint(1n),
      { ...transfer(TREASURY, ALICE, 1n), ...failed },
      { ...approve(TREASURY, [1n]), ...failed },
      { ...mint(2n), ...failed },
    ]);
    expect(await nft(1)).toMatchObject({ account_id: '0.0.1000', spender: null, modified_timestamp: at(0) });
    expect((await get('tokens/500/nfts/2')).status).toBe(404);
  });

  test('with a serial number that no NFT has is left out of the import', async () => {
    await ledgerOf([mint(1n), transfer(TREASURY, ALICE, 0n, -5n)]);
    expect((await get('tokens/500/nfts')).body).toMatchObject({ nfts: [{ serial_number: 1 }] });
  });
});
