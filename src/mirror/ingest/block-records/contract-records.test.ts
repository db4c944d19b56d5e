import { Bloom } from 'ox';
import { describe, expect, test } from 'vitest';
import {
  decodedRecords,
  idBytes,
  type MadeTransaction,
  madeParts,
  madeRecords,
  signedTransaction,
} from '../../../../test/kit/mirror/ingest/made-block.ts';
import { output } from '../../../../tools/network/output-parts.ts';
import {
  accountChange,
  entityChange,
  mapDelete,
  mapUpdate,
} from '../../../../tools/network/state-change-writer.ts';
import { executedHook } from '../../items/own-members.ts';
import { type MessageObject, messages, messageType } from '../../protobuf/messages.ts';
import { WireWriter } from '../../protobuf/wire-writer.ts';
import { isSuccess } from '../../vocabulary/response-codes.ts';
import { blockRecords } from './block-records.ts';
import { EVM_RESULT, EVM_TRACE, OUTPUT, STATE, TRACE } from './field-numbers.ts';

const CALLED = idBytes(2004n);
const CREATED = idBytes(4001n);
const called = { contractNum: 2004n };
const callBody = {
  contractCall: {
    contractID: { shardNum: 0n, realmNum: 0n, contractNum: 2004n },
    gas: 300n,
    amount: 4n,
    functionParameters: Uint8Array.of(9),
  },
};
const evm = (contract: Uint8Array, more: (writer: WireWriter) => WireWriter = (writer) => writer) =>
  more(
    new WireWriter()
      .delimited(EVM_RESULT.sender, idBytes(5n))
      .delimited(EVM_RESULT.contract, contract)
      .varint(EVM_RESULT.gasUsed, 21_000),
  ).finish();
const inMember = (member: number, bytes: Uint8Array) => new WireWriter().delimited(member, bytes).finish();
const trace = (...parts: readonly (readonly [member: number, bytes: Uint8Array])[]) => {
  const writer = new WireWriter();
  for (const [member, bytes] of parts) writer.delimited(member, bytes);
  return inMember(TRACE.evm, writer.finish());
};
const call = (at: bigint, more: Partial<MadeTransaction> = {}): MadeTransaction => ({
  at,
  data: callBody,
  outputs: [output('contractCall', inMember(1, evm(CALLED)))],
  ...more,
});
const recordsOf = (...made: readonly MadeTransaction[]) =>
  madeRecords(...made).items.map(({ record }) => messages.TransactionRecord.decodePlain(record));
const sidecarOf = (...made: readonly MadeTransaction[]) => {
  const [sidecar] = madeRecords(...made).sidecars;
  const file = messageType('proto.SidecarFile').decodePlain(sidecar?.contents ?? new Uint8Array());
  return { types: sidecar?.types, records: (file['sidecarRecords'] ?? []) as readonly MessageObject[] };
};
const word = (value: number) => Uint8Array.from({ length: 32 }, (_, index) => (index === 31 ? value : 0));

describe('the result of a contract', () => {
  test('is that of the output, with what the body asked for', () => {
    const [record] = recordsOf(call(10n));
    expect(record).toMatchObject({
      receipt: { contractID: called },
      contractCallResult: {
        contractID: called,
        gasUsed: 21_000n,
        senderId: { accountNum: 5n },
        gas: 300n,
        amount: 4n,
        functionParameters: Uint8Array.of(9),
      },
    });
  });

  test('the context of an internal call wins over the body', () => {
    const context = new WireWriter().varint(1, 7n).varint(2, 8n).delimited(3, Uint8Array.of(1)).finish();
    const result = evm(CALLED, (writer) => writer.delimited(EVM_RESULT.callContext, context));
    const [record] = recordsOf(call(10n, { outputs: [output('contractCall', inMember(1, result))] }));
    expect(record?.['contractCallResult']).toMatchObject({
      gas: 7n,
      amount: 8n,
      functionParameters: Uint8Array.of(1),
    });
  });

  test('keeps the hook that ran, which records of networks do not name', () => {
    const hook = messages.HookId.encode({ entityId: { accountId: { accountNum: 7n } }, hookId: 3n });
    const result = evm(CALLED, (writer) => writer.delimited(EVM_RESULT.executedHook, hook));
    const [named, other] = decodedRecords(
      call(10n, { outputs: [output('contractCall', inMember(1, result))] }),
      call(11n),
    );
    const hooks = [named, other].map((item) => item && executedHook(item));
    expect(hooks).toEqual([Uint8Array.from(hook), null]);
  });

  test('any transaction may have one, as children that a contract made have', () => {
    const [, child] = recordsOf(call(10n), call(11n, { parent: 10n, data: { cryptoTransfer: {} } }));
    expect(child?.['contractCallResult']).toMatchObject({ contractID: called });
  });

  test.each([
    ['call', 1, 'contractCallResult'],
    ['creation', 2, 'contractCreateResult'],
  ])('of an Ethereum %s is told by its member, its hash is computed', (_name, member, result) => {
    const ethereumData = Uint8Array.of(1, 2, 3);
    const data = { ethereumTransaction: { ethereumData } };
    const outputs = [output('ethereum', inMember(member, evm(CREATED)))];
    const [record] = recordsOf({ at: 10n, data, outputs });
    expect(record?.[result]).toMatchObject({ contractID: { contractNum: 4001n } });
    expect(Buffer.from(record?.['ethereumHash'] as Uint8Array).toString('hex')).toBe(
      'f1885eda54b7a053318cd41e2093220dab15d65381b1157a3633a83bfd5c9239',
    );
    const file = { shardNum: 0n, realmNum: 0n, fileNum: 8n };
    const [offloaded] = recordsOf({
      at: 10n,
      data: { ethereumTransaction: { ethereumData, callData: file } },
    });
    expect(offloaded).not.toHaveProperty('ethereumHash.length', 32);
  });

  test('a created contract without an id in its result gets the new one of the state, and its address', () => {
    const create: MadeTransaction = {
      at: 11n,
      parent: 10n,
      data: { contractCreateInstance: {} },
      outputs: [
        output('contractCreate', inMember(1, new WireWriter().varint(EVM_RESULT.gasUsed, 1).finish())),
      ],
    };
    const alias = new Uint8Array(20).fill(3);
    const changes = [
      mapUpdate(STATE.bytecode, CREATED, inMember(1, Uint8Array.of(0x60))),
      accountChange({ id: CREATED, balance: 0n, alias, isContract: true, nonce: 1n }),
    ];
    const [parent, record] = recordsOf(call(10n, { changes }), create);
    expect(record).toMatchObject({
      receipt: { contractID: { contractNum: 4001n } },
      contractCreateResult: { contractID: { contractNum: 4001n }, evmAddress: { value: alias } },
    });
    // Nonces stand with the outermost call alone.
    expect(parent?.['contractCallResult']).toMatchObject({
      contractNonces: [{ contractId: { contractNum: 4001n }, nonce: 1n }],
    });
    expect(record).not.toHaveProperty('contractCreateResult.contractNonces.0');
  });

  test('nonces of the result win over those of the state', () => {
    const nonce = new WireWriter().delimited(1, CALLED).varint(2, 9n).finish();
    const result = evm(CALLED, (writer) =>
      writer
        .delimited(EVM_RESULT.contractNonces, nonce)
        .delimited(EVM_RESULT.signerNonce, new WireWriter().varint(1, 6n).finish()),
    );
    const changes = [accountChange({ id: CALLED, balance: 0n, isContract: true, nonce: 1n })];
    const outputs = [output('contractCall', inMember(1, result))];
    expect(recordsOf(call(10n, { changes, outputs }))[0]?.['contractCallResult']).toMatchObject({
      contractNonces: [{ contractId: called, nonce: 9n }],
      signerNonce: { value: 6n },
    });
  });

  test('the sender of an Ethereum transaction has the nonce of the state when the result has none', () => {
    const [record] = recordsOf({
      at: 10n,
      data: { ethereumTransaction: { ethereumData: Uint8Array.of(1) } },
      outputs: [output('ethereum', inMember(1, evm(CALLED)))],
      changes: [accountChange({ id: idBytes(5n), balance: 0n, nonce: 12n })],
    });
    expect(record?.['contractCallResult']).toMatchObject({ signerNonce: { value: 12n } });
  });

  test('logs have words as topics, and a filter in which address and topics are found', () => {
    const log = (topic: number) =>
      new WireWriter()
        .delimited(1, CALLED)
        .delimited(2, Uint8Array.of(5))
        .delimited(3, Uint8Array.of(topic))
        .finish();
    const traces = [trace([EVM_TRACE.log, log(1)], [EVM_TRACE.log, log(2)])];
    const result = recordsOf(call(10n, { traces }))[0]?.['contractCallResult'] as {
      readonly bloom: Uint8Array;
      readonly logInfo: readonly { readonly bloom: Uint8Array }[];
    };
    expect(result.logInfo).toMatchObject([
      { contractID: called, data: Uint8Array.of(5), topic: [word(1)] },
      { contractID: called, data: Uint8Array.of(5), topic: [word(2)] },
    ]);
    const address = Uint8Array.from({ length: 20 }, (_, at) => (at < 18 ? 0 : at === 18 ? 0x07 : 0xd4));
    const hex = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}` as const;
    const filters = [result.bloom, ...result.logInfo.map(({ bloom }) => bloom)];
    const found = filters.map((bloom) =>
      [address, word(1), word(2)].map((value) => Bloom.contains(hex(bloom), hex(value))),
    );
    expect(found).toEqual([
      [true, true, true],
      [true, true, false],
      [true, false, true],
    ]);
  });
});

describe('numbers of outputs', () => {
  const withNumber = (number: number): MadeTransaction =>
    call(10n, { outputs: [inMember(number, inMember(1, evm(CALLED)))] });

  test.each([
    [OUTPUT.contractCall[1], 'the shifted numbering'],
    [OUTPUT.contractCall[0], 'the older numbering'],
    [17, 'no known numbering'],
  ])('%i is read by its shape and told', (number, numbering) => {
    const { items, notes } = madeRecords(withNumber(number), { ...withNumber(number), at: 11n });
    const [record] = items.map((item) => messages.TransactionRecord.decodePlain(item.record));
    expect(record?.['contractCallResult']).toMatchObject({ contractID: called });
    expect(notes).toEqual([
      `output ${number} of a transaction of type 7 is read as contractCall by its shape, its number is of ${numbering}`,
    ]);
  });

  test('the same number is what the type of its transaction says', () => {
    const outputs = [inMember(7, inMember(1, new WireWriter().delimited(1, Uint8Array.of()).finish()))];
    const signed = recordsOf({ at: 10n, data: { scheduleSign: {} }, outputs })[0];
    expect(signed).toMatchObject({ receipt: { scheduledTransactionID: {} } });
    const account = [inMember(7, inMember(1, idBytes(9n)))];
    const { items, notes } = madeRecords({ at: 10n, data: { cryptoCreateAccount: {} }, outputs: account });
    expect(items.map((item) => messages.TransactionRecord.decodePlain(item.record))).toMatchObject([
      { receipt: { accountID: { accountNum: 9n } } },
    ]);
    expect(notes).toEqual([]);
  });

  test('a form that nothing fits is told and left out', () => {
    const outputs = [inMember(9, inMember(1, Buffer.from('no message')))];
    const { items, notes } = madeRecords({ at: 10n, data: { cryptoCreateAccount: {} }, outputs });
    expect(items).toHaveLength(1);
    expect(notes).toEqual(['output 9 of a transaction of type 11 is not understood']);
  });
});

describe('traces', () => {
  const slotKey = (key: number) =>
    new WireWriter()
      .delimited(1, CALLED)
      .delimited(2, key === 0 ? word(0) : Uint8Array.of(key))
      .finish();
  const written = (key: number, value: number, isIdentical = false) =>
    mapUpdate(STATE.storage, slotKey(key), inMember(1, Uint8Array.of(value)), isIdentical);
  const read = (by: { readonly index: number } | { readonly key: number }, value: number) => {
    const writer = new WireWriter();
    if ('index' in by) writer.setVarint(1, by.index);
    else writer.delimited(2, Uint8Array.of(by.key));
    return writer.delimited(3, value === 0 ? new Uint8Array() : Uint8Array.of(value)).finish();
  };
  const usage = (reads: readonly Uint8Array[], keys: readonly number[] | null = null) => {
    const writer = new WireWriter().delimited(1, CALLED);
    if (keys === null) writer.varint(2, 1);
    else {
      const list = new WireWriter();
      for (const key of keys) list.delimited(1, Uint8Array.of(key));
      writer.delimited(3, list.finish());
    }
    for (const each of reads) writer.delimited(4, each);
    return [EVM_TRACE.slotUsage, writer.finish()] as const;
  };
  const change = (key: number, from: number, to?: number) => ({
    slot: word(key),
    valueRead: word(from),
    ...(to === undefined ? {} : { valueWritten: { value: word(to) } }),
  });
  const storageOf = (...made: readonly MadeTransaction[]) =>
    sidecarOf(...made).records.map(({ stateChanges }) => {
      const { contractStateChanges: [first] = [] } = stateChanges as unknown as {
        contractStateChanges: readonly { readonly storageChanges: unknown }[];
      };
      return first?.storageChanges;
    });

  test('a slot that a place names was written: with what the state has, or nothing when it is gone', () => {
    const traces = [trace(usage([read({ index: 0 }, 1), read({ index: 1 }, 2), read({ key: 9 }, 3)]))];
    const changes = [
      written(4, 44),
      written(5, 5, true),
      mapDelete(STATE.storage, inMember(10, slotKey(6)).subarray(2)),
    ];
    expect(storageOf(call(10n, { traces, changes }))).toEqual([
      [change(4, 1, 44), change(6, 2, 0), change(9, 3)],
    ]);
  });

  test('what a run wrote is what the next one of the block read, the last one what the state has', () => {
    const inner = (at: bigint, from: number): MadeTransaction =>
      call(at, { parent: 10n, isInner: true, traces: [trace(usage([read({ index: 0 }, from)], [4]))] });
    const inners = [inner(11n, 1), inner(12n, 2), inner(13n, 3)];
    const batch: MadeTransaction = {
      at: 10n,
      data: { atomicBatch: { transactions: inners.map(signedTransaction) } },
      changes: [written(4, 44)],
    };
    expect(storageOf(batch, ...inners)).toEqual([[change(4, 1, 2)], [change(4, 2, 3)], [change(4, 3, 44)]]);
  });

  test('actions come as they are, types are told', () => {
    const action = messageType('proto.ContractAction').encode({ gas: 5n, callDepth: 1 });
    const { records, types } = sidecarOf(
      call(10n, { traces: [trace([EVM_TRACE.action, action], usage([read({ key: 1 }, 2)], []))] }),
    );
    expect(types).toEqual([1, 2]);
    expect(records.map((record) => Object.keys(record))).toEqual([
      ['consensusTimestamp', 'stateChanges'],
      ['consensusTimestamp', 'actions'],
    ]);
    expect(records[1]).toMatchObject({ actions: { contractActions: [{ gas: 5n, callDepth: 1 }] } });
  });

  describe('codes', () => {
    const runtime = Uint8Array.of(0x60, 0x80);
    const create = (initcode: Uint8Array, status = 22): MadeTransaction => ({
      at: 10n,
      status,
      data: { contractCreateInstance: {} },
      outputs: [output('contractCreate', inMember(1, evm(isSuccess(status) ? CREATED : new Uint8Array())))],
      traces: [trace([EVM_TRACE.initcode, initcode])],
      changes: isSuccess(status) ? [mapUpdate(STATE.bytecode, CREATED, inMember(1, runtime))] : [],
    });
    const bookends = inMember(
      2,
      new WireWriter().delimited(1, Uint8Array.of(1)).delimited(2, Uint8Array.of(2)).finish(),
    );

    test.each([
      ['explicit', inMember(3, Uint8Array.of(7)), Uint8Array.of(7)],
      ['around the stored code', bookends, Uint8Array.of(1, 0x60, 0x80, 2)],
    ])('%s', (_name, initcode, creationCode) => {
      const { records, types } = sidecarOf(create(initcode));
      expect(records).toEqual([
        {
          consensusTimestamp: { nanos: 10 },
          bytecode: {
            contractId: expect.objectContaining({ contractNum: 4001n }),
            initcode: creationCode,
            runtimeBytecode: runtime,
          },
        },
      ]);
      expect(types).toEqual([3]);
    });

    test('of a creation that failed is the creation code alone', () => {
      const failed = create(
        new WireWriter().delimited(1, CREATED).delimited(3, Uint8Array.of(7)).finish(),
        33,
      );
      const [{ bytecode } = {}] = sidecarOf(failed).records;
      expect(bytecode).toMatchObject({ contractId: { contractNum: 4001n }, initcode: Uint8Array.of(7) });
      expect(bytecode).not.toHaveProperty('runtimeBytecode');
    });

    test('of a contract that no transaction of its own created is told as well', () => {
      const changes = [mapUpdate(STATE.bytecode, CREATED, inMember(1, runtime))];
      // The trace of the call tells nothing of code, the state does.
      const [{ bytecode } = {}] = sidecarOf(call(10n, { changes })).records;
      expect(bytecode).toMatchObject({ contractId: { contractNum: 4001n }, runtimeBytecode: runtime });
      expect(bytecode).not.toHaveProperty('initcode');
    });
  });
});

test('other states and members that nobody knows are passed over', () => {
  const unknown = new WireWriter()
    .varint(1, 999)
    .delimited(5, new WireWriter().delimited(1, inMember(200, Uint8Array.of(1))).finish())
    .finish();
  const parts = madeParts(call(10n, { changes: [unknown, entityChange(STATE.files, idBytes(1n))] }));
  expect(blockRecords(parts).items).toHaveLength(1);
});
