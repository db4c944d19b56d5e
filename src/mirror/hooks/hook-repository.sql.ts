import { prepareSelect } from '../../storage/sql/row-table.ts';
import type { Sql } from '../../storage/sql/sql.ts';
import { HOOK, type HookRepository, type HookSlot } from './hook-repository.ts';

/** Reads the tables `hook`, `hook_slot` and `hook_storage`. */
export function createHookRepository(sql: Sql): HookRepository {
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
         and s.consensus_ts between @lowerTime and @upperTime and length(s.value) > 0
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
    page: sql.reading(function* ({ equal, excluded, limit, lower, order, owner, upper }) {
      const wanted = equal === null ? null : list(equal);
      return yield* pages[order].hooks.all(owner, lower, upper, wanted, wanted, list(excluded), limit);
    }),
    exists: sql.reading(function* (owner, hookId) {
      return (yield* exists.get(owner, hookId)) !== undefined;
    }),
    async slots({ order, times, ...asked }) {
      const { slots, slotsWithin } = pages[order];
      return sql.read(function* () {
        if (times === null) return yield* slots.all(asked);
        return yield* slotsWithin.all({ ...asked, lowerTime: times.lower, upperTime: times.upper });
      });
    },
  };
}
