import { prepareSelect, type Sql } from '../../storage/sql/sql.ts';
import { groupBy } from '../../values/group-by.ts';
import { bytes, flag, int64, number, type RecordOf, rowTable, text } from '../../values/row-table.ts';
import type { Work } from '../../values/work.ts';
import { deletedOf } from '../ledger/entity-reader.sql.ts';
import { type AndedIntegers, meetsAll } from '../parameters/anded-integers.ts';
import { rangeOf, walkKeys } from '../parameters/ordered-range.ts';
import type { PageRequest } from '../parameters/page-parameters.ts';

/** A schedule by itself; null is what the imported ledger does not tell. */
const SCHEDULE = rowTable({
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

const SIGNATURE = rowTable({
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
interface ScheduleSelection extends PageRequest {
  readonly ids: AndedIntegers;
  readonly creators: AndedIntegers;
}

interface StepRow {
  readonly id: bigint;
  readonly creator: bigint;
}

/** The read side of schedules. */
export type ScheduleRepository = ReturnType<typeof createScheduleRepository>;

/** Reads the tables `schedule` and `schedule_signature`. */
export function createScheduleRepository(sql: Sql) {
  const { each, indexedBy, orderedJoin, list } = sql.dialect;
  const rowsOf = prepareSelect(
    sql,
    SCHEDULE,
    `from ${each('k')}
     ${orderedJoin} schedule c on c.schedule_id = k.value
     left join entity e on e.id = c.schedule_id left join entity_settings s on s.id = c.schedule_id`,
  );
  const signaturesOf = prepareSelect(
    sql,
    SIGNATURE,
    `from ${each('k')}
     ${orderedJoin} schedule_signature s ${indexedBy('schedule_signature_by_schedule')} on s.schedule_id = k.value`,
  );
  const steps = (order: 'asc' | 'desc') => {
    const step = (where: string) =>
      sql.prepareExact<unknown[], StepRow>(
        `select schedule_id as id, creator from schedule ${where} schedule_id between ? and ?
         and schedule_id not in (select value from ${each('listed')}) order by schedule_id ${order} limit ?`,
      );
    return {
      all: step('where'),
      ofCreator: step(`${indexedBy('schedule_by_creator')} where creator = ? and`),
    };
  };
  const walks = { asc: steps('asc'), desc: steps('desc') };

  function* numbersOf({ creators, ids, limit, order }: ScheduleSelection): Work<readonly bigint[]> {
    const isOne = creators.lower === creators.upper;
    if (isOne && creators.excluded.has(creators.lower)) return [];
    const excluded = list(ids.excluded);
    const { all, ofCreator } = walks[order];
    const rows = yield* walkKeys<StepRow>(rangeOf(ids), {
      order,
      limit,
      keyOf: ({ id }) => [id],
      isWanted: ({ creator }) => meetsAll(creators, creator),
      read: ({ lower, upper }, count) => {
        const rest = [...lower, ...upper, excluded, count];
        return isOne ? ofCreator.all(creators.lower, ...rest) : all.all(...rest);
      },
    });
    return rows.map(({ id }) => id);
  }

  function* read(ids: readonly bigint[]): Work<readonly Schedule[]> {
    const wanted = list(ids);
    // A join of PostgreSQL has no order.
    const signatures = groupBy(
      (yield* signaturesOf.all(wanted)).toSorted(byTime),
      ({ schedule }) => schedule,
    );
    const found = new Map((yield* rowsOf.all(wanted)).map((each) => [each.schedule, each]));
    return ids.flatMap((id) => {
      const schedule = found.get(id);
      return schedule === undefined ? [] : [{ ...schedule, signatures: signatures.get(id) ?? [] }];
    });
  }

  return {
    /** In order of their numbers. */
    page: sql.reading(function* (selection: ScheduleSelection) {
      return yield* read(yield* numbersOf(selection));
    }),
    find: sql.reading(function* (id: bigint) {
      return (yield* read([id]))[0] ?? null;
    }),
  };
}

function byTime(a: StoredSignature, b: StoredSignature): number {
  return Number(a.consensusTimestamp - b.consensusTimestamp) || a.place - b.place;
}
