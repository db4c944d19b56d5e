import type { SqliteDatabase } from '../../storage/sqlite.ts';
import type { Hook, HookRepository, HookSlot } from './hook-repository.ts';

type HookRow = Omit<Hook, 'isDeleted'> & { readonly isDeleted: bigint };

/** Reads the tables `hook` and `hook_storage`. */
export function createSqliteHookRepository(database: SqliteDatabase): HookRepository {
  const inOrder = (order: 'asc' | 'desc') => ({
    hooks: database
      .prepare<unknown[], HookRow>(
        `select owner_id as owner, hook_id as "hookId", lower_ts as "changedTimestamp",
           created_ts as "createdTimestamp", deleted as "isDeleted", contract_id as contract, admin_key as "adminKey"
         from hook where owner_id = ? and hook_id between ? and ?
           and (? is null or hook_id in (select value from json_each(?)))
           and hook_id not in (select value from json_each(?))
         order by hook_id ${order} limit ?`,
      )
      .safeIntegers(true),
    // Of an aggregate with max() the other columns are those of its row.
    slots: database
      .prepare<unknown[], HookSlot>(
        `select key, max(consensus_ts) as "consensusTimestamp", value from hook_storage
         where owner_id = ? and hook_id = ? and key between ? and ? and consensus_ts between ? and ?
         group by key having length(value) > 0 order by key ${order} limit ?`,
      )
      .safeIntegers(true),
  });
  const pages = { asc: inOrder('asc'), desc: inOrder('desc') };
  const exists = database
    .prepare<[bigint, bigint], number>('select 1 from hook where owner_id = ? and hook_id = ?')
    .pluck();
  return {
    async page({ equal, excluded, limit, lower, order, owner, upper }) {
      const wanted = equal === null ? null : list(equal);
      return pages[order].hooks
        .all(owner, lower, upper, wanted, wanted, list(excluded), limit)
        .map((row) => ({ ...row, isDeleted: row.isDeleted === 1n }));
    },
    async exists(owner, hookId) {
      return exists.get(owner, hookId) !== undefined;
    },
    async slots({ hookId, limit, lowerKey, lowerTime, order, owner, upperKey, upperTime }) {
      return pages[order].slots.all(owner, hookId, lowerKey, upperKey, lowerTime, upperTime, limit);
    },
  };
}

function list(numbers: ReadonlySet<bigint>): string {
  return `[${[...numbers].join(',')}]`;
}
