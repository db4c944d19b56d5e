import type { TopicMessage } from '../../../../src/mirror/ledger/facets/topic-messages.ts';
import type { TopicState } from '../../../../src/mirror/ledger/facets/topics.ts';
import type { FixtureRows } from '../../../../src/mirror/ledger/fixture-unit.ts';
import { consensusTimestamp } from '../../../../src/values/consensus-timestamp.ts';
import {
  bytesOf,
  type CaseRow,
  type CaseSetup,
  id,
  integer,
  integerOrNull,
  section,
  text,
  timeOrNull,
  timeRange,
} from './case-row.ts';

/** Sections `topics` and `topicmessages`. */
export function topicSections(setup: CaseSetup): FixtureRows {
  return {
    topics: section(setup, 'topics').map(topic),
    topicMessages: section(setup, 'topicmessages').map(topicMessage),
  };
}

function topic(row: CaseRow): TopicState {
  return {
    topic: id(row, 'id'),
    consensusTimestamp: consensusTimestamp(timeRange(row, 0n).lower),
    adminKey: bytesOrNull(row, 'admin_key'),
    submitKey: bytesOrNull(row, 'submit_key'),
    feeScheduleKey: bytesOrNull(row, 'fee_schedule_key'),
    feeExemptKeys: bytesOrNull(row, 'fee_exempt_key_list'),
  };
}

function bytesOrNull(row: CaseRow, name: string): Uint8Array | null {
  const value = text(row, name, null);
  return value === null ? null : bytesOf(value);
}

function topicMessage(row: CaseRow): TopicMessage {
  const number = integerOrNull(row, 'chunk_num', null);
  const initial = text(row, 'initial_transaction_id', null);
  return {
    consensusTimestamp: consensusTimestamp(integer(row, 'consensus_timestamp')),
    topic: id(row, 'topic_id'),
    sequenceNumber: integer(row, 'sequence_number'),
    payer: id(row, 'payer_account_id', 3n),
    chunk:
      number === null
        ? null
        : {
            number: Number(number),
            total: Number(integer(row, 'chunk_total')),
            initialTransactionId: initial === null ? null : Buffer.from(initial.replace(/^0x/, ''), 'hex'),
            validStart: timeOrNull(row, 'valid_start_timestamp'),
          },
    runningHash: Buffer.from(text(row, 'running_hash', 'running_hash') ?? ''),
    runningHashVersion: integerOrNull(row, 'running_hash_version', 2n) ?? 3n,
    message: Buffer.from(text(row, 'message', 'message') ?? ''),
  };
}
