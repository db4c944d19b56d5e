import type { Sql } from '../../storage/sql/sql.ts';
import type { SqlList } from '../../storage/sql/sql-dialect.ts';
import { createBalancePages } from './balance-pages.sql.ts';
import type { BalanceRepository, TokenBalance } from './balance-repository.ts';
import { createBalanceSnapshots } from './balance-snapshots.sql.ts';

interface TokensRow {
  readonly account: bigint;
  /** `token:balance`, with commas between; null when there are none. */
  readonly tokens: string | null;
}

/** Reads the running balances and their snapshots. */
export function createBalanceRepository(sql: Sql): BalanceRepository {
  const tokensInOrder = (order: 'asc' | 'desc') =>
    sql.prepareExact<[bigint, number], TokenBalance>(
      `select token_id as "token", balance from token_balance where account_id = ? and balance is not null
       order by token_id ${order} limit ?`,
    );
  const tokens = { asc: tokensInOrder('asc'), desc: tokensInOrder('desc') };
  const { each, list } = sql.dialect;
  const prepareEach = (order: 'asc' | 'desc') =>
    sql.prepareExact<[number, SqlList], TokensRow>(
      `select account.value as account, (
         select string_agg(held.token_id || ':' || held.balance, ',') from (
           select token_id, balance from token_balance where account_id = account.value and balance is not null
           order by token_id ${order} limit ?) as held) as tokens
       from ${each('account')}`,
    );
  const ofEach = { asc: prepareEach('asc'), desc: prepareEach('desc') };
  const { tokensAt, ...snapshots } = createBalanceSnapshots(sql);
  return {
    ...snapshots,
    page: createBalancePages(sql),
    async tokensOfEach(accounts, limit, snapshot, order) {
      if (accounts.length === 0) return new Map();
      return sql.read(function* () {
        const found = new Map<bigint, readonly TokenBalance[]>();
        if (snapshot === null) {
          const rows = yield* ofEach[order].all(limit, list(accounts));
          for (const row of rows) found.set(row.account, parseTokens(row.tokens, order));
        } else {
          for (const id of accounts) found.set(id, yield* tokensAt(id, snapshot, limit, order));
        }
        return found;
      });
    },
    async tokensOf(account, limit, snapshot, order) {
      return sql.read(() =>
        snapshot === null ? tokens[order].all(account, limit) : tokensAt(account, snapshot, limit, order),
      );
    },
  };
}

function parseTokens(text: string | null, order: 'asc' | 'desc'): readonly TokenBalance[] {
  if (text === null) return [];
  const found = text.split(',').map((pair): TokenBalance => {
    const [token = '', balance = ''] = pair.split(':');
    return { token: BigInt(token), balance: BigInt(balance) };
  });
  return found.sort((one, other) => (one.token < other.token === (order === 'asc') ? -1 : 1));
}
