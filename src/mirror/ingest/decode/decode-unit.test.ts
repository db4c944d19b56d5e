import { describe, expect, test } from 'vitest';
import { type LedgerEvent, ledgerItem } from '../../../../tools/network/ledger-item.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { type EntityId, encodeEntityId } from '../../../values/entity-id.ts';
import { bareHex } from '../../../values/hex.ts';
import type { StreamItem } from '../../items/stream-item.ts';
import { type MessageObject, messages } from '../../protobuf/messages.ts';
import { sha384 } from '../sha384.ts';
import { decodeUnit } from './decode-unit.ts';
import { emptyLookup, type LedgerLookup } from './known-entities.ts';

const ids = { shard: 0n, realm: 0n };
const SUCCESS = 22;
const FAIL_INVALID = 23;
const INSUFFICIENT_ACCOUNT_BALANCE = 28;
const INVALID_TOPIC_ID = 150;
const AT = 1_700_000_000_000_000_000n;
const at = (offset: bigint) => consensusTimestamp(AT + offset);
const entity = (num: bigint) => encodeEntityId(0n, 0n, num) as EntityId;

function item(changes: Partial<LedgerEvent>): StreamItem {
  return ledgerItem(
    {
      consensus: at(0n),
      validStart: at(-9n),
      payer: 1001n,
      data: {},
      status: SUCCESS,
      fee: 10n,
      node: 3n,
      ...changes,
    },
    ids,
  );
}

async function decodeOne(changes: Partial<LedgerEvent>, lookup: LedgerLookup = emptyLookup) {
  const { transactions } = await decodeUnit([item(changes)], 'a.rcd', lookup);
  const [transaction] = transactions;
  if (transaction === undefined) throw new Error('one transaction was decoded');
  return transaction;
}

const account = (accountNum: bigint) => ({ accountNum });
const token = { tokenNum: 55n };

describe('decodeUnit', () => {
  test('stakes that add up to more than int64 are as many as it holds', async () => {
    const most = 2n ** 63n - 1n;
    const nodeStake = [
      { nodeId: 0, stakeRewarded: most, stakeNotRewarded: 1 },
      { nodeId: 1, stakeRewarded: 5 },
    ];
    const { stakeUpdates } = await decodeUnit(
      [item({ data: { nodeStakeUpdate: { nodeStake } } })],
      'a.rcd',
      emptyLookup,
    );
    expect(stakeUpdates).toMatchObject([{ stakeTotal: most, nodes: [{ stakeRewarded: most }, {}] }]);
  });

  test('takes ids, times and fees from the body, consensus and charge from the record', async () => {
    expect(await decodeOne({ memo: 'hello' })).toMatchObject({
      consensusTimestamp: at(0n),
      validStart: at(-9n),
      payer: 1001n,
      node: 3n,
      nonce: 0,
      scheduled: false,
      chargedFee: 10n,
      maxFee: 200_000_000n,
      validDurationSeconds: 120n,
      parentConsensusTimestamp: null,
      batchKey: null,
      highVolume: false,
      highVolumePricingMultiplier: null,
    });
  });

  test.each<[string, MessageObject, MessageObject, bigint | null]>([
    ['cryptoCreateAccount', { cryptoCreateAccount: {} }, { accountID: account(7n) }, 7n],
    ['contractCreateInstance', { contractCreateInstance: {} }, { contractID: { contractNum: 8n } }, 8n],
    ['contractCall by the body', { contractCall: { contractID: { contractNum: 9n } } }, {}, 9n],
    ['contractCall, 0.0.0', { contractCall: { contractID: { contractNum: 0n } } }, {}, null],
    ['fileAppend', { fileAppend: { fileID: { fileNum: 10n } } }, {}, 10n],
    ['freeze without a file', { freeze: {} }, {}, null],
    ['consensusSubmitMessage', { consensusSubmitMessage: { topicID: { topicNum: 11n } } }, {}, 11n],
    [
      'tokenAssociate names the account',
      { tokenAssociate: { account: account(12n), tokens: [token] } },
      {},
      12n,
    ],
    ['tokenFreeze names the account', { tokenFreeze: { account: account(13n), token } }, {}, 13n],
    ['tokenMint names the token', { tokenMint: { token } }, {}, 55n],
    ['tokenFeeScheduleUpdate', { tokenFeeScheduleUpdate: { tokenId: token } }, {}, 55n],
    ['tokenReject without owner names the payer', { tokenReject: {} }, {}, 1001n],
    ['systemDelete', { systemDelete: { contractID: { contractNum: 14n } } }, {}, 14n],
    ['scheduleSign', { scheduleSign: { scheduleID: { scheduleNum: 15n } } }, {}, 15n],
    ['nodeCreate', { nodeCreate: { accountId: account(16n) } }, {}, 16n],
    ['cryptoTransfer', { cryptoTransfer: {} }, {}, null],
    ['nodeDelete', { nodeDelete: { nodeId: 1n } }, {}, null],
  ])('the entity of %s', async (_name, data, receipt, expected) => {
    expect((await decodeOne({ data, receipt })).entityId).toBe(expected);
  });

  test('a topic that does not exist is still the entity of a failed message', async () => {
    const data = { consensusSubmitMessage: { topicID: { topicNum: 11n } } };
    expect((await decodeOne({ data, status: INVALID_TOPIC_ID })).entityId).toBe(11n);
  });

  test('aliases are resolved by number, by the ledger, and by what the unit created before', async () => {
    const stored = Uint8Array.from({ length: 20 }, () => 0xaa);
    const created = Uint8Array.from({ length: 20 }, () => 0xbb);
    const longZero = Uint8Array.from({ length: 20 }, (_, index) => (index === 19 ? 77 : 0));
    const call = (evmAddress: Uint8Array, offset: bigint) =>
      item({ consensus: at(offset), data: { contractCall: { contractID: { evmAddress } } } });
    const asked: string[] = [];
    const lookup: LedgerLookup = {
      ...emptyLookup,
      async entityByAlias(alias) {
        asked.push(bareHex(alias));
        return bareHex(alias) === bareHex(stored) ? entity(70n) : null;
      },
    };
    const items = [
      call(longZero, 0n),
      call(stored, 1n),
      call(
        Uint8Array.from({ length: 20 }, () => 0xcc),
        2n,
      ),
      item({
        consensus: at(3n),
        data: { cryptoCreateAccount: { alias: created } },
        receipt: { accountID: account(71n) },
        record: { evmAddress: created },
      }),
      call(created, 4n),
    ];
    const { transactions, entities } = await decodeUnit(items, 'a.rcd', lookup);
    expect(transactions.map(({ entityId }) => entityId)).toEqual([77n, 70n, null, 71n, 71n]);
    expect(asked).toEqual([bareHex(stored), 'cc'.repeat(20)]);
    expect(entities).toMatchObject([{ entity: 71n, type: 'ACCOUNT' }]);
  });

  test('an account with an ECDSA key as alias has the address of the key, named by the record or not', async () => {
    const point = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
    const alias = messages.Key.encode({ ECDSASecp256k1: Buffer.from(point, 'hex') });
    const created = (consensus: bigint, changes: Partial<LedgerEvent>) =>
      item({ consensus: at(consensus), receipt: { accountID: account(71n + consensus) }, ...changes });
    const { entities } = await decodeUnit(
      [
        created(0n, { data: { cryptoCreateAccount: { alias } } }),
        created(1n, { data: { cryptoCreateAccount: {} }, record: { alias } }),
        created(2n, {
          data: { cryptoCreateAccount: { key: { ECDSASecp256k1: Buffer.from(point, 'hex') } } },
        }),
      ],
      'a.rcd',
      emptyLookup,
    );
    expect(entities.map(({ evmAddress }) => evmAddress && bareHex(evmAddress))).toEqual([
      '7e5f4552091a69125d5dfcb7b8c2659029395bdf',
      '7e5f4552091a69125d5dfcb7b8c2659029395bdf',
      null,
    ]);
  });

  test('memo, batch key and unknown types keep their original bytes', async () => {
    const unknownType = Uint8Array.of(0xa2, 0x1f, 0);
    const badMemo = Uint8Array.of(0x32, 2, 0xff, 0xfe);
    const body = Buffer.concat([
      messages.TransactionBody.encode({
        transactionID: { accountID: account(5n) },
        batchKey: { ed25519: sha384().slice(0, 32) },
      }),
      badMemo,
      unknownType,
    ]);
    const signed = messages.SignedTransaction.encode({ bodyBytes: body });
    const record = messages.TransactionRecord.encode({
      consensusTimestamp: { seconds: 5n },
      receipt: { status: SUCCESS },
    });
    const transaction = messages.Transaction.encode({ signedTransactionBytes: signed });
    const rows = await decodeUnit([{ transaction, record }], 'a.rcd', emptyLookup);
    const [row] = rows.transactions;
    expect(row?.type).toBe(500);
    expect(bareHex(row?.memo ?? new Uint8Array())).toBe('fffe');
    expect(bareHex(row?.batchKey ?? new Uint8Array())).toMatch(/^1220/);
    expect(bareHex(row?.hash ?? new Uint8Array())).toBe(bareHex(sha384(signed)));
  });

  const tokenTransferLists = [
    {
      token,
      transfers: [
        { accountID: account(1n), amount: -4n },
        { accountID: account(2n), amount: 4n },
      ],
    },
    {
      token,
      nftTransfers: [{ senderAccountID: account(1n), receiverAccountID: account(2n), serialNumber: 3n }],
    },
  ];

  test.each([
    [SUCCESS, 2, 1],
    [FAIL_INVALID, 2, 1],
    [INVALID_TOPIC_ID, 0, 0],
  ])('status %d keeps %d token transfers', async (status, tokens, nfts) => {
    const row = await decodeOne({ status, record: { tokenTransferLists } });
    expect(row.tokenTransfers).toHaveLength(tokens);
    expect(row.nftTransfers).toHaveLength(nfts);
    expect(row.transfers.length).toBeGreaterThan(0);
  });

  test('a child has no effect when its parent failed, wherever it stands', async () => {
    const child = (offset: bigint) =>
      item({
        consensus: at(offset),
        parent: at(0n),
        nonce: 1,
        node: null,
        fee: 0n,
        record: { tokenTransferLists },
      });
    const family = (status: number) => [child(-1n), item({ status }), child(1n)];
    const failed = await decodeUnit(family(INVALID_TOPIC_ID), 'a.rcd', emptyLookup);
    expect(failed.transactions.map(({ tokenTransfers }) => tokenTransfers.length)).toEqual([0, 0, 0]);
    const successful = await decodeUnit(family(SUCCESS), 'a.rcd', emptyLookup);
    expect(successful.transactions.map(({ tokenTransfers }) => tokenTransfers.length)).toEqual([2, 0, 2]);
    expect(successful.transactions[0]).toMatchObject({ node: null, validDurationSeconds: null, maxFee: 0n });
  });

  test('approval is told for debits that the body marks', async () => {
    const data = {
      cryptoTransfer: {
        transfers: {
          accountAmounts: [
            { accountID: account(1n), amount: -7n, isApproval: true },
            { accountID: account(2n), amount: 7n, isApproval: true },
          ],
        },
        tokenTransfers: [
          { token, transfers: [{ accountID: account(1n), amount: -5n, isApproval: true }] },
          {
            token,
            nftTransfers: [
              {
                senderAccountID: account(1n),
                receiverAccountID: account(2n),
                serialNumber: 3n,
                isApproval: true,
              },
            ],
          },
        ],
      },
    };
    const row = await decodeOne({
      data,
      transfers: [
        [1n, -7n],
        [2n, 7n],
      ],
      record: { tokenTransferLists },
    });
    expect(row.transfers.filter(({ isApproval }) => isApproval)).toEqual([
      { account: 1n, amount: -7n, isApproval: true },
    ]);
    // The fee changed the amount, so any approved entry of the account decides.
    expect(row.tokenTransfers.map(({ isApproval }) => isApproval)).toEqual([true, false]);
    expect(row.nftTransfers[0]?.isApproval).toBe(true);
  });

  const ERRATA_END = 1_577_836_799_000_000_000n;
  test.each([
    ['the failed transfer of 2019', ERRATA_END - 1n, INSUFFICIENT_ACCOUNT_BALANCE, {}, [true, true]],
    ['one that succeeded', ERRATA_END - 1n, SUCCESS, {}, []],
    ['one of later', ERRATA_END, INSUFFICIENT_ACCOUNT_BALANCE, {}, []],
    ['another type', ERRATA_END - 1n, INSUFFICIENT_ACCOUNT_BALANCE, { consensusSubmitMessage: {} }, []],
  ])('what %s asked for never happened, its fees did', async (_name, time, status, other, expected) => {
    const accountAmounts = [
      { accountID: account(1n), amount: -7n },
      { accountID: account(2n), amount: 7n },
    ];
    const row = await decodeOne({
      consensus: consensusTimestamp(time),
      data: { cryptoTransfer: { transfers: { accountAmounts } }, ...other },
      status,
      transfers: [
        [1n, -7n],
        [2n, 7n],
      ],
    });
    expect(row.transfers.length).toBeGreaterThan(2);
    expect(row.transfers.flatMap(({ neverHappened }) => neverHappened ?? [])).toEqual(expected);
    if (expected.length > 0) {
      expect(row.transfers).toContainEqual({
        account: 2n,
        amount: 7n,
        isApproval: false,
        neverHappened: true,
      });
    }
  });

  test('limits, inner transactions and assessed fees are rows of their own', async () => {
    const inner = messages.SignedTransaction.encode({
      bodyBytes: messages.TransactionBody.encode({
        transactionID: { accountID: account(8n), transactionValidStart: { seconds: 1n } },
      }),
    });
    const row = await decodeOne({
      data: {
        atomicBatch: { transactions: [inner, Uint8Array.of(0xff)] },
        maxCustomFees: [
          { accountId: account(9n), fees: [{ amount: 3n }, { amount: 4n, denominatingTokenId: token }] },
        ],
        highVolume: true,
      },
      record: {
        highVolumePricingMultiplier: 4n,
        assessedCustomFees: [
          {
            amount: 2n,
            tokenId: token,
            feeCollectorAccountId: account(6n),
            effectivePayerAccountId: [account(1n)],
          },
        ],
      },
    });
    expect(row.type).toBe(74);
    expect(row.innerTransactions).toEqual([{ payer: 8n, validStart: 1_000_000_000n }]);
    expect(row.maxCustomFees).toEqual([
      { account: 9n, amount: 3n, denominatingToken: null },
      { account: 9n, amount: 4n, denominatingToken: 55n },
    ]);
    expect(row).toMatchObject({ highVolume: true, highVolumePricingMultiplier: 4n });
    expect(row.assessedCustomFees).toEqual([
      { amount: 2n, collector: 6n, token: 55n, effectivePayers: [1n] },
    ]);
  });

  test.each([
    [2n ** 62n, 2n ** 63n - 1n],
    [-(2n ** 62n), -(2n ** 63n) + 1n],
  ])('a valid start of %d seconds is stored as the nearest time that fits', async (seconds, expected) => {
    const transactionID = { accountID: account(1001n), transactionValidStart: { seconds } };
    expect(await decodeOne({ data: { transactionID, consensusSubmitMessage: {} } })).toMatchObject({
      validStart: expected,
    });
  });

  test('node changes keep what an update does not name', async () => {
    const items = [
      item({
        data: {
          nodeCreate: {
            accountId: account(20n),
            adminKey: { ed25519: Uint8Array.of(1) },
            declineReward: true,
            grpcProxyEndpoint: { ipAddressV4: Uint8Array.of(10, 0, 0, 1), port: 443 },
            associatedRegisteredNode: [4n],
          },
        },
        receipt: { nodeId: 6n },
      }),
      item({ consensus: at(1n), data: { nodeUpdate: { nodeId: 6n, declineReward: { value: false } } } }),
      item({ consensus: at(2n), data: { nodeDelete: { nodeId: 6n } } }),
      item({ consensus: at(3n), data: { nodeDelete: { nodeId: 7n } }, status: INVALID_TOPIC_ID }),
    ];
    const { nodeChanges } = await decodeUnit(items, 'a.rcd', emptyLookup);
    expect(nodeChanges).toHaveLength(3);
    expect(nodeChanges[0]).toMatchObject({
      nodeId: 6n,
      account: 20n,
      declineReward: true,
      grpcProxyEndpoint: { domainName: '', ipAddressV4: '10.0.0.1', port: 443 },
      associatedRegisteredNodes: [4n],
      deleted: false,
    });
    expect(nodeChanges[1]).toEqual({ nodeId: 6n, consensusTimestamp: at(1n), declineReward: false });
    expect(nodeChanges[2]).toEqual({ nodeId: 6n, consensusTimestamp: at(2n), deleted: true });
  });

  test('a node that the network itself moved into the state is created by that update', async () => {
    const items = [
      item({ data: { nodeCreate: { accountId: account(20n) } }, receipt: { nodeId: 6n } }),
      item({ consensus: at(1n), nonce: 1, data: { nodeUpdate: { nodeId: 2n } } }),
      item({ consensus: at(2n), data: { nodeUpdate: { nodeId: 2n } } }),
    ];
    const { nodeChanges } = await decodeUnit(items, 'a.rcd', emptyLookup);
    expect(nodeChanges.map(({ createdTimestamp }) => createdTimestamp)).toEqual([at(0n), at(1n), undefined]);
  });

  test('a publication of the ledger id is kept whole, that of a failed publication is not', async () => {
    const published = (...ledgerId: number[]) => ({
      ledgerIdPublication: { ledgerId: Uint8Array.from(ledgerId) },
    });
    const items = [
      item({ data: published(1, 2) }),
      item({ consensus: at(1n), data: published(3), status: FAIL_INVALID }),
    ];
    const { publications } = await decodeUnit(items, 'a.rcd', emptyLookup);
    expect(publications).toEqual([
      { consensusTimestamp: at(0n), ledgerId: Uint8Array.of(1, 2), body: Uint8Array.of(0x0a, 2, 1, 2) },
    ]);
  });

  test('custom fees of tokens and topics follow their updates', async () => {
    const fee = { fixedFee: { amount: 1n } };
    const items = [
      item({ data: { tokenFeeScheduleUpdate: { tokenId: token, customFees: [fee, fee] } } }),
      item({
        consensus: at(1n),
        data: { consensusUpdateTopic: { topicID: { topicNum: 11n }, customFees: { fees: [fee] } } },
      }),
      item({ consensus: at(2n), data: { consensusUpdateTopic: { topicID: { topicNum: 11n } } } }),
    ];
    const rows = await decodeUnit(items, 'a.rcd', emptyLookup);
    expect(rows.customFees.map(({ entity, fixedFees, of }) => [of, entity, fixedFees.length])).toEqual([
      ['token', 55n, 2],
      ['topic', 11n, 1],
    ]);
    // The second update tells nothing of the fees.
    expect(rows.topics.map(({ fixedFeeCount }) => fixedFeeCount)).toEqual([1, undefined]);
  });

  test('bytes that are no messages are malformed, and the file is named', async () => {
    const broken = { transaction: Uint8Array.of(0x0a, 9), record: Uint8Array.of(1) };
    await expect(decodeUnit([broken], 'a.rcd', emptyLookup)).rejects.toMatchObject({
      code: 'malformed',
      message: expect.stringContaining('a.rcd'),
    });
  });
});
