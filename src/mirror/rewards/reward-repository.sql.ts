import type { Sql } from '../../storage/sql/sql.ts';
import type { IntegerSelection, PageRequest } from '../parameters/page-parameters.ts';

/** A staking reward that a transaction paid. */
export interface PaidReward {
  readonly at: bigint;
  /** Tinybars. */
  readonly amount: bigint;
}

/** Which rewards of an account a page asks for, by time. */
interface RewardSelection extends PageRequest {
  /** Nanoseconds; nothing is excluded. */
  readonly times: Omit<IntegerSelection, 'excluded'>;
}

/** The read side of paid staking rewards. */
export type RewardRepository = ReturnType<typeof createRewardRepository>;

/** Reads paid staking rewards, by the index on account and time. */
export function createRewardRepository(sql: Sql) {
  const { isListed, list } = sql.dialect;
  const select = 'select consensus_ts as "at", amount from staking_reward';
  const inOrder = (order: 'asc' | 'desc') => ({
    range: sql.prepareExact<[bigint, bigint, bigint, number], PaidReward>(
      `${select} where account_id = ? and consensus_ts between ? and ? order by consensus_ts ${order} limit ?`,
    ),
    among: sql.prepareExact<[bigint, string, number], PaidReward>(
      `${select} where account_id = ? and ${isListed('consensus_ts')}
       order by consensus_ts ${order} limit ?`,
    ),
  });
  const statements = { asc: inOrder('asc'), desc: inOrder('desc') };
  return {
    /** In order. */
    page: sql.reading(function* (account: bigint, { limit, order, times }: RewardSelection) {
      const { among, range } = statements[order];
      const { equal, lower, upper } = times;
      if (equal === null) return yield* range.all(account, lower, upper, limit);
      const wanted = [...equal].filter((time) => time >= lower && time <= upper);
      return yield* among.all(account, list(wanted), limit);
    }),
  };
}
