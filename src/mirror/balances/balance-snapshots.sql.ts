import { eachOnce } from '../../storage/each-once.sql.ts';
import type { Sql } from '../../storage/sql/sql.ts';
import { MAX_INT64, MIN_INT64 } from '../../values/int64.ts';
import type { Work } from '../../values/work.ts';
import { windowStart } from '../ledger/balance-snapshots.ts';
import type { TokenBalance } from './balance-repository.ts';
import type { BalanceSnapshots, Snapshot, SnapshotHolder } from './balance-snapshots.ts';

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

/** Of the rows of an account, or of an account and a token, the newest that counts. */
export const BALANCE_AT = {
  hbar: (account: string) => `(select s.balance from balance_snapshot s
    where s.account_id = ${account} and s.consensus_ts between @since and @at
    order by s.consensus_ts desc limit 1)`,
  token: (account: string, token: string) => `(select s.balance from token_balance_snapshot s
    where s.account_id = ${account} and s.token_id = ${token} and s.consensus_ts between @since and @at
    order by s.consensus_ts desc limit 1)`,
};

/** Reads the snapshots of balances. */
export function createBalanceSnapshots(sql: Sql): BalanceSnapshots & { readonly tokensAt: TokensAt } {
  const newest = sql.prepareExact<[bigint, bigint, number], TimeRow>(
    `select consensus_ts as at, is_windowed, known_from from balance_snapshot_time
     where consensus_ts between ? and ? order by consensus_ts desc limit ?`,
  );
  const balanceAt = sql.prepareExactValue<[{ account: bigint; at: bigint; since: bigint }], bigint | null>(
    `select ${BALANCE_AT.hbar('@account')} as balance`,
  );
  const inOrder = (order: Order) => ({
    tokens: sql.prepareExact<[object], TokenBalance>(
      `${eachOnce('token_id', 'token_balance_snapshot where account_id = @account and', order)}
       select id as token, balance from (select id, ${BALANCE_AT.token('@account', 'each.id')} as balance from each
         where id is not null) as held
       where balance is not null limit @count`,
    ),
    holders: sql.prepareExact<[object], SnapshotHolder>(
      `${eachOnce('account_id', 'token_balance_snapshot where token_id = @token and', order)}
       select id as account, ${BALANCE_AT.token('each.id', '@token')} as balance from each
       where id is not null limit @count`,
    ),
  });
  const statements = { asc: inOrder('asc'), desc: inOrder('desc') };
  const among = sql.prepareExact<[object], SnapshotHolder>(
    `select wanted.value as account, ${BALANCE_AT.token('wanted.value', '@token')} as balance
     from ${sql.dialect.each('wanted', '@wanted')}`,
  );
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
    async holdersAmongAt(token, { at, since }, accounts) {
      return sql.read(() => among.all({ token, at, since, wanted: sql.dialect.list(accounts) }));
    },
  };
}
