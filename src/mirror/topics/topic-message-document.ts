import { printTimestamp } from '../../values/consensus-timestamp.ts';
import { printEntityId, printIdOrNull } from '../../values/entity-id.ts';
import { accountId, timestampOf } from '../items/ledger-ids.ts';
import type { ExactJson } from '../ledger/exact-json.ts';
import { messages } from '../protobuf/messages.ts';
import type { StoredMessage } from './topic-message-repository.ts';

/** How the bytes of a message print; as text, invalid UTF-8 becomes U+FFFD. */
export type MessageEncoding = 'base64' | 'utf8';

const USUAL_VERSION = 3n;

/** A message as every route shows it. @see contracts/mirror-entities.md section 8 */
export function topicMessageDocument(stored: StoredMessage, encoding: MessageEncoding): ExactJson {
  return {
    chunk_info: chunkInfo(stored),
    consensus_timestamp: printTimestamp(stored.consensusTimestamp),
    message: bytesOf(stored.message).toString(encoding),
    payer_account_id: printEntityId(stored.payer),
    running_hash: bytesOf(stored.runningHash).toString('base64'),
    running_hash_version: stored.runningHashVersion ?? USUAL_VERSION,
    sequence_number: stored.sequenceNumber,
    topic_id: printEntityId(stored.topic),
  };
}

function chunkInfo(stored: StoredMessage): ExactJson {
  const { chunkNumber: number, chunkTotal: total, initialTransactionId: initial } = stored;
  if (number === null) return null;
  return {
    initial_transaction_id: initial === null ? payersTransaction(stored) : transactionId(initial),
    number,
    total,
  };
}

function payersTransaction({ payer, validStart }: StoredMessage): ExactJson {
  return {
    account_id: printEntityId(payer),
    nonce: null,
    scheduled: null,
    transaction_valid_start: timeOrNull(validStart),
  };
}

function transactionId(bytes: Uint8Array): ExactJson {
  const { accountID, nonce, scheduled, transactionValidStart } = messages.TransactionID.decode(bytes);
  const account = accountId(accountID);
  return {
    account_id: printIdOrNull(account),
    nonce,
    scheduled,
    transaction_valid_start: timeOrNull(timestampOf(transactionValidStart)),
  };
}

function timeOrNull(time: bigint | null): string | null {
  return time === null ? null : printTimestamp(time);
}

/** A view. */
function bytesOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
