import { type ConsensusTimestamp, NANOS_PER_SECOND } from '../../../values/consensus-timestamp.ts';
import { decodeEntityId, type EntityId } from '../../../values/entity-id.ts';
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
import { messages } from '../../protobuf/messages.ts';
import type { FixtureContext, Told } from './facet.ts';
import type { MessageChunk, TopicMessage } from './topic-messages.ts';

/**
 * Reads a message as the answers show it, with its bytes in base64.
 *
 * @see contracts/mirror-entities.md section 8
 */
export function readTopicMessageLine(row: FixtureObject, context: FixtureContext): Told<TopicMessage> {
  const id = idIn(context.home);
  const chunk = object(row, 'chunk_info');
  const message: TopicMessage = {
    consensusTimestamp: required(row, 'consensus_timestamp', time),
    topic: required(row, 'topic_id', id),
    sequenceNumber: required(row, 'sequence_number', integer),
    payer: required(row, 'payer_account_id', id),
    chunk: chunk === null ? null : readChunk(chunk, context),
    runningHash: required(row, 'running_hash', base64),
    runningHashVersion: integer(row, 'running_hash_version') ?? 3n,
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
