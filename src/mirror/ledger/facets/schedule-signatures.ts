import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { EntityId } from '../../../values/entity-id.ts';
import { bareHex } from '../../../values/hex.ts';
import { appendTable } from '../../../values/stored-tables.ts';
import type { DecodedItem } from '../../items/decoded-item.ts';
import { scheduleId } from '../../items/ledger-ids.ts';
import { type SignaturePair, signaturePairs } from '../../protobuf/transaction-body.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import type { Facet } from './facet.ts';

/** A signature that a schedule got with its creation or later. */
export interface ScheduleSignature extends SignaturePair {
  readonly schedule: EntityId;
  readonly consensusTimestamp: ConsensusTimestamp;
}

const SCHEDULE_SIGNATURE = appendTable('schedule_signature', 2, [
  'consensus_ts',
  'seq',
  'schedule_id',
  'type',
  'public_key_prefix',
  'signature',
]);

/**
 * Signatures of schedules; they go with their transactions. Rows are in the order of these.
 *
 * @see contracts/mirror-entities.md section 11.7
 */
export const scheduleSignatures: Facet<'scheduleSignatures', ScheduleSignature> = {
  name: 'scheduleSignatures',

  decode: { types: [TYPE.SCHEDULECREATE, TYPE.SCHEDULESIGN], rows: signaturesOf },

  unitTables: [
    {
      table: SCHEDULE_SIGNATURE,
      addRows(unit, add) {
        const counts = new Map<bigint, number>();
        for (const { consensusTimestamp: at, prefix, schedule, signature, type } of unit.scheduleSignatures) {
          const seq = counts.get(at) ?? 0;
          counts.set(at, seq + 1);
          add([at, seq, schedule, type, prefix, signature]);
        }
      },
    },
  ],
};

/** Of several with one prefix the first one counts. */
function signaturesOf({ body, consensusTimestamp, item, record }: DecodedItem): readonly ScheduleSignature[] {
  const schedule = scheduleId(
    body.scheduleSign === null ? (record.receipt?.scheduleID ?? null) : body.scheduleSign.scheduleID,
  );
  if (schedule === null) return [];
  const firsts = new Map<string, SignaturePair>();
  for (const pair of signaturePairs(item.transaction)) {
    const prefix = bareHex(pair.prefix);
    if (!firsts.has(prefix)) firsts.set(prefix, pair);
  }
  return [...firsts.values()].map((pair) => ({ ...pair, schedule, consensusTimestamp }));
}
