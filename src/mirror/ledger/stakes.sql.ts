import { prepareSelect, type Sql } from '../../storage/sql/sql.ts';
import type { EntityTimes } from './entity-reader.sql.ts';
import { STAKE_ROW } from './stakes.ts';

/** The read side of stakes. */
export type Stakes = ReturnType<typeof createStakes>;

/** Reads the stakes of accounts. */
export function createStakes(sql: Sql) {
  const { each, orderedJoin } = sql.dialect;
  const now = prepareSelect(
    sql,
    STAKE_ROW,
    `from ${each('k')} ${orderedJoin} stake_row s on s.account_id = k.value`,
  );
  const upTo = prepareSelect(
    sql,
    STAKE_ROW,
    `from stake_row where account_id = @account and lower_ts <= @upper
     union all
     select ${STAKE_ROW.select} from stake_history where account_id = @account and lower_ts <= @upper
     order by lower_ts desc limit @count`,
  );
  const nextLower = sql.prepareExactValue<[{ account: bigint; lower: bigint }], bigint | null>(
    `select coalesce((select min(lower_ts) from stake_history where account_id = @account and lower_ts > @lower),
     (select lower_ts from stake_row where account_id = @account and lower_ts > @lower))`,
  );
  return {
    /** The newest rows of these accounts; none for those that never staked to a node. */
    now: sql.reading(function* (accounts: readonly bigint[]) {
      return new Map((yield* now.all(sql.dialect.list(accounts))).map((row) => [row.account, row]));
    }),
    /** The row of an account whose range meets all of the times, the newest of several; null without one. */
    at: sql.reading(function* (account: bigint, { excluded, lower, upper }: EntityTimes) {
      // A row ends where the next one begins.
      let end = (yield* nextLower.get({ account, lower: upper })) ?? null;
      for (const row of yield* upTo.all({ account, upper, count: excluded.length + 1 })) {
        if (end !== null && end <= lower) return null;
        const last = end;
        const isExcluded = excluded.some((time) => time >= row.lower && (last === null || time < last));
        if (!isExcluded) return row;
        end = row.lower;
      }
      return null;
    }),
  };
}
