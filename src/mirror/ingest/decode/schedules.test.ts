import { describe, expect, test } from 'vitest';
import { memoryBackend } from '../../../../test/kit/mirror/ledger/memory-backend.ts';
import { type LedgerEvent, ledgerItem } from '../../../../tools/network/ledger-item.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { doNow } from '../../../values/work.ts';
import { commitUnits } from '../../ledger/commit/ledger-backend.ts';
import { fixtureUnit } from '../../ledger/fixture-unit.ts';
import { type MessageObject, messageType } from '../../protobuf/messages.ts';
import { RESULT } from '../../vocabulary/response-codes.ts';
import { decodeUnit } from './decode-unit.ts';
import { emptyLookup } from './known-entities.ts';

const START = 1_790_000_000_000_000_000n;
const IDENTICAL_SCHEDULE = 209;
const NO_BYTES = false;
const SCHEDULED = { transactionFee: 5n, memo: 'later' };
const SCHEDULED_BYTES = messageType('proto.SchedulableTransactionBody').encode(SCHEDULED);
const ids = { shard: 0n, realm: 0n };
const schedule = (scheduleNum: bigint) => ({ scheduleNum });

const creation = (members: MessageObject = {}, more: Partial<LedgerEvent> = {}): Partial<LedgerEvent> => ({
  data: { scheduleCreate: { scheduledTransactionBody: SCHEDULED, ...members } },
  receipt: { scheduleID: schedule(55n) },
  ...more,
});
const signing = (signatures: readonly MessageObject[]): Partial<LedgerEvent> => ({
  data: { scheduleSign: { scheduleID: schedule(55n) } },
  signatures,
});
const execution = (status: number): Partial<LedgerEvent> => ({
  data: { cryptoTransfer: {} },
  status,
  record: { scheduleRef: schedule(55n) },
});

/** Rows of a ledger after transactions of 0.0.1002, one a nanosecond. */
async function ledgerAfter(...given: readonly Partial<LedgerEvent>[]) {
  const items = given.map((event, at) =>
    ledgerItem(
      {
        consensus: consensusTimestamp(START + BigInt(at)),
        validStart: consensusTimestamp(START - 1n),
        payer: 1002n,
        data: {},
        status: RESULT.SUCCESS,
        fee: 0n,
        node: 3n,
        ...event,
      },
      ids,
    ),
  );
  const { scheduleSignatures, schedules } = await decodeUnit(items, 'a.rcd', emptyLookup);
  const backend = memoryBackend();
  doNow(commitUnits(backend, [fixtureUnit('a', { schedules, scheduleSignatures })], NO_BYTES));
  return {
    schedules: backend.rows('schedule'),
    signatures: backend
      .rows('schedule_signature')
      .map((row) => [
        Number((row['consensus_ts'] as bigint) - START),
        row['schedule_id'],
        Buffer.from(row['public_key_prefix'] as Uint8Array).toString('hex'),
        row['type'],
        Buffer.from(row['signature'] as Uint8Array).toString('hex'),
      ]),
  };
}

describe('schedules', () => {
  test('are created by the payer, who also pays unless another is named', async () => {
    const { schedules } = await ledgerAfter(creation());
    expect(schedules).toMatchObject([
      { schedule_id: 55n, creator: 1002n, payer: 1002n, consensus_ts: START, wait_for_expiry: 0n },
    ]);
    expect(Buffer.from(schedules[0]?.['body'] as Uint8Array)).toEqual(Buffer.from(SCHEDULED_BYTES));
    const named = creation({
      payerAccountID: { accountNum: 77n },
      expirationTime: { seconds: 5n, nanos: 6 },
      waitForExpiry: true,
    });
    expect((await ledgerAfter(named)).schedules).toMatchObject([
      { creator: 1002n, payer: 77n, expiration_ts: 5_000_000_006n, wait_for_expiry: 1n },
    ]);
  });

  test('of a child of an Ethereum transaction are created by its sender', async () => {
    const parent: Partial<LedgerEvent> = {
      data: { ethereumTransaction: {} },
      record: { contractCallResult: { senderId: { accountNum: 88n } } },
    };
    const child = creation({}, { parent: consensusTimestamp(START) });
    expect((await ledgerAfter(parent, child)).schedules).toMatchObject([{ creator: 88n, payer: 88n }]);
  });

  test('are executed also when the execution failed', async () => {
    expect((await ledgerAfter(creation(), execution(RESULT.SUCCESS))).schedules).toMatchObject([
      { executed_ts: START + 1n },
    ]);
    expect((await ledgerAfter(creation(), execution(10))).schedules).toMatchObject([
      { executed_ts: START + 1n, creator: 1002n },
    ]);
  });

  test('that were created before the import, or twice, make no row', async () => {
    expect((await ledgerAfter(execution(RESULT.SUCCESS))).schedules).toEqual([]);
    expect((await ledgerAfter(creation({}, { status: IDENTICAL_SCHEDULE }))).schedules).toEqual([]);
  });
});

describe('signatures of schedules', () => {
  const pair = (prefix: number, kind: string, bytes: number) => ({
    pubKeyPrefix: Uint8Array.of(prefix),
    [kind]: Uint8Array.of(bytes),
  });

  test('are those of the creation and of each signing, the first of each prefix', async () => {
    const { signatures } = await ledgerAfter(
      creation({}, { signatures: [pair(1, 'ed25519', 0x11), pair(1, 'ed25519', 0x12)] }),
      signing([pair(2, 'ECDSASecp256k1', 0x21), pair(1, 'RSA_3072', 0x22)]),
    );
    expect(signatures).toEqual([
      [0, 55n, '01', 3n, '11'],
      [1, 55n, '02', 6n, '21'],
      [1, 55n, '01', 4n, '22'],
    ]);
  });

  test('of failed transactions and of others are not kept', async () => {
    const signatures = [pair(1, 'ed25519', 1)];
    const failed = { ...signing(signatures), status: 10 };
    const other = { ...execution(RESULT.SUCCESS), signatures };
    expect((await ledgerAfter(failed, other)).signatures).toEqual([]);
  });
});
