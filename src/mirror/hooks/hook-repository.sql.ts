import { prepareSelect, type Sql } from '../../storage/sql/sql.ts';
import { bytes, flag, int64, type RecordOf, rowTable } from '../../values/row-table.ts';
import type { IntegerRange, IntegerSelection, PageRequest } from '../parameters/page-parameters.ts';

/** A hook of an account or contract; null is what the imported ledger does not tell. */
const HOOK = rowTable({
  owner: int64('owner_id'),
  hookId: int64('hook_id'),
  /** Since when it is so. */
  changedTimestamp: int64('lower_ts'),
  createdTimestamp: int64<bigint | null>('created_ts'),
  isDeleted: flag('deleted'),
  contract: int64<bigint | null>('contract_id'),
  /** Serialized `Key`. */
  adminKey: bytes<Uint8Array | null>('admin_key'),
});
export type Hook = RecordOf<typeof HOOK>;

interface HookSelection extends IntegerSelection, PageRequest {
  readonly owner: bigint;
}

/** A slot as it is, or was at the end of a time. */
export interface HookSlot {
  /** 32 bytes. */
  readonly key: Uint8Array;
  readonly consensusTimestamp: bigint;
  /** Without leading zeros. */
  readonly value: Uint8Array;
}

/** Bounds inclusive; keys have 32 bytes. */
interface SlotSelection extends PageRequest {
  readonly owner: bigint;
  readonly hookId: bigint;
  readonly lowerKey: Uint8Array;
  readonly upperKey: Uint8Array;
  /** Inclusive; null for the slots as they are. */
  readonly times: IntegerRange | null;
}

/** The read side of hooks. */
export type HookRepository = ReturnType<typeof createHookRepository>;

/** Reads the tables `hook`, `hook_slot` and `hook_storage`. */
export function createHookRepository(sql: Sql) {
  const { each, isNull, list } = sql.dialect;
  const inOrder = (order: 'asc' | 'desc') => ({
    hooks: prepareSelect(
      sql,
      HOOK,
      `from hook where owner_id = ? and hook_id between ? and ?
         and (${isNull} or hook_id in (select value from ${each('listed')}))
         and hook_id not in (select value from ${each('listed')})
       order by hook_id ${order} limit ?`,
    ),
    slots: sql.prepareExact<[object], HookSlot>(
      `select key, modified_ts as "consensusTimestamp", value from hook_slot
       where owner_id = @owner and hook_id = @hookId and key between @lowerKey and @upperKey and length(value) > 0
       order by key ${order} limit @limit`,
    ),
    // The newest one of each key in the time asked for.
    slotsWithin: sql.prepareExact<[object], HookSlot>(
      `select s.key, s.consensus_ts as "consensusTimestamp", s.value from hook_storage s
       where s.owner_id = @owner and s.hook_id = @hookId and s.key between @lowerKey and @upperKey
         and s.consensus_ts between @lowerTime and @upperTime
         and not exists (select 1 from hook_storage l where l.owner_id = s.owner_id and l.hook_id = s.hook_id
           and l.key = s.key and l.consensus_ts > s.consensus_ts and l.consensus_ts <= @upperTime)
       order by s.key ${order} limit @limit`,
    ),
  });
  const pages = { asc: inOrder('asc'), desc: inOrder('desc') };
  const exists = sql.prepareValue<[bigint, bigint], number>(
    'select 1 from hook where owner_id = ? and hook_id = ?',
  );
  return {
    /** In order of their ids, deleted ones too. */
    page: sql.reading(function* ({ equal, excluded, limit, lower, order, owner, upper }: HookSelection) {
      const wanted = equal === null ? null : list(equal);
      return yield* pages[order].hooks.all(owner, lower, upper, wanted, wanted, list(excluded), limit);
    }),
    exists: sql.reading(function* (owner: bigint, hookId: bigint) {
      return (yield* exists.get(owner, hookId)) !== undefined;
    }),
    /** In order of their keys: what the slots hold, or what they were last set to within the times, zero included. */
    async slots({ order, times, ...asked }: SlotSelection) {
      const { slots, slotsWithin } = pages[order];
      return sql.read(function* () {
        if (times === null) return yield* slots.all(asked);
        return yield* slotsWithin.all({ ...asked, lowerTime: times.lower, upperTime: times.upper });
      });
    },
  };
}
