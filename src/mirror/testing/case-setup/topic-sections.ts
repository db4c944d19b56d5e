import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { TopicMessage } from '../../ledger/facets/topic-messages.ts';
import type { FixtureRows } from '../../ledger/fixture-unit.ts';
import {
  type CaseRow,
  type CaseSetup,
  id,
  integer,
  integerOrNull,
  section,
  text,
  timeOrNull,
} from './case-row.ts';

/** Section `topicmessages`. */
export function topicSections(setup: CaseSetup): FixtureRows {
  return { topicMessages: section(setup, 'topicmessages').map(topicMessage) };
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
