import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { createBalancePages } from './balance-pages.sqlite.ts';
import type { BalanceRepository, TokenBalance } from './balance-repository.ts';

/** Reads the running balances and their snapshots. */
export function createSqliteBalanceRepository(database: SqliteDatabase): BalanceRepository {
  const newestTokens = (order: 'asc' | 'desc') =>
    database
      .prepare<[bigint, number], TokenBalance>(
        `select token_id as "token", balance from token_balance where account_id = ? and balance is not null
         order by token_id ${order} limit ?`,
      )
      .safeIntegers(true);
  const tokensAt = (order: 'asc' | 'desc') =>
    database
      .prepare<[bigint, bigint, number], TokenBalance>(
        `select token, balance from (
         select t.token_id as "token", (select s.balance from token_balance_snapshot s
           where s.account_id = t.account_id and s.token_id = t.token_id and s.consensus_ts <= ?
           order by s.consensus_ts desc limit 1) as balance
         from token_balance t where t.account_id = ?)
       where balance is not null order by token ${order} limit ?`,
      )
      .safeIntegers(true);
  const tokens = { asc: newestTokens('asc'), desc: newestTokens('desc') };
  const snapshotTokens = { asc: tokensAt('asc'), desc: tokensAt('desc') };
  const newestTime = database
    .prepare<[], bigint | null>(
      `select max((select max(balance_ts) from entity where balance_ts is not null),
         (select max(consensus_end) from ledger_unit))`,
    )
    .safeIntegers(true)
    .pluck();
  const newestSnapshot = database
    .prepare<[bigint, bigint], bigint | null>(
      'select max(consensus_ts) from balance_snapshot where consensus_ts between ? and ?',
    )
    .safeIntegers(true)
    .pluck();

  return {
    page: createBalancePages(database),
    async tokensOf(account, limit, time, order) {
      return time === null
        ? tokens[order].all(account, limit)
        : snapshotTokens[order].all(time, account, limit);
    },
    async newestTime() {
      return newestTime.get() ?? null;
    },
    async newestSnapshot(lower, upper) {
      return newestSnapshot.get(lower, upper) ?? null;
    },
  };
}
