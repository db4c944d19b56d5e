import { bytes, flag, int64, number, type RecordOf, rowTable, text } from '../../values/row-table.ts';
import { deletedOf } from '../ledger/entity-reader.ts';
import type { AndedIntegers } from '../parameters/anded-integers.ts';
import type { PageRequest } from '../parameters/page-parameters.ts';

/** A schedule by itself; null is what the imported ledger does not tell. */
export const SCHEDULE = rowTable({
  schedule: int64('c.schedule_id'),
  creator: int64('c.creator'),
  payer: int64('c.payer'),
  consensusTimestamp: int64('c.consensus_ts'),
  executedTimestamp: int64<bigint | null>('c.executed_ts'),
  expirationTime: int64<bigint | null>('c.expiration_ts'),
  waitsForExpiry: flag('c.wait_for_expiry'),
  /** Serialized `SchedulableTransactionBody`. */
  body: bytes('c.body'),
  /** Serialized `Key`. */
  adminKey: bytes<Uint8Array | null>('s.key'),
  isDeleted: flag<boolean | null>(deletedOf('s.deleted', 'e.created_ts')),
  memo: text<string | null>('s.memo'),
});

export const SIGNATURE = rowTable({
  schedule: int64('s.schedule_id'),
  consensusTimestamp: int64('s.consensus_ts'),
  /** Among those of its time. */
  place: number('s.seq'),
  prefix: bytes('s.public_key_prefix'),
  signature: bytes('s.signature'),
  /** Field number of the kind. */
  type: number('s.type'),
});
export type StoredSignature = RecordOf<typeof SIGNATURE>;

export interface Schedule extends RecordOf<typeof SCHEDULE> {
  /** In the order of time. */
  readonly signatures: readonly StoredSignature[];
}

/** Which schedules a page shows. */
export interface ScheduleSelection extends PageRequest {
  readonly ids: AndedIntegers;
  readonly creators: AndedIntegers;
}

/** The read side of schedules. */
export interface ScheduleRepository {
  /** In order of their numbers. */
  page(selection: ScheduleSelection): Promise<readonly Schedule[]>;
  find(schedule: bigint): Promise<Schedule | null>;
}
