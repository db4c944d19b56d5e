import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { createBalancePages } from './balance-pages.sqlite.ts';
import type { BalanceRepository, TokenBalance } from './balance-repository.ts';
import { createSqliteBalanceSnapshots } from './balance-snapshots.sqlite.ts';

/** Reads the running balances and their snapshots. */
export function createSqliteBalanceRepository(database: SqliteDatabase): BalanceRepository {
  const tokensInOrder = (order: 'asc' | 'desc') =>
    database
      .prepare<[bigint, number], TokenBalance>(
        `select token_id as "token", balance from token_balance where account_id = ? and balance is not null
         order by token_id ${order} limit ?`,
      )
      .safeIntegers(true);
  const tokens = { asc: tokensInOrder('asc'), desc: tokensInOrder('desc') };
  const { tokensAt, ...snapshots } = createSqliteBalanceSnapshots(database);
  return {
    ...snapshots,
    page: createBalancePages(database),
    async tokensOf(account, limit, snapshot, order) {
      return snapshot === null
        ? tokens[order].all(account, limit)
        : tokensAt(account, snapshot, limit, order);
    },
  };
}
