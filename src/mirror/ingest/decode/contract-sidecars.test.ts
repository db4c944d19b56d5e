import { describe, expect, test } from 'vitest';
import { type LedgerEvent, ledgerItem, timestamp } from '../../../../tools/network/ledger-item.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { entityId } from '../../../values/entity-id.ts';
import { type MessageObject, messages } from '../../protobuf/messages.ts';
import { longZeroOf } from '../../vocabulary/long-zero-address.ts';
import { RESULT } from '../../vocabulary/response-codes.ts';
import { sidecarRecordsOf } from '../sidecar/verified-sidecars.ts';
import { decodeUnit } from './decode-unit.ts';
import { emptyLookup } from './known-entities.ts';

const AT = consensusTimestamp(1_700_000_000_000_000_000n);
const contractID = { contractNum: 2004n };
const CODE = Uint8Array.of(0x60, 0, 1);
const called: Partial<LedgerEvent> = {
  data: { contractCall: { contractID, gas: 300n, functionParameters: Uint8Array.of(0, 7, 0, 9) } },
  receipt: { contractID },
  record: { contractCallResult: { contractID, gasUsed: 300n } },
};
const created: Partial<LedgerEvent> = {
  data: { contractCreateInstance: { fileID: { fileNum: 9n }, gas: 8n } },
  receipt: { contractID },
  record: { contractCreateResult: { contractID, gasUsed: 8n } },
};

/** The rows of a unit with one transaction, and what a sidecar tells of it. */
function decoded(
  event: Partial<LedgerEvent>,
  sidecarRecords: readonly MessageObject[],
  lookup = emptyLookup,
  hapiVersion: string | null = null,
) {
  const item = ledgerItem(
    {
      ...{ consensus: AT, validStart: consensusTimestamp(AT - 9n), payer: 1001n, data: {} },
      ...{ status: RESULT.SUCCESS, fee: 10n, node: 3n },
      ...event,
    },
    { shard: 0n, realm: 0n },
  );
  const file = messages.SidecarFile.encode({
    sidecarRecords: sidecarRecords.map((record) => ({ consensusTimestamp: timestamp(AT), ...record })),
  });
  return decodeUnit([item], 'a.rcd', lookup, sidecarRecordsOf(file, 'a_01.rcd'), hapiVersion);
}

describe('changes of slots', () => {
  const changes = (storageChanges: readonly MessageObject[], contractId: MessageObject = contractID) => ({
    stateChanges: { contractStateChanges: [{ contractId, storageChanges }] },
  });
  const read = { slot: Uint8Array.of(1), valueRead: Uint8Array.of(5) };

  test('tell what was read, what was written and what became zero, without zeros in front', async () => {
    const { contractStateChanges } = await decoded(called, [
      changes([
        read,
        {
          slot: Uint8Array.of(2),
          valueRead: Uint8Array.of(0, 0, 5),
          valueWritten: { value: Uint8Array.of(0, 6) },
        },
        { slot: new Uint8Array(), valueWritten: {} },
        { slot: new Uint8Array(32), valueWritten: { value: new Uint8Array(32) } },
      ]),
    ]);
    const none = new Uint8Array();
    const of = { contract: 2004n, consensusTimestamp: AT, isMigration: false, leavesState: true };
    expect(contractStateChanges).toEqual([
      { ...of, slot: Uint8Array.of(1), valueRead: Uint8Array.of(5), valueWritten: null },
      { ...of, slot: Uint8Array.of(2), valueRead: Uint8Array.of(5), valueWritten: Uint8Array.of(6) },
      { ...of, slot: none, valueRead: none, valueWritten: none },
      { ...of, slot: new Uint8Array(32), valueRead: none, valueWritten: none },
    ]);
  });

  test('of a migration are marked', async () => {
    const { contractStateChanges } = await decoded({}, [{ ...changes([read]), migration: true }]);
    expect(contractStateChanges).toMatchObject([{ isMigration: true, valueWritten: null }]);
  });

  test('are of contracts that an address names too; those that nobody knows are left out', async () => {
    const address = new Uint8Array(20).fill(0xab);
    const lookup = { ...emptyLookup, entityByAlias: async () => entityId(77n) };
    const named = changes([read], { evmAddress: address });
    expect((await decoded(called, [named], lookup)).contractStateChanges).toMatchObject([{ contract: 77n }]);
    expect((await decoded(called, [named])).contractStateChanges).toEqual([]);
    const numbered = changes([read], { evmAddress: longZeroOf(2005n) });
    expect((await decoded(called, [numbered])).contractStateChanges).toMatchObject([{ contract: 2005n }]);
  });

  test('of a time at which nothing happened are left out', async () => {
    const stray = { ...changes([read]), consensusTimestamp: timestamp(consensusTimestamp(AT + 1n)) };
    const { contractStateChanges, contractActions } = await decoded(called, [
      stray,
      { ...stray, stateChanges: null, actions: { contractActions: [{ gas: 1n }] } },
    ]);
    expect([contractStateChanges, contractActions]).toEqual([[], []]);
  });
});

describe('actions', () => {
  test('are rows in the order of the trace, with the parties that each names', async () => {
    const { contractActions } = await decoded(called, [
      {
        actions: {
          contractActions: [
            {
              callType: 1,
              callOperationType: 1,
              callingAccount: { accountNum: 1001n },
              recipientContract: contractID,
              gas: 300n,
              gasUsed: 200n,
              value: 4n,
              input: Uint8Array.of(9),
              output: Uint8Array.of(1),
            },
            {
              callType: 2,
              callOperationType: 6,
              callDepth: 1,
              callingContract: contractID,
              recipientAccount: { accountNum: 5n },
              revertReason: Uint8Array.of(2),
            },
          ],
        },
      },
      {
        actions: {
          contractActions: [
            {
              callDepth: 2,
              callingContract: contractID,
              targetedAddress: new Uint8Array(20),
              error: Uint8Array.of(3),
            },
            { callDepth: 2 },
          ],
        },
      },
    ]);
    expect(contractActions).toEqual([
      {
        consensusTimestamp: AT,
        index: 0,
        payer: 1001n,
        callDepth: 0,
        callType: 1,
        operation: 1,
        caller: 1001n,
        isCallerContract: false,
        gas: 300n,
        gasUsed: 200n,
        value: 4n,
        input: Uint8Array.of(9),
        recipientAccount: null,
        recipientContract: 2004n,
        targetedAddress: null,
        resultData: Uint8Array.of(1),
        resultDataType: 11,
      },
      expect.objectContaining({
        ...{ index: 1, callDepth: 1, callType: 2, operation: 6, caller: 2004n, isCallerContract: true },
        ...{
          recipientAccount: 5n,
          recipientContract: null,
          resultData: Uint8Array.of(2),
          resultDataType: 12,
        },
      }),
      expect.objectContaining({
        ...{ index: 2, recipientAccount: null, recipientContract: null, targetedAddress: new Uint8Array(20) },
        ...{ input: new Uint8Array(), resultData: Uint8Array.of(3), resultDataType: 13 },
      }),
      expect.objectContaining({ index: 3, caller: null, resultData: null, resultDataType: 0 }),
    ]);
  });
});

describe('gas consumed', () => {
  const trace = (...contractActions: readonly MessageObject[]) => ({ actions: { contractActions } });
  const bytecode = { bytecode: { contractId: contractID, initcode: CODE } };
  const consumed = async (
    event: Partial<LedgerEvent>,
    records: readonly MessageObject[],
    version: string | null = '0.68.9',
  ) =>
    (await decoded(event, records, emptyLookup, version)).contractResults.map(
      ({ gasConsumed }) => gasConsumed,
    );

  test.each([
    [
      'of a call is that of its outermost action, and what sending its parameters takes',
      called,
      [trace({ callType: 1, gasUsed: 100n }, { callDepth: 1, gasUsed: 90n })],
      100n + 21_000n + 2n * 4n + 2n * 16n,
    ],
    ['of a creation counts the creation code', created, [trace({ gasUsed: 7n }), bytecode], 53_007n + 36n],
    [
      'of a creation without code is one all the same',
      created,
      [trace({ callType: 2, gasUsed: 7n })],
      53_007n,
    ],
    [
      'is not changed by the code of a migration',
      created,
      [trace({ gasUsed: 7n }), { ...bytecode, migration: true }],
      21_007n,
    ],
    ['is not known without a trace', called, [bytecode], null],
  ])('%s', async (_name, event, records, expected) => {
    expect(await consumed(event, records)).toEqual([expected]);
  });

  test.each(['0.69.0', '1.0.0', null])('is what was used in version %s', async (version) => {
    expect(await consumed(called, [trace({ gasUsed: 100n })], version)).toEqual([300n]);
    expect(await consumed(called, [], version)).toEqual([300n]);
    expect(await consumed({ ...called, record: {} }, [], version)).toEqual([null]);
  });
});

test('the creation code of a creation that failed is that of the sidecar where the body has none', async () => {
  const failed = { ...created, status: RESULT.CONTRACT_REVERT_EXECUTED };
  const bytecode = { bytecode: { initcode: CODE } };
  expect((await decoded(failed, [bytecode])).contractResults).toMatchObject([{ failedInitcode: CODE }]);
  expect((await decoded(created, [bytecode])).contractResults).toMatchObject([{ failedInitcode: null }]);
  const inBody = { ...failed, data: { contractCreateInstance: { initcode: Uint8Array.of(0x61), gas: 8n } } };
  const [result] = (await decoded(inBody, [bytecode])).contractResults;
  expect(result?.failedInitcode).toEqual(Uint8Array.of(0x61));
});
