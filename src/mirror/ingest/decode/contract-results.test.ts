import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { recordSets, streamPath } from '../../../../test/kit/mirror/ingest/stream-facts.ts';
import { describeShared } from '../../../../test/support/shared-suites.ts';
import { type LedgerEvent, ledgerItem } from '../../../../tools/network/ledger-item.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { type EntityId, entityId } from '../../../values/entity-id.ts';
import { bareHex, toHex } from '../../../values/hex.ts';
import { ethereumHash } from '../../evm/ethereum-hash.ts';
import { encodeRlpItem } from '../../evm/write-rlp.ts';
import { type MessageObject, messages } from '../../protobuf/messages.ts';
import { RESULT } from '../../vocabulary/response-codes.ts';
import { decompress, parseRecordFile } from '../record-file/parse-record-file.ts';
import { decodeUnit } from './decode-unit.ts';
import { emptyLookup, type LedgerLookup } from './known-entities.ts';

const AT = 1_700_000_000_000_000_000n;
const ids = { shard: 0n, realm: 0n };
const contractID = { contractNum: 2004n };
const unknownAddress = new Uint8Array(20).fill(0xee);
/** Type 0 to an address, with call data. */
const legacy = encodeRlpItem([
  Uint8Array.of(7),
  Uint8Array.of(0x54, 0x34),
  Uint8Array.of(0x01, 0x86, 0xa0),
  new Uint8Array(20).fill(0xab),
  Uint8Array.of(0x10),
  Uint8Array.of(1, 2, 3),
  Uint8Array.of(37),
  new Uint8Array(32).fill(5),
  new Uint8Array(32).fill(6),
]);

async function decoded(events: readonly Partial<LedgerEvent>[], lookup: LedgerLookup = emptyLookup) {
  const items = events.map((event, index) => {
    const consensus = consensusTimestamp(AT + BigInt(index));
    const validStart = consensusTimestamp(AT - 9n);
    const plain = {
      consensus,
      validStart,
      payer: 1001n,
      data: {},
      status: RESULT.SUCCESS,
      fee: 10n,
      node: 3n,
    };
    return ledgerItem({ ...plain, ...event }, ids);
  });
  return decodeUnit(items, 'a.rcd', lookup);
}

describe('contract results', () => {
  test('of calls and creations say what the body asked and what the EVM made of it', async () => {
    const created = { contractNum: 4001n };
    const { contractResults } = await decoded([
      { data: { cryptoTransfer: {} } },
      {
        data: { contractCall: { contractID, gas: 300n, amount: 4n, functionParameters: Uint8Array.of(9) } },
        receipt: { contractID },
        record: {
          contractCallResult: {
            contractID,
            contractCallResult: Uint8Array.of(1),
            gasUsed: 21_000n,
            gas: 77n,
            senderId: { accountNum: 5n },
            createdContractIDs: [created, created, { evmAddress: unknownAddress }],
          },
        },
      },
      {
        data: {
          contractCreateInstance: { initcode: Uint8Array.of(0x60), gas: 8n, initialBalance: 3n },
        },
        status: RESULT.CONTRACT_REVERT_EXECUTED,
        record: { contractCreateResult: { errorMessage: '0x08c379a0', gasUsed: 8n, bloom: Uint8Array.of() } },
      },
      { data: { contractCall: { contractID, gas: 1n } }, status: RESULT.INSUFFICIENT_GAS },
    ]);
    const none = new Uint8Array();
    expect(contractResults).toEqual([
      expect.objectContaining({
        consensusTimestamp: AT + 1n,
        transactionIndex: 0,
        contract: 2004n,
        sender: 5n,
        payer: 1001n,
        amount: 4n,
        gasLimit: 300n,
        gasUsed: 21_000n,
        gasConsumed: 21_000n,
        functionParameters: Uint8Array.of(9),
        callResult: Uint8Array.of(1),
        bloom: none,
        createdContracts: [4001n],
        failedInitcode: null,
        hasRun: true,
      }),
      expect.objectContaining({
        transactionIndex: 1,
        contract: 0n,
        sender: 1001n,
        amount: 3n,
        gasLimit: 8n,
        errorMessage: '0x08c379a0',
        failedInitcode: Uint8Array.of(0x60),
        hasRun: true,
      }),
      expect.objectContaining({
        transactionIndex: null,
        contract: 2004n,
        sender: 1001n,
        callResult: null,
        gasUsed: null,
        bloom: null,
        hasRun: false,
      }),
    ]);
  });

  test('of any other transaction are those of its record; unknown contracts and senders have no id', async () => {
    const known = new Uint8Array(20).fill(0xaa);
    const lookup: LedgerLookup = {
      ...emptyLookup,
      entityByAlias: async (alias) => (bareHex(alias) === bareHex(known) ? entityId(70n) : null),
    };
    const { contractResults } = await decoded(
      [
        {
          data: { tokenMint: {} },
          nonce: 1,
          record: {
            contractCallResult: {
              contractID: { evmAddress: known },
              amount: 6n,
              gas: 5n,
              functionParameters: Uint8Array.of(3),
              senderId: { alias: unknownAddress },
            },
          },
        },
        {
          data: { cryptoTransfer: {} },
          record: { contractCallResult: { contractID: { evmAddress: unknownAddress } } },
        },
        { data: { cryptoTransfer: {} }, record: { contractCallResult: {} } },
      ],
      lookup,
    );
    expect(contractResults).toMatchObject([
      {
        contract: 70n,
        nonce: 1,
        sender: null,
        senderAlias: unknownAddress,
        amount: 6n,
        gasLimit: 5n,
        functionParameters: Uint8Array.of(3),
      },
      { contract: 0n, sender: 1001n, senderAlias: null, gasUsed: 0n },
    ]);
  });

  test('of an Ethereum transaction have its hash; one that failed unseen has a result as well', async () => {
    const ethereumTransaction = { ethereumData: legacy };
    const told = new Uint8Array(32).fill(0x11);
    const { contractResults, ethereumTransactions } = await decoded([
      {
        data: { ethereumTransaction },
        record: { ethereumHash: told, contractCallResult: { contractID, gasUsed: 9n } },
      },
      { data: { ethereumTransaction }, status: RESULT.INSUFFICIENT_PAYER_BALANCE },
      { data: { ethereumTransaction }, status: RESULT.WRONG_NONCE },
      { data: { ethereumTransaction }, status: RESULT.DUPLICATE_TRANSACTION },
      {
        data: { ethereumTransaction },
        status: RESULT.WRONG_NONCE,
        record: { contractCallResult: { gas: 1n } },
      },
      {
        data: { ethereumTransaction: { ethereumData: Uint8Array.of(1) } },
        status: RESULT.INVALID_ETHEREUM_TRANSACTION,
      },
    ]);
    const computed = ethereumHash(legacy, null);
    expect(contractResults).toMatchObject([
      { consensusTimestamp: AT, hash: told, contract: 2004n, hasRun: true },
      {
        consensusTimestamp: AT + 1n,
        hash: computed,
        contract: 0n,
        sender: 1001n,
        amount: null,
        callResult: new Uint8Array(),
        gasUsed: 0n,
        gasLimit: 100_000n,
        functionParameters: Uint8Array.of(1, 2, 3),
        transactionIndex: null,
        hasRun: false,
      },
      { consensusTimestamp: AT + 4n, result: RESULT.WRONG_NONCE, transactionIndex: null },
    ]);
    expect(ethereumTransactions.map(({ consensusTimestamp }) => consensusTimestamp - AT)).toEqual([
      0n,
      1n,
      2n,
      3n,
      4n,
    ]);
    expect(ethereumTransactions[0]).toMatchObject({
      payer: 1001n,
      type: 0,
      nonce: 7n,
      gasLimit: 100_000n,
      toAddress: new Uint8Array(20).fill(0xab),
      callData: Uint8Array.of(1, 2, 3),
      callDataFile: null,
      recoveryId: 0,
      accessList: [],
      authorizationList: [],
    });
  });

  test('logs of a result stand behind it, with the contract of the result as their root', async () => {
    const topic = [
      new Uint8Array(32).fill(1),
      Uint8Array.from({ length: 32 }, (_, index) => (index === 31 ? 9 : 0)),
    ];
    const { contractLogs } = await decoded([
      {
        data: { contractCall: { contractID } },
        receipt: { contractID },
        record: {
          contractCallResult: {
            contractID,
            gasUsed: 9n,
            logInfo: [
              { contractID: { contractNum: 4001n }, topic, data: Uint8Array.of(5), bloom: Uint8Array.of(1) },
              { contractID, topic: [] },
            ],
          },
        },
      },
      {
        data: { cryptoTransfer: {} },
        nonce: 1,
        record: { contractCallResult: { contractID: { contractNum: 359n }, logInfo: [{ contractID }] } },
      },
    ]);
    expect(contractLogs).toMatchObject([
      {
        index: 0,
        contract: 4001n,
        rootContract: 2004n,
        payer: 1001n,
        transactionIndex: 0,
        topics: topic,
        data: Uint8Array.of(5),
        bloom: Uint8Array.of(1),
        isSynthetic: false,
      },
      { index: 1, contract: 2004n, rootContract: 2004n, topics: [], data: new Uint8Array() },
      { consensusTimestamp: AT + 1n, index: 2, rootContract: 359n, transactionIndex: 1 },
    ]);
  });

  test('logs of a run without gas have a number and no row, since they would have no index', async () => {
    const call = (gasUsed: bigint): Partial<LedgerEvent> => ({
      data: { contractCall: { contractID } },
      receipt: { contractID },
      record: { contractCallResult: { contractID, gasUsed, logInfo: [{ contractID }] } },
    });
    const { contractLogs, contractResults } = await decoded([call(9n), call(0n), call(7n)]);
    expect(contractResults.map(({ transactionIndex }) => transactionIndex)).toEqual([0, null, 1]);
    expect(contractLogs.map(({ index, transactionIndex }) => [index, transactionIndex])).toEqual([
      [0, 0],
      [2, 1],
    ]);
  });
});

interface PlainResult {
  readonly contractID?: { readonly contractNum: bigint };
  readonly senderId?: { readonly accountNum: bigint };
  readonly gasUsed?: bigint;
  readonly logInfo?: readonly { readonly data?: Uint8Array; readonly topic?: readonly Uint8Array[] }[];
}

describeShared('real record files', () => {
  const files = recordSets().flatMap(({ files: each }) => each.map(({ file }) => file));
  const rowsOf = async (file: string) => {
    const { items } = parseRecordFile(decompress(readFileSync(streamPath(file)), file), file);
    return { items, rows: await decodeUnit(items, file, emptyLookup) };
  };
  /** With the place in the file. */
  const plainResults = (records: readonly Uint8Array[]) =>
    records.flatMap((bytes, place) => {
      const record: MessageObject = messages.TransactionRecord.decodePlain(bytes);
      const result = record['contractCreateResult'] ?? record['contractCallResult'];
      return result == null ? [] : [{ place, result: result as PlainResult }];
    });

  test.each(files)('%s: every result of a record is a row, with its logs', async (file) => {
    const { items, rows } = await rowsOf(file);
    const told = plainResults(items.map(({ record }) => record));
    const ran = rows.contractResults.filter(({ hasRun }) => hasRun);
    expect(ran.map(({ gasUsed }) => gasUsed)).toEqual(told.map(({ result }) => result.gasUsed ?? 0n));
    const places = ran.map(({ consensusTimestamp: at }) =>
      rows.transactions.findIndex(({ consensusTimestamp }) => consensusTimestamp === at),
    );
    expect(places).toEqual(told.map(({ place }) => place));
    expect(rows.contractLogs.filter(({ isSynthetic }) => !isSynthetic).map(({ data }) => data)).toEqual(
      told.flatMap(({ result }) => (result.logInfo ?? []).map(({ data }) => Uint8Array.from(data ?? []))),
    );
  });

  test('tell a contract of an Ethereum transaction by its child, which has no code of its own', async () => {
    const { rows } = await rowsOf(
      'gap-v5-ethereum/recordstreams/record0.0.3/2022-04-28T15_28_34.014499000Z.rcd',
    );
    const [told] = rows.contracts.filter(({ contract }) => contract === 1104n);
    expect(told?.creation).toMatchObject({
      originTimestamp: 1_651_159_714_549_303_000n,
      consensusTimestamp: 1_651_159_714_549_303_001n,
    });
    expect(toHex(told?.creation?.creationCode ?? new Uint8Array())).toMatch(/^0x6080604052/);
    const entities = rows.entities.filter(({ entity }) => entity === 1104n);
    expect(entities.map(({ createdTimestamp }) => createdTimestamp)).toEqual([1_651_159_714_549_303_001n]);
  });

  test('of mainnet have 39 results and 23 logs in one file', async () => {
    const { rows } = await rowsOf('mainnet-v6/2025-07-23T20_37_42.076472454Z.rcd');
    const { contractLogs, contractResults, ethereumTransactions } = rows;
    expect([contractResults.length, ethereumTransactions.length]).toEqual([39, 1]);
    expect(contractLogs.filter(({ isSynthetic }) => !isSynthetic)).toHaveLength(23);
    const id = (num: bigint) => num as EntityId;
    expect(contractResults[0]).toMatchObject({
      consensusTimestamp: 1_753_303_062_076_472_454n,
      contract: id(9_306_447n),
      sender: id(3_926_417n),
      gasLimit: 260_000n,
      gasUsed: 208_000n,
      transactionIndex: 0,
      nonce: 0,
      result: RESULT.SUCCESS,
    });
    expect(contractResults[1]).toMatchObject({ contract: id(359n), nonce: 1, gasUsed: 15_284n });
    expect(contractResults.find(({ result }) => result === RESULT.WRONG_NONCE)).toMatchObject({
      consensusTimestamp: 1_753_303_062_449_196_000n,
      contract: id(0n),
      sender: id(7_641_326n),
      transactionIndex: null,
      errorMessage: '0x57524f4e475f4e4f4e4345',
    });
  });

  test('have Ethereum creations of 2022, with the contract that they made', async () => {
    const { rows } = await rowsOf(
      'gap-v5-ethereum/recordstreams/record0.0.3/2022-04-28T15_28_34.014499000Z.rcd',
    );
    expect(rows.contractResults).toMatchObject([
      {
        contract: 1104n,
        sender: 1001n,
        gasLimit: 4_000_000n,
        gasUsed: 3_200_000n,
        createdContracts: [1104n],
      },
      { contract: 1104n, nonce: 1, gasUsed: 0n },
    ]);
    expect(rows.ethereumTransactions).toMatchObject([{ type: 0, nonce: 30n, callData: { length: 4035 } }]);
  });
});
