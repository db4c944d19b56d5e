import { describe, expect, test } from 'vitest';
import {
  decodedRecords,
  idBytes,
  type MadeTransaction,
  madeParts,
  madeRecords,
  signedTransaction,
} from '../../../../test/kit/mirror/ingest/made-block.ts';
import { timeBytes } from '../../../../tools/network/block-container.ts';
import { output } from '../../../../tools/network/output-parts.ts';
import {
  accountChange,
  entityChange,
  mapDelete,
  numberedChange,
  stateChanges,
  tokenRelationChange,
} from '../../../../tools/network/state-change-writer.ts';
import { bareHex } from '../../../values/hex.ts';
import { decodeItem } from '../../items/decoded-item.ts';
import { messages } from '../../protobuf/messages.ts';
import { WireWriter } from '../../protobuf/wire-writer.ts';
import { sha384 } from '../sha384.ts';
import { blockRecords } from './block-records.ts';
import { HEADER, ITEM, STATE, TRACE } from './field-numbers.ts';
import type { BlockPart } from './read-transactions.ts';

const num = (id: unknown): bigint => {
  const { fileNum, topicNum, tokenNum, accountNum, contractNum, scheduleNum } = (id ?? {}) as Record<
    string,
    { low: number } | undefined
  >;
  return BigInt((fileNum ?? topicNum ?? tokenNum ?? accountNum ?? contractNum ?? scheduleNum)?.low ?? -1);
};
const transfer: MadeTransaction = { at: 10n, data: { cryptoTransfer: {} } };
const signedOfKind = (kind: number): BlockPart => {
  const body = new WireWriter().delimited(kind, Uint8Array.of(8, 1)).finish();
  return { field: ITEM.signedTransaction, bytes: new WireWriter().delimited(1, body).finish() };
};
const STATE_SIGNATURE = 65;
const stateSignature = signedOfKind(STATE_SIGNATURE);
const topicID = { shardNum: 0n, realmNum: 0n, topicNum: 70n };
const token = { shardNum: 0n, realmNum: 0n, tokenNum: 90n };
const topicState = (sequence: bigint, hash: number) =>
  entityChange(STATE.topics, idBytes(70n), (writer) =>
    writer.varint(2, sequence).delimited(7, Uint8Array.of(hash)),
  );
const supplyState = (supply: bigint) =>
  entityChange(STATE.tokens, idBytes(90n), (writer) => writer.varint(5, supply));

describe('blockRecords', () => {
  test('copies what the result tells, and takes id and memo from the body', () => {
    const amounts = [{ accountID: { shardNum: 0n, realmNum: 0n, accountNum: 5n }, amount: -7n }];
    const [item] = decodedRecords({ ...transfer, result: { transferList: { accountAmounts: amounts } } });
    expect(item?.record.transferList?.accountAmounts).toMatchObject([{ amount: { low: -7 } }]);
    expect(item?.record).toMatchObject({ memo: 'at 10', receipt: { status: 22 } });
    expect(item?.record.transactionID).toEqual(item?.body.transactionID);
    expect(item?.consensusTimestamp).toBe(10n);
  });

  test('the hash is over the envelope that the sender used', () => {
    const [item] = decodedRecords(transfer);
    expect(bareHex(item?.hash ?? new Uint8Array())).toBe(bareHex(sha384(signedTransaction(transfer))));
    const old = { ...transfer, usesOldHash: true };
    const [oldItem] = decodedRecords(old);
    const { bodyBytes, sigMap } = messages.SignedTransaction.decodePlain(signedTransaction(old));
    const envelope = messages.Transaction.encode({ bodyBytes, sigMap });
    expect(bareHex(oldItem?.item.transaction ?? new Uint8Array())).toBe(bareHex(envelope));
    expect(bareHex(oldItem?.hash ?? new Uint8Array())).toBe(bareHex(sha384(envelope)));
  });

  test.each([STATE_SIGNATURE, 24, 120, 500])(
    'a signed transaction of kind %i without a result is left out, and is not taken for the next one',
    (kind) => {
      const alone = signedOfKind(kind);
      const { items } = blockRecords([alone, ...madeParts(transfer), alone]);
      expect(items.map(decodeItem).map(({ type }) => type)).toEqual([14]);
    },
  );

  test.each([
    ['nothing', []],
    ['signatures alone', [0x12, 0]],
    ['no message', [0xff]],
  ])('a signed transaction without a result that holds %s refuses no block', (_what, bytes) => {
    const alone = { field: ITEM.signedTransaction, bytes: Uint8Array.from(bytes) };
    const { items, mayBeMoved } = blockRecords([alone, ...madeParts(transfer), alone]);
    expect(items).toHaveLength(1);
    expect(mayBeMoved).toBe(false);
  });

  test('a result may be that of another where a transaction lacks one, though the root would be the same', () => {
    const [signed, own] = madeParts(transfer) as [BlockPart, BlockPart];
    const [other] = madeParts({ ...transfer, at: 11n }) as [BlockPart];
    for (const parts of [
      [stateSignature, own, signed],
      [other, signed, own],
      [signed, own, other],
    ]) {
      expect(blockRecords(parts).mayBeMoved).toBe(true);
    }
    // Nodes may send each other more kinds than are known.
    const [future] = madeParts({ ...transfer, at: 11n, data: {} }) as [BlockPart];
    for (const strange of [stateSignature, future]) {
      expect(blockRecords([strange, signed, own, strange]).mayBeMoved).toBe(false);
    }
  });

  test.each([
    ['known', { cryptoTransfer: {} }],
    ['of a hook', {}],
  ])('a transaction without a result is left out whatever its kind: %s', (_name, data) => {
    const [without] = madeParts({ ...transfer, at: 11n, data }) as [BlockPart];
    const { items } = blockRecords([without, ...madeParts(transfer), without]);
    expect(items.map(decodeItem).map(({ consensusTimestamp }) => consensusTimestamp)).toEqual([transfer.at]);
  });

  test('state changes belong to the transaction of their time, wherever the copy of the block has them', () => {
    const file = entityChange(STATE.files, idBytes(1001n), (writer) => writer);
    const parts = madeParts({ at: 10n, data: { fileCreate: {} }, changes: [file] });
    const [changes, ...others] = parts.toReversed() as [BlockPart, ...BlockPart[]];
    const header = { field: ITEM.header, bytes: new WireWriter().varint(HEADER.number, 5n).finish() };
    for (const moved of [
      [header, changes, ...others.toReversed(), ...madeParts({ ...transfer, at: 11n })],
      [header, ...others.toReversed(), ...madeParts({ ...transfer, at: 11n }), changes],
    ]) {
      const [created] = blockRecords(moved).items.map(decodeItem);
      expect(num(created?.record.receipt?.fileID)).toBe(1001n);
    }
  });

  test('transactions stay in the order of the block, whatever their times', () => {
    const late = decodedRecords({ ...transfer, at: 30n }, { ...transfer, at: 20n, parent: 30n });
    expect(late.map(({ consensusTimestamp }) => consensusTimestamp)).toEqual([30n, 20n]);
  });

  const result = {
    field: ITEM.transactionResult,
    bytes: new WireWriter().delimited(2, timeBytes(5n)).finish(),
  };
  test.each([
    ['a result without a transaction', [result]],
    ['an output without a transaction', [{ field: ITEM.transactionOutput, bytes: new Uint8Array() }]],
    ['a trace without a transaction', [{ field: ITEM.traceData, bytes: new Uint8Array() }]],
    [
      'a result without a time',
      [...madeParts(transfer).slice(0, 1), { field: ITEM.transactionResult, bytes: Uint8Array.of() }],
    ],
    ['a transaction without a body', [{ field: ITEM.signedTransaction, bytes: Uint8Array.of() }, result]],
  ])('%s is malformed', (_name, parts) => {
    expect(() => blockRecords(parts)).toThrowError(expect.objectContaining({ code: 'malformed' }));
  });
});

describe('a batch', () => {
  const inner = (at: bigint, more: Partial<MadeTransaction> = {}): MadeTransaction => ({
    at,
    parent: 10n,
    isInner: true,
    data: { fileCreate: {} },
    ...more,
  });
  const batchOf = (
    inners: readonly MadeTransaction[],
    more: Partial<MadeTransaction> = {},
  ): MadeTransaction => ({
    at: 10n,
    data: { atomicBatch: { transactions: inners.map(signedTransaction) } },
    ...more,
  });

  test('has its inner transactions in the order of its body, with children between them', () => {
    const child: MadeTransaction = { at: 12n, parent: 11n, nonce: 1, data: { cryptoTransfer: {} } };
    const inners = [inner(11n), inner(13n, { data: { tokenMint: { token } } })];
    const [first, second] = inners as [MadeTransaction, MadeTransaction];
    const items = decodedRecords(batchOf(inners), first, child, second, { ...transfer, at: 20n });
    expect(items.map(({ body, type }) => [type, body.memo])).toEqual([
      [74, 'at 10'],
      [17, 'at 11'],
      [14, 'at 12'],
      [37, 'at 13'],
      [14, 'at 20'],
    ]);
  });

  test('does not take the result of a transaction behind it, which came before those of its own', () => {
    const inners = [inner(11n), inner(12n)];
    const [behind, result] = madeParts({ ...transfer, at: 20n }) as [BlockPart, BlockPart];
    const parts = [...madeParts(batchOf(inners)), behind, ...inners.flatMap(madeParts), result];
    expect(() => blockRecords(parts)).toThrowError(/names no parent/);
  });

  test('that failed in the middle has no transactions after that', () => {
    const inners = [inner(11n), inner(12n, { status: 7 }), inner(13n)];
    const failed = { status: 349 };
    const items = decodedRecords(batchOf(inners, failed), ...inners.slice(0, 2), { ...transfer, at: 20n });
    expect(items.map(({ result }) => result)).toEqual([349, 22, 7, 22]);
    expect(items.map(({ record }) => num(record.receipt?.fileID))).toEqual([-1n, -1n, -1n, -1n]);
  });

  test('gives created ids from the last creation to the first, and leaves those that are older', () => {
    const inners = [11n, 12n, 13n, 14n, 15n].map((at, index) =>
      inner(at, {
        data:
          [
            { fileCreate: {} },
            { consensusCreateTopic: {} },
            { fileUpdate: { fileID: { shardNum: 0n, realmNum: 0n, fileNum: 40n } } },
            { fileCreate: {} },
            { tokenCreation: {} },
          ][index] ?? {},
      }),
    );
    const files = [52n, 40n, 51n].map((file) => entityChange(STATE.files, idBytes(file)));
    const others = [entityChange(STATE.topics, idBytes(53n)), entityChange(STATE.tokens, idBytes(54n))];
    const items = decodedRecords(batchOf(inners, { changes: [...files, ...others] }), ...inners);
    const receipts = items.map(({ record }) => record.receipt);
    expect(receipts.map((receipt) => num(receipt?.fileID))).toEqual([-1n, 51n, -1n, -1n, 52n, -1n]);
    expect(num(receipts[2]?.topicID)).toBe(53n);
    expect(num(receipts[5]?.tokenID)).toBe(54n);
  });

  test('undoes supplies from its end, also of NFTs, and tells serial numbers', () => {
    const nfts = [8n, 7n].map((serialNumber) => ({ serialNumber }));
    const mintNfts = inner(14n, {
      data: { tokenMint: { token, metadata: [Uint8Array.of(1), Uint8Array.of(2)] } },
      result: { tokenTransferLists: [{ token, nftTransfers: nfts }] },
    });
    const inners = [
      inner(11n, { data: { tokenMint: { token, amount: 5n } } }),
      inner(12n, { data: { tokenBurn: { token, amount: 2n } } }),
      inner(13n, { data: { tokenWipe: { token, serialNumbers: [1n, 2n, 3n] } } }),
      mintNfts,
    ];
    const items = decodedRecords(
      { at: 5n, data: { tokenMint: { token, amount: 100n } } },
      batchOf(inners, { changes: [supplyState(1000n)] }),
      ...inners,
    );
    const supplies = items.map(({ record }) => record.receipt as unknown as Record<string, { low: number }>);
    expect(supplies.map((receipt) => receipt['newTotalSupply']?.low)).toEqual([
      998, 0, 1003, 1001, 998, 1000,
    ]);
    expect(messages.TransactionRecord.decodePlain(items[5]?.item.record ?? new Uint8Array())).toMatchObject({
      receipt: { serialNumbers: [7n, 8n] },
    });
  });

  test('counts the messages of a topic back; the running hash is that of the last one', () => {
    const submit = (at: bigint) => inner(at, { data: { consensusSubmitMessage: { topicID } } });
    const inners = [submit(11n), submit(12n)];
    const items = madeRecords(batchOf(inners, { changes: [topicState(9n, 0xab)] }), ...inners).items;
    const receipts = items.map(({ record }) => messages.TransactionRecord.decodePlain(record)['receipt']);
    expect(receipts.slice(1)).toEqual([
      { status: 22, topicSequenceNumber: 8n, topicRunningHashVersion: 3n },
      {
        status: 22,
        topicSequenceNumber: 9n,
        topicRunningHash: Uint8Array.of(0xab),
        topicRunningHashVersion: 3n,
      },
    ]);
  });
});

describe('what a result does not tell', () => {
  const receiptOf = (...made: readonly MadeTransaction[]) =>
    madeRecords(...made).items.map(
      ({ record }) => messages.TransactionRecord.decodePlain(record)['receipt'] as Record<string, unknown>,
    );

  // The order of the block counts, whatever the times.
  test.each([
    [10n, 11n],
    [11n, 10n],
  ])('messages of a round, at %s and %s, share the state change at its end', (at, later) => {
    const submit = { data: { consensusSubmitMessage: { topicID } } };
    const [first, second] = receiptOf(
      { ...submit, at, changes: [] },
      { ...submit, at: later, changes: [] },
      { ...transfer, at: 12n, changes: [topicState(5n, 1)] },
    );
    expect([first, second]).toMatchObject([{ topicSequenceNumber: 4n }, { topicSequenceNumber: 5n }]);
  });

  test('a trace wins over the state of the topic', () => {
    const message = new WireWriter().varint(1, 3n).delimited(2, Uint8Array.of(0xcd)).finish();
    const trace = new WireWriter().delimited(TRACE.submitMessage, message).finish();
    const [receipt] = receiptOf({
      at: 10n,
      data: { consensusSubmitMessage: { topicID } },
      traces: [trace],
      changes: [topicState(5n, 1)],
    });
    expect(receipt).toMatchObject({ topicSequenceNumber: 3n, topicRunningHash: Uint8Array.of(0xcd) });
  });

  test('nodes and registered nodes get the number of the state', () => {
    const create = (at: bigint, data: MadeTransaction['data'], change: Uint8Array): MadeTransaction => ({
      at,
      data,
      changes: [change],
    });
    const [node, zero, registered] = receiptOf(
      create(10n, { nodeCreate: {} }, numberedChange(STATE.nodes, 6n)),
      create(11n, { nodeCreate: {} }, numberedChange(STATE.nodes, 0n)),
      create(12n, { registeredNodeCreate: {} }, numberedChange(STATE.registeredNodes, 41n)),
    );
    expect(node).toEqual({ status: 22, nodeId: 6n });
    expect(zero).toEqual({ status: 22 });
    expect(registered).toEqual({ status: 22, registeredNodeId: 41n });
  });

  test('schedules name themselves and what they will run, in outputs', () => {
    const transactionId = messages.TransactionRecord.encode({ transactionID: { nonce: 3 } }).subarray(2);
    const create = new WireWriter().delimited(1, idBytes(60n)).delimited(2, transactionId).finish();
    const sign = new WireWriter()
      .delimited(1, new WireWriter().delimited(1, timeBytes(9n)).varint(4, 3).finish())
      .finish();
    const [created, signed] = receiptOf(
      { at: 10n, data: { scheduleCreate: {} }, outputs: [output('createSchedule', create)] },
      { at: 11n, data: { scheduleSign: {} }, outputs: [output('signSchedule', sign)] },
    );
    expect(created).toMatchObject({
      scheduleID: { scheduleNum: 60n },
      scheduledTransactionID: { nonce: 3 },
    });
    expect(signed).toMatchObject({ scheduledTransactionID: { nonce: 3 } });
  });

  test('random numbers and bytes come from outputs, 0 too', () => {
    const prng = (write: (writer: WireWriter) => WireWriter): MadeTransaction => ({
      at: 10n,
      data: { utilPrng: {} },
      outputs: [output('prng', write(new WireWriter()).finish())],
    });
    const records = [
      prng((writer) => writer.delimited(1, Uint8Array.of(1, 2))),
      prng((writer) => writer.setVarint(2, 0)),
    ].map((made) =>
      messages.TransactionRecord.decodePlain(madeRecords(made).items[0]?.record ?? Uint8Array.of()),
    );
    expect(records).toMatchObject([{ prngBytes: Uint8Array.of(1, 2) }, { prngNumber: 0 }]);
  });

  test('an account without an output is found by its alias, a contract by its address', () => {
    const alias = new Uint8Array(20).fill(7);
    const changes = [accountChange({ id: idBytes(1234n), balance: 1n, alias })];
    const contractID = { shardNum: 0n, realmNum: 0n, evmAddress: alias };
    const records = madeRecords(
      { at: 10n, data: { cryptoCreateAccount: { alias } }, changes },
      { at: 11n, data: { contractUpdateInstance: { contractID } }, changes },
    ).items.map(({ record }) => messages.TransactionRecord.decodePlain(record));
    expect(records[0]).toMatchObject({
      receipt: { accountID: { accountNum: 1234n } },
      evmAddress: alias,
    });
    expect(records[1]).toMatchObject({ receipt: { contractID: { contractNum: 1234n } } });
  });

  test('a child before its parent and a scheduled transaction share the state of their neighbour', () => {
    const alias = new Uint8Array(20).fill(8);
    const changes = [
      accountChange({ id: idBytes(99n), balance: 1n, alias }),
      entityChange(STATE.topics, idBytes(70n)),
    ];
    const items = decodedRecords(
      { at: 10n, nonce: 1, validStart: 3n, data: { cryptoCreateAccount: { alias } } },
      { at: 11n, validStart: 3n, data: { cryptoTransfer: {} }, changes },
      { at: 12n, scheduled: true, data: { consensusCreateTopic: {} } },
    );
    expect(num(items[0]?.record.receipt?.accountID)).toBe(99n);
    expect(num(items[2]?.record.receipt?.topicID)).toBe(70n);
  });
});

describe('balances of the state', () => {
  const header = (number: bigint) => ({
    field: ITEM.header,
    bytes: new WireWriter().varint(HEADER.number, number).delimited(HEADER.timestamp, timeBytes(3n)).finish(),
  });
  const loose = (balance: bigint) => ({
    field: ITEM.stateChanges,
    bytes: stateChanges(new Uint8Array(), [accountChange({ id: idBytes(2n), balance })]),
  });
  const moved: MadeTransaction = {
    ...transfer,
    changes: [
      accountChange({ id: idBytes(5n), balance: 1n }),
      accountChange({ id: idBytes(6n), balance: 0n }),
    ],
  };

  test('are the last ones of each account; those without a transaction are the opening state of block 0 alone', () => {
    const again = { ...moved, at: 20n, changes: [accountChange({ id: idBytes(5n), balance: 4n })] };
    const parts = (number: bigint) => [header(number), loose(77n), ...madeParts(moved), ...madeParts(again)];
    const states = [
      { account: 5n, balance: 4n, timestamp: 20n },
      { account: 6n, balance: 0n, timestamp: 10n },
    ];
    const opening = { account: 2n, balance: 77n, timestamp: 3n };
    const first = blockRecords(parts(0n));
    expect(first.openingState).toEqual([{ timestamp: 3n, changes: loose(77n).bytes }]);
    expect(first.accountStates).toEqual(states);
    const later = blockRecords(parts(9n));
    expect(later.openingState).toEqual([]);
    expect(later.accountStates).toEqual([opening, ...states]);
  });

  test('of tokens end with their relation', () => {
    const pair = new WireWriter().delimited(1, idBytes(5n)).delimited(2, idBytes(90n)).finish();
    const { tokenStates } = madeRecords(
      { ...transfer, changes: [tokenRelationChange(idBytes(5n), idBytes(90n), 12n)] },
      { ...transfer, at: 20n, changes: [mapDelete(STATE.tokenRelations, pair)] },
      { ...transfer, at: 30n, changes: [tokenRelationChange(idBytes(6n), idBytes(90n), 0n)] },
    );
    expect(tokenStates).toEqual([
      { account: 5n, token: 90n, balance: null, timestamp: 20n },
      { account: 6n, token: 90n, balance: 0n, timestamp: 30n },
    ]);
  });
});
