import type { SqliteDatabase } from '../../storage/sqlite.ts';
import type { PaidReward, RewardRepository } from './reward-repository.ts';

/** Reads paid staking rewards, by the index on account and time. */
export function createSqliteRewardRepository(database: SqliteDatabase): RewardRepository {
  const select = 'select consensus_ts as "at", amount from staking_reward';
  const inOrder = (order: 'asc' | 'desc') => ({
    range: database
      .prepare<[bigint, bigint, bigint, number], PaidReward>(
        `${select} where account_id = ? and consensus_ts between ? and ? order by consensus_ts ${order} limit ?`,
      )
      .safeIntegers(true),
    among: database
      .prepare<[bigint, string, number], PaidReward>(
        `${select} where account_id = ? and consensus_ts in (select value from json_each(?))
         order by consensus_ts ${order} limit ?`,
      )
      .safeIntegers(true),
  });
  const statements = { asc: inOrder('asc'), desc: inOrder('desc') };
  return {
    async page(account, { limit, order, times }) {
      const { among, range } = statements[order];
      const { equal, lower, upper } = times;
      if (equal === null) return range.all(account, lower, upper, limit);
      const wanted = [...equal].filter((time) => time >= lower && time <= upper);
      return among.all(account, `[${wanted.join(',')}]`, limit);
    },
  };
}
