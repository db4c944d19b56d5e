import { type ConsensusTimestamp, NANOS_PER_SECOND } from '../../../values/consensus-timestamp.ts';
import { decodeEntityId, type EntityId } from '../../../values/entity-id.ts';
import { bytes, int64, number, type RecordOf, rowTable, unlessNull } from '../../../values/row-table.ts';
import type { DecodedItem } from '../../items/decoded-item.ts';
import {
  base64,
  count,
  type FixtureObject,
  flag,
  idIn,
  integer,
  object,
  required,
  time,
} from '../../items/fixture-members.ts';
import { accountId, type ResolveAlias, timestampOf, topicId } from '../../items/ledger-ids.ts';
import { messages, toBigInt } from '../../protobuf/messages.ts';
import { memberBytes, rawField } from '../../protobuf/wire.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { eventsOfUnits, type Facet, type FacetOutput, type FixtureContext } from './facet.ts';

/** The version that nearly every message has is not stored. */
const USUAL_VERSION = 3n;

/** The place of a message among the pieces of a longer one. */
const CHUNK = rowTable({
  number: number('chunk_num'),
  total: number('chunk_total'),
  /** Serialized `TransactionID` of the first piece; null when it was not told. */
  initialTransactionId: bytes<Uint8Array | null>('initial_transaction_id'),
  /** Of the payer's own transaction, for a piece that does not tell the first one. */
  validStart: int64<ConsensusTimestamp | null>('valid_start'),
});
type MessageChunk = RecordOf<typeof CHUNK>;

/** A message that a topic took. */
const TOPIC_MESSAGE = rowTable({
  consensusTimestamp: int64<ConsensusTimestamp>('consensus_ts'),
  topic: int64<EntityId>('topic_id'),
  sequenceNumber: int64('sequence_number'),
  payer: int64<EntityId>('payer'),
  /** Null for a message in one piece. */
  chunk: unlessNull<MessageChunk | null>('chunk_num', CHUNK.members),
  runningHashVersion: {
    column: 'running_hash_version',
    toStored: (version: bigint) => (version === USUAL_VERSION ? null : version),
  },
  runningHash: bytes('running_hash'),
  message: bytes('message'),
});
export type TopicMessage = RecordOf<typeof TOPIC_MESSAGE>;

/** Field numbers of the original bytes of the first piece's id. */
const FIELD = { chunkInfo: 3, initialTransactionId: 1 };

/** Messages of topics; they go with their transactions. @see contracts/mirror-entities.md section 11.5 */
export const topicMessages: Facet<'topicMessages', TopicMessage> = {
  name: 'topicMessages',

  decode: {
    types: [TYPE.CONSENSUSSUBMITMESSAGE],
    rows(item, resolve) {
      const message = submittedMessage(item, resolve);
      return message === null ? [] : [message];
    },
  },

  fixture: { kind: 'topic_message', read: readTopicMessageLine },

  unitTables: [eventsOfUnits('topicMessages', 'topic_message', 1, TOPIC_MESSAGE)],
};

/** Null where a block does not tell the running hash: state changes tell it of the last message of a round. */
function submittedMessage(item: DecodedItem, resolve: ResolveAlias): TopicMessage | null {
  const { body, consensusTimestamp, record } = item;
  const [submitted, receipt, id] = [body.consensusSubmitMessage, record.receipt, body.transactionID];
  const topic = topicId(submitted?.topicID ?? null);
  const payer = accountId(id?.accountID ?? record.transactionID?.accountID ?? null, resolve);
  if (submitted === null || receipt === null || topic === null || payer === null) return null;
  const { topicRunningHash: runningHash, topicRunningHashVersion, topicSequenceNumber } = receipt;
  if (runningHash.length === 0) return null;
  const initialTransactionId = submitted.chunkInfo === null ? null : initialTransaction(item);
  return {
    consensusTimestamp,
    topic,
    sequenceNumber: BigInt.asIntN(64, toBigInt(topicSequenceNumber)),
    payer,
    chunk:
      submitted.chunkInfo === null
        ? null
        : {
            number: submitted.chunkInfo.number,
            total: submitted.chunkInfo.total,
            initialTransactionId,
            validStart: initialTransactionId === null ? timestampOf(id?.transactionValidStart ?? null) : null,
          },
    runningHash,
    // The first records had no versions yet.
    runningHashVersion: BigInt.asIntN(64, toBigInt(topicRunningHashVersion)) || 1n,
    // An absent one need not be bytes.
    message: memberBytes(submitted.message),
  };
}

function initialTransaction({ bodyBytes, type }: DecodedItem): Uint8Array | null {
  const submitted = rawField(bodyBytes, type);
  const chunk = submitted === null ? null : rawField(submitted, FIELD.chunkInfo);
  return chunk === null ? null : rawField(chunk, FIELD.initialTransactionId);
}

/**
 * Reads a message as the answers show it, with its bytes in base64.
 *
 * @see contracts/mirror-entities.md section 8
 */
function readTopicMessageLine(row: FixtureObject, context: FixtureContext): FacetOutput<TopicMessage> {
  const id = idIn(context.home);
  const chunk = object(row, 'chunk_info');
  const message: TopicMessage = {
    consensusTimestamp: required(row, 'consensus_timestamp', time),
    topic: required(row, 'topic_id', id),
    sequenceNumber: required(row, 'sequence_number', integer),
    payer: required(row, 'payer_account_id', id),
    chunk: chunk === null ? null : readChunk(chunk, context),
    runningHash: required(row, 'running_hash', base64),
    runningHashVersion: integer(row, 'running_hash_version') ?? USUAL_VERSION,
    message: required(row, 'message', base64),
  };
  return { rows: [message] };
}

function readChunk(chunk: FixtureObject, { home }: FixtureContext): MessageChunk {
  const initial = object(chunk, 'initial_transaction_id') ?? {};
  const [nonce, scheduled] = [integer(initial, 'nonce'), flag(initial, 'scheduled')];
  const validStart = time(initial, 'transaction_valid_start');
  // Both are null where only payer and valid start are known.
  const isTold = nonce !== null || scheduled !== null;
  return {
    number: required(chunk, 'number', count),
    total: required(chunk, 'total', count),
    initialTransactionId: isTold
      ? transactionIdBytes(
          idIn(home)(initial, 'account_id'),
          validStart,
          Number(nonce ?? 0n),
          scheduled ?? false,
        )
      : null,
    validStart: isTold ? null : validStart,
  };
}

function transactionIdBytes(
  account: EntityId | null,
  validStart: ConsensusTimestamp | null,
  nonce: number,
  scheduled: boolean,
): Uint8Array {
  const { num, realm, shard } = decodeEntityId(account ?? 0n);
  return messages.TransactionID.encode({
    transactionValidStart:
      validStart === null
        ? null
        : { seconds: validStart / NANOS_PER_SECOND, nanos: Number(validStart % NANOS_PER_SECOND) },
    accountID: account === null ? null : { shardNum: shard, realmNum: realm, accountNum: num },
    scheduled,
    nonce,
  });
}
