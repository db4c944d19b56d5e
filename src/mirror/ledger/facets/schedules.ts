import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { EntityId } from '../../../values/entity-id.ts';
import { type ColumnValue, column, stateTable } from '../fold/tables.ts';
import { scheduleChanges } from './decode-schedules.ts';
import type { Facet } from './facet.ts';
import { readScheduleLine } from './read-schedule-line.ts';

/** A transaction that waits for signatures, as it was created. */
export interface CreatedSchedule {
  readonly schedule: EntityId;
  readonly consensusTimestamp: ConsensusTimestamp;
  readonly creator: EntityId;
  readonly payer: EntityId;
  readonly expirationTime: ConsensusTimestamp | null;
  readonly waitsForExpiry: boolean;
  /** Serialized `SchedulableTransactionBody`. */
  readonly body: Uint8Array;
  /** Null in a stream, where the execution is a transaction of its own. */
  readonly executedTimestamp: ConsensusTimestamp | null;
}

/** The execution of a schedule, also one that failed. */
export interface ExecutedSchedule {
  readonly schedule: EntityId;
  readonly executedTimestamp: ConsensusTimestamp;
}

export type ScheduleChange = CreatedSchedule | ExecutedSchedule;

declare module '../rows.ts' {
  interface FacetRows {
    /** In the order of the transactions. */
    readonly schedules: readonly ScheduleChange[];
  }
}

const SCHEDULE = stateTable(
  'schedule',
  { schedule: 'schedule_id' },
  {
    creator: column<bigint>('creator'),
    payer: column<bigint>('payer'),
    at: column<bigint>('consensus_ts'),
    executedAt: column<bigint | null>('executed_ts'),
    expiresAt: column<bigint | null>('expiration_ts'),
    waitsForExpiry: column<ColumnValue>('wait_for_expiry'),
    body: column<Uint8Array>('body'),
  },
);

/**
 * Schedules and when they were executed; memo, key and deletion are settings of their entities.
 *
 * A schedule that was created before the imported part has no row.
 *
 * @see contracts/mirror-entities.md sections 11.1 and 11.7
 */
export const schedules: Facet<'schedules'> = {
  name: 'schedules',

  decodeUnit: (unit) => ({ rows: scheduleChanges(unit) }),

  fixture: { kind: 'schedule', read: readScheduleLine },

  touch(unit, keys) {
    for (const { schedule } of unit.schedules) keys.add(SCHEDULE, schedule);
  },

  fold({ unit }, state) {
    if (unit.schedules.length === 0) return;
    const rows = state.rows(SCHEDULE);
    for (const change of unit.schedules) {
      const { executedTimestamp: executedAt, schedule } = change;
      const stored = rows.get(schedule);
      if ('creator' in change) {
        rows.set({
          schedule,
          creator: change.creator,
          payer: change.payer,
          at: change.consensusTimestamp,
          executedAt: executedAt ?? stored?.executedAt ?? null,
          expiresAt: change.expirationTime,
          waitsForExpiry: Number(change.waitsForExpiry),
          body: change.body,
        });
      } else if (stored !== null) rows.set({ ...stored, executedAt });
    }
  },

  rebuild: { replaced: ['schedule'] },
};
