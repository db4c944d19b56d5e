import { printTimestamp } from '../../values/consensus-timestamp.ts';
import { printEntityId } from '../../values/entity-id.ts';
import type { ExactJson } from '../ledger/exact-json.ts';
import { keyJson } from '../ledger/key-json.ts';
import { signatureKindName } from '../vocabulary/signature-kinds.ts';
import type { Schedule } from './schedule-repository.ts';

/** A schedule as both routes show it. @see contracts/mirror-entities.md section 9.2 */
export function scheduleDocument(schedule: Schedule): ExactJson {
  const adminKey = keyJson(schedule.adminKey);
  return {
    admin_key: adminKey === null ? null : { ...adminKey },
    consensus_timestamp: printTimestamp(schedule.consensusTimestamp),
    creator_account_id: printEntityId(schedule.creator),
    deleted: schedule.isDeleted,
    executed_timestamp: timeOrNull(schedule.executedTimestamp),
    expiration_time: timeOrNull(schedule.expirationTime),
    memo: schedule.memo,
    payer_account_id: printEntityId(schedule.payer),
    schedule_id: printEntityId(schedule.schedule),
    signatures: schedule.signatures.map(({ consensusTimestamp, prefix, signature, type }) => ({
      consensus_timestamp: printTimestamp(consensusTimestamp),
      public_key_prefix: Buffer.from(prefix).toString('base64'),
      signature: Buffer.from(signature).toString('base64'),
      type: signatureKindName(type),
    })),
    transaction_body: Buffer.from(schedule.body).toString('base64'),
    wait_for_expiry: schedule.waitsForExpiry,
  };
}

function timeOrNull(time: bigint | null): string | null {
  return time === null ? null : printTimestamp(time);
}
