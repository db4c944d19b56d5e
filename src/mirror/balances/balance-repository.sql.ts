import type { Sql } from '../../storage/sql/sql.ts';
import { createBalancePages } from './balance-pages.sql.ts';
import type { BalanceRepository, TokenBalance } from './balance-repository.ts';
import { createBalanceSnapshots } from './balance-snapshots.sql.ts';

/** Reads the running balances and their snapshots. */
export function createBalanceRepository(sql: Sql): BalanceRepository {
  const tokensInOrder = (order: 'asc' | 'desc') =>
    sql
      .prepare<[bigint, number], TokenBalance>(
        `select token_id as "token", balance from token_balance where account_id = ? and balance is not null
         order by token_id ${order} limit ${sql.dialect.boundLimit}`,
      )
      .safeIntegers(true);
  const tokens = { asc: tokensInOrder('asc'), desc: tokensInOrder('desc') };
  const { tokensAt, ...snapshots } = createBalanceSnapshots(sql);
  return {
    ...snapshots,
    page: createBalancePages(sql),
    async tokensOf(account, limit, snapshot, order) {
      return sql.read(() =>
        snapshot === null ? tokens[order].all(account, limit) : tokensAt(account, snapshot, limit, order),
      );
    },
  };
}
