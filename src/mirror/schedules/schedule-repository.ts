import type { AndedIntegers } from '../parameters/anded-integers.ts';

/** A schedule as it is; null is what the imported ledger does not tell. */
export interface Schedule {
  readonly schedule: bigint;
  readonly creator: bigint;
  readonly payer: bigint;
  readonly consensusTimestamp: bigint;
  readonly executedTimestamp: bigint | null;
  readonly expirationTime: bigint | null;
  readonly waitsForExpiry: boolean;
  /** Serialized `SchedulableTransactionBody`. */
  readonly body: Uint8Array;
  /** Serialized `Key`. */
  readonly adminKey: Uint8Array | null;
  readonly isDeleted: boolean | null;
  readonly memo: string | null;
  /** In the order of time. */
  readonly signatures: readonly StoredSignature[];
}

export interface StoredSignature {
  readonly consensusTimestamp: bigint;
  readonly prefix: Uint8Array;
  readonly signature: Uint8Array;
  /** Field number of the kind. */
  readonly type: number;
}

/** Which schedules a page shows. */
export interface ScheduleSelection {
  readonly ids: AndedIntegers;
  readonly creators: AndedIntegers;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

/** The read side of schedules. */
export interface ScheduleRepository {
  /** In order of their numbers. */
  page(selection: ScheduleSelection): Promise<readonly Schedule[]>;
  find(schedule: bigint): Promise<Schedule | null>;
}
