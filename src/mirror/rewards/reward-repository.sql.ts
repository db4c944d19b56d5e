import type { Sql } from '../../storage/sql/sql.ts';
import type { PaidReward, RewardRepository } from './reward-repository.ts';

/** Reads paid staking rewards, by the index on account and time. */
export function createRewardRepository(sql: Sql): RewardRepository {
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
    page: sql.reading(function* (account, { limit, order, times }) {
      const { among, range } = statements[order];
      const { equal, lower, upper } = times;
      if (equal === null) return yield* range.all(account, lower, upper, limit);
      const wanted = [...equal].filter((time) => time >= lower && time <= upper);
      return yield* among.all(account, list(wanted), limit);
    }),
  };
}
