import { expect, test } from 'vitest';
import { ledgerItem } from '../../../../tools/network/ledger-item.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { MessageObject } from '../../protobuf/messages.ts';
import { messages } from '../../protobuf/messages.ts';
import { RESULT } from '../../vocabulary/response-codes.ts';
import { decodeUnit } from './decode-unit.ts';
import { emptyLookup } from './known-entities.ts';

const START = 1_790_000_000_000_000_000n;
const VALID_START = START - 1n;
const HASH = new Uint8Array(48).fill(9);
const INITIAL = {
  transactionValidStart: { seconds: 5n, nanos: 7 },
  accountID: { accountNum: 1001n },
  scheduled: true,
  nonce: 2,
};

/** The messages of a unit with one submission to 0.0.77. */
async function messagesOf(
  members: MessageObject,
  receipt: MessageObject = {
    topicSequenceNumber: 4n,
    topicRunningHash: HASH,
    topicRunningHashVersion: 3n,
  },
  status: number = RESULT.SUCCESS,
) {
  const item = ledgerItem(
    {
      consensus: consensusTimestamp(START),
      validStart: consensusTimestamp(VALID_START),
      payer: 1002n,
      data: { consensusSubmitMessage: { topicID: { topicNum: 77n }, ...members } },
      status,
      fee: 0n,
      node: 3n,
      receipt,
    },
    { shard: 0n, realm: 0n },
  );
  return (await decodeUnit([item], 'a.rcd', emptyLookup)).topicMessages;
}

test('a message has number and running hash of the receipt', async () => {
  expect(await messagesOf({ message: Buffer.from('hello') })).toEqual([
    {
      consensusTimestamp: START,
      topic: 77n,
      sequenceNumber: 4n,
      payer: 1002n,
      chunk: null,
      runningHash: Buffer.from(HASH),
      runningHashVersion: 3n,
      message: Uint8Array.from(Buffer.from('hello')),
    },
  ]);
});

test('an empty message and a receipt without version are read', async () => {
  const [message] = await messagesOf({}, { topicSequenceNumber: 1n, topicRunningHash: HASH });
  expect(message).toMatchObject({ message: new Uint8Array(), runningHashVersion: 1n });
});

test('a piece keeps the serialized id of the first one', async () => {
  const chunkInfo = { initialTransactionID: INITIAL, total: 3, number: 2 };
  const [message] = await messagesOf({ message: Uint8Array.of(1), chunkInfo });
  expect(message?.chunk).toMatchObject({ number: 2, total: 3, validStart: null });
  expect(Buffer.from(message?.chunk?.initialTransactionId ?? [])).toEqual(
    Buffer.from(messages.TransactionID.encode(INITIAL)),
  );
});

test('a piece that does not tell the first one keeps its own valid start', async () => {
  const [message] = await messagesOf({ message: Uint8Array.of(1), chunkInfo: { total: 3, number: 2 } });
  expect(message?.chunk).toEqual({
    number: 2,
    total: 3,
    initialTransactionId: null,
    validStart: VALID_START,
  });
});

test('failed submissions and those whose running hash nobody tells give no row', async () => {
  expect(await messagesOf({ message: Uint8Array.of(1) }, {}, 150)).toEqual([]);
  expect(await messagesOf({ message: Uint8Array.of(1) }, { topicSequenceNumber: 4n })).toEqual([]);
});
