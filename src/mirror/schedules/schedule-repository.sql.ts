import { setImmediate } from 'node:timers/promises';
import type { Sql } from '../../storage/sql/sql.ts';
import { MAX_INT64, MIN_INT64 } from '../../values/int64.ts';
import type { Work } from '../../values/work.ts';
import { type AndedIntegers, meetsAll } from '../parameters/anded-integers.ts';
import type { Schedule, ScheduleRepository, ScheduleSelection } from './schedule-repository.ts';

interface ScheduleRow {
  readonly schedule_id: bigint;
  readonly creator: bigint;
  readonly payer: bigint;
  readonly consensus_ts: bigint;
  readonly executed_ts: bigint | null;
  readonly expiration_ts: bigint | null;
  readonly wait_for_expiry: bigint;
  readonly body: Buffer;
  readonly created_ts: bigint | null;
  readonly key: Buffer | null;
  readonly deleted: bigint | null;
  readonly memo: string | null;
}

interface SignatureRow {
  readonly schedule_id: bigint;
  readonly consensus_ts: bigint;
  readonly seq: bigint;
  readonly public_key_prefix: Buffer;
  readonly signature: Buffer;
  readonly type: bigint;
}

interface StepRow {
  readonly id: bigint;
  readonly creator: bigint;
}

/** Schedules that are looked at before other requests get a turn. */
const LONGEST_STEP = 2000;

/** Reads the tables `schedule` and `schedule_signature`. */
export function createScheduleRepository(sql: Sql): ScheduleRepository {
  const { each, indexedBy, orderedJoin, list } = sql.dialect;
  const rowsOf = sql.prepareExact<[string], ScheduleRow>(
    `select c.*, e.created_ts, s.key, s.deleted, s.memo from ${each('k')}
     ${orderedJoin} schedule c on c.schedule_id = k.value
     left join entity e on e.id = c.schedule_id left join entity_settings s on s.id = c.schedule_id`,
  );
  const signaturesOf = sql.prepareExact<[string], SignatureRow>(
    `select s.schedule_id, s.consensus_ts, s.seq, s.public_key_prefix, s.signature, s.type from ${each('k')}
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

  async function numbersOf({ creators, ids, limit, order }: ScheduleSelection): Promise<readonly bigint[]> {
    const excluded = list(ids.excluded);
    const isOne = creators.lower === creators.upper;
    if (isOne || selectsAll(creators)) {
      if (isOne && creators.excluded.has(creators.lower)) return [];
      const rows = await sql.read(function* () {
        return isOne
          ? yield* walks[order].ofCreator.all(creators.lower, ids.lower, ids.upper, excluded, limit)
          : yield* walks[order].all.all(ids.lower, ids.upper, excluded, limit);
      });
      return rows.map(({ id }) => id);
    }
    const found: bigint[] = [];
    let { lower, upper } = ids;
    while (lower <= upper) {
      const [from, to] = [lower, upper];
      const rows = await sql.read(() => walks[order].all.all(from, to, excluded, LONGEST_STEP));
      for (const { creator, id } of rows) {
        if (!meetsAll(creators, creator)) continue;
        found.push(id);
        if (found.length === limit) return found;
      }
      const last = rows.at(-1)?.id;
      if (last === undefined || rows.length < LONGEST_STEP) break;
      if (order === 'asc') lower = last + 1n;
      else upper = last - 1n;
      await setImmediate();
    }
    return found;
  }

  function* read(ids: readonly bigint[]): Work<readonly Schedule[]> {
    const wanted = list(ids);
    const signatures = new Map<bigint, SignatureRow[]>();
    // A join of PostgreSQL has no order.
    for (const row of (yield* signaturesOf.all(wanted)).toSorted(byTime)) {
      const others = signatures.get(row.schedule_id);
      if (others === undefined) signatures.set(row.schedule_id, [row]);
      else others.push(row);
    }
    const rows = new Map((yield* rowsOf.all(wanted)).map((row) => [row.schedule_id, row]));
    return ids.flatMap((id) => {
      const row = rows.get(id);
      return row === undefined ? [] : [schedule(row, signatures.get(id) ?? [])];
    });
  }

  return {
    async page(selection) {
      const numbers = await numbersOf(selection);
      return sql.read(() => read(numbers));
    },
    find: sql.reading(function* (id) {
      return (yield* read([id]))[0] ?? null;
    }),
  };
}

function schedule(row: ScheduleRow, signatures: readonly SignatureRow[]): Schedule {
  // What was created here and not deleted is there.
  const isDeleted = row.deleted === null ? (row.created_ts === null ? null : false) : row.deleted === 1n;
  return {
    schedule: row.schedule_id,
    creator: row.creator,
    payer: row.payer,
    consensusTimestamp: row.consensus_ts,
    executedTimestamp: row.executed_ts,
    expirationTime: row.expiration_ts,
    waitsForExpiry: row.wait_for_expiry === 1n,
    body: row.body,
    adminKey: row.key,
    isDeleted,
    memo: row.memo,
    signatures: signatures.map((each) => ({
      consensusTimestamp: each.consensus_ts,
      prefix: each.public_key_prefix,
      signature: each.signature,
      type: Number(each.type),
    })),
  };
}

function byTime(a: SignatureRow, b: SignatureRow): number {
  return Number(a.consensus_ts - b.consensus_ts || a.seq - b.seq);
}

function selectsAll({ excluded, lower, upper }: AndedIntegers): boolean {
  return lower === MIN_INT64 && upper === MAX_INT64 && excluded.size === 0;
}
