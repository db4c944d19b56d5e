import type { Sql } from '../../storage/sql/sql.ts';
import { MAX_INT64, MIN_INT64 } from '../../values/int64.ts';
import type { Work } from '../../values/work.ts';
import { windowStart } from '../ledger/balance-snapshots.ts';
import type { TokenBalance } from './balance-repository.ts';
import type { BalanceSnapshots, Snapshot } from './balance-snapshots.ts';

type Order = 'asc' | 'desc';

/** In the order of the tokens; given up ones are left out. */
type TokensAt = (
  account: bigint,
  snapshot: Snapshot,
  limit: number,
  order: Order,
) => Work<readonly TokenBalance[]>;

interface TimeRow {
  readonly at: bigint;
  readonly is_windowed: bigint;
  readonly known_from: bigint;
}

/** The limit of a statement whose parameters have names; an expression, as {@link SqlDialect.boundLimit} is. */
export const COUNT = 'cast(@count as bigint)';

/** Of the rows of an account, or of an account and a token, the newest that counts. */
export const BALANCE_AT = {
  hbar: (account: string) => `(select s.balance from balance_snapshot s
    where s.account_id = ${account} and s.consensus_ts between @since and @at
    order by s.consensus_ts desc limit 1)`,
  token: (account: string, token: string) => `(select s.balance from token_balance_snapshot s
    where s.account_id = ${account} and s.token_id = ${token} and s.consensus_ts between @since and @at
    order by s.consensus_ts desc limit 1)`,
};

/**
 * The distinct values of a key after which others stand in an index, found by one step each instead of along all rows.
 *
 * @param from table with the conditions on the columns before, if any
 * @returns SQL of a table `each` with the column `id`, whose last row is null; parameters `@lower` and `@upper`. Rows are
 *   found as they are asked for, and in their order.
 */
export function eachOnce(column: string, from: string, order: Order): string {
  const [pick, next] =
    order === 'asc'
      ? [`min(${column})`, `${column} > each.id and ${column} <= @upper`]
      : [`max(${column})`, `${column} < each.id and ${column} >= @lower`];
  return `with recursive each (id) as (
      select ${pick} from ${from} ${column} between @lower and @upper
      union all
      select (select ${pick} from ${from} ${next}) from each where each.id is not null)`;
}

/** Reads the snapshots of balances. */
export function createBalanceSnapshots(sql: Sql): BalanceSnapshots & { readonly tokensAt: TokensAt } {
  const newest = sql
    .prepare<[bigint, bigint, number], TimeRow>(
      `select consensus_ts as at, is_windowed, known_from from balance_snapshot_time
       where consensus_ts between ? and ? order by consensus_ts desc limit ${sql.dialect.boundLimit}`,
    )
    .safeIntegers(true);
  const balanceAt = sql
    .prepare<[{ account: bigint; at: bigint; since: bigint }], bigint | null>(
      `select ${BALANCE_AT.hbar('@account')} as balance`,
    )
    .safeIntegers(true)
    .pluck();
  const inOrder = (order: Order) => ({
    tokens: sql
      .prepare<[object], TokenBalance>(
        `${eachOnce('token_id', 'token_balance_snapshot where account_id = @account and', order)}
         select id as token, balance from (select id, ${BALANCE_AT.token('@account', 'each.id')} as balance from each
           where id is not null) as held
         where balance is not null limit ${COUNT}`,
      )
      .safeIntegers(true),
    holders: sql
      .prepare<[object], { readonly account: bigint; readonly balance: bigint | null }>(
        `${eachOnce('account_id', 'token_balance_snapshot where token_id = @token and', order)}
         select id as account, ${BALANCE_AT.token('each.id', '@token')} as balance from each
         where id is not null limit ${COUNT}`,
      )
      .safeIntegers(true),
  });
  const statements = { asc: inOrder('asc'), desc: inOrder('desc') };
  return {
    async newest({ excluded, lower, upper }) {
      const times = await sql.read(() => newest.all(lower, upper, excluded.length + 1));
      const found = times.find(({ at }) => !excluded.includes(at));
      if (found === undefined) return null;
      const start = found.is_windowed === 1n ? windowStart(found.at) : 0n;
      return { at: found.at, since: start > found.known_from ? start : found.known_from };
    },
    async balanceAt(account, { at, since }) {
      return (await sql.read(() => balanceAt.get({ account, at, since }))) ?? null;
    },
    tokensAt(account, { at, since }, limit, order) {
      // Given up ones stand between them, and are not many.
      const bounds = { lower: MIN_INT64, upper: MAX_INT64, count: limit };
      return statements[order].tokens.all({ account, at, since, ...bounds });
    },
    async holdersAt(token, { at, since }, { limit, lower, order, upper }) {
      return sql.read(() => statements[order].holders.all({ token, at, since, lower, upper, count: limit }));
    },
  };
}
