import { expect, test } from 'vitest';
import { madeParts } from '../../../../test/kit/mirror/ingest/made-block.ts';
import { buildMirrorApp } from '../../../../test/kit/mirror/mirror-app.ts';
import { ledgerItem } from '../../../../tools/network/ledger-item.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { StreamItem } from '../../items/stream-item.ts';
import { fixtureUnit } from '../../ledger/fixture-unit.ts';
import { messages } from '../../protobuf/messages.ts';
import { bodyOf } from '../../protobuf/transaction-body.ts';
import { rawField } from '../../protobuf/wire.ts';
import { WireWriter } from '../../protobuf/wire-writer.ts';
import { blockRecords } from '../block-records/block-records.ts';
import { ITEM } from '../block-records/field-numbers.ts';
import type { BlockPart } from '../block-records/read-transactions.ts';
import { decodeUnit } from './decode-unit.ts';
import { emptyLookup } from './known-entities.ts';

const AT = consensusTimestamp(1_700_000_000_000_000_000n);
const KIND = 500;
const STATUS = 9999;
const strange = new WireWriter().delimited(KIND, Uint8Array.of(8, 1)).finish();

/** A `SignedTransaction` with a body of a kind that nobody knows yet. */
function signedWithKind(body: Uint8Array): Uint8Array {
  return messages.SignedTransaction.encode({ bodyBytes: Buffer.concat([body, strange]), sigMap: {} });
}

function recordItem(): StreamItem {
  const { record, transaction } = ledgerItem(
    {
      ...{ consensus: AT, validStart: consensusTimestamp(AT - 9n), payer: 1001n, data: {} },
      ...{ status: STATUS, fee: 10n, node: 3n },
    },
    { shard: 0n, realm: 0n },
  );
  const signedTransactionBytes = signedWithKind(bodyOf(transaction));
  return { record, transaction: messages.Transaction.encode({ signedTransactionBytes }) };
}

/** With an item between transaction and result whose kind nobody knows either. */
function blockItem(): StreamItem {
  const [signed, result] = madeParts({ at: AT, data: {}, status: STATUS }) as [BlockPart, BlockPart];
  const bytes = signedWithKind(rawField(signed.bytes, 1) ?? new Uint8Array());
  const parts = [{ field: ITEM.signedTransaction, bytes }, { field: 90, bytes: strange }, result];
  const [item] = blockRecords(parts).items;
  return item ?? expect.fail('the block has no transaction');
}

test.each([
  ['a record file', recordItem],
  ['a block', blockItem],
])('a kind, a status and an item of the future in %s are kept and shown as UNKNOWN', async (_of, make) => {
  const item = make();
  const rows = await decodeUnit([item], 'a', emptyLookup);
  expect(rows.transactions).toMatchObject([
    { type: KIND, result: STATUS, entityId: null, transactionBytes: item.transaction },
  ]);
  const mirror = await buildMirrorApp();
  await mirror.area.ledger.commitUnit(fixtureUnit('a', rows));
  const answer = await mirror.app.inject('/api/v1/transactions');
  await mirror.close();
  expect(answer.json()).toMatchObject({
    transactions: [{ name: 'UNKNOWN', result: 'UNKNOWN', entity_id: null }],
  });
});

test('of a kind of the future nothing is derived beyond what the record contains', async () => {
  const party = (accountNum: bigint, amount: bigint) => ({ accountID: { accountNum }, amount });
  const token = { tokenNum: 77n };
  const record = messages.TransactionRecord.encode({
    receipt: { status: 22 },
    consensusTimestamp: { seconds: AT / 1_000_000_000n, nanos: 0 },
    tokenTransferLists: [{ token, transfers: [party(1001n, -5n), party(1002n, 5n)] }],
    contractCallResult: { contractID: { contractNum: 9n }, gasUsed: 21_000n },
    automaticTokenAssociations: [{ accountId: { accountNum: 1002n }, tokenId: token }],
  });
  const { transaction } = recordItem();
  const rows = await decodeUnit([{ record, transaction }], 'a', emptyLookup);
  expect(rows.transactions).toMatchObject([
    { type: KIND, tokenTransfers: [{ amount: -5n }, { amount: 5n }], transactionBytes: transaction },
  ]);
  expect(rows).toMatchObject({ contractLogs: [], contractResults: [], tokenRelations: [] });
});

/** Of a body that has its kind alone, in a record file. */
function namelessRecord(): StreamItem {
  const transferList = {
    accountAmounts: [
      { accountID: { alias: new Uint8Array(20).fill(9) }, amount: -5n },
      { accountID: { accountNum: 7n }, amount: 5n },
    ],
  };
  const { nanos, seconds } = { seconds: AT / 1_000_000_000n, nanos: 0 };
  return {
    transaction: messages.Transaction.encode({ signedTransactionBytes: signedWithKind(new Uint8Array()) }),
    record: messages.TransactionRecord.encode({
      receipt: { status: 22 },
      consensusTimestamp: { seconds, nanos },
      transferList,
      assessedCustomFees: [{ amount: 1n }],
      paidStakingRewards: [{ amount: 1n }],
    }),
  };
}

function namelessInBlock(): StreamItem {
  const [, result] = madeParts({
    ...{ at: AT, data: {} },
    result: { transferList: { accountAmounts: [{ accountID: { accountNum: 7n }, amount: 5n }] } },
  }) as [BlockPart, BlockPart];
  const parts = [{ field: ITEM.signedTransaction, bytes: signedWithKind(new Uint8Array()) }, result];
  return blockRecords(parts).items[0] ?? expect.fail('the block has no transaction');
}

test.each([
  ['a record file', namelessRecord],
  ['a block', namelessInBlock],
])(
  'a transaction in %s without an account is stored, without transfers that have none',
  async (_of, make) => {
    const rows = await decodeUnit([make()], 'a', emptyLookup);
    const mirror = await buildMirrorApp();
    await mirror.area.ledger.commitUnit(fixtureUnit('a', rows));
    const answer = await mirror.app.inject('/api/v1/transactions');
    const single = await mirror.app.inject('/api/v1/transactions/0.0.0-0-000000000');
    await mirror.close();
    expect(answer.json().transactions).toMatchObject([
      {
        ...{ name: 'UNKNOWN', node: null, staking_reward_transfers: [] },
        transaction_id: '0.0.0-0-000000000',
        transfers: [{ account: '0.0.7', amount: 5 }],
        valid_start_timestamp: '0.000000000',
      },
    ]);
    expect(single.statusCode).toBe(200);
  },
);
