import { eachOnce } from '../../storage/each-once.sql.ts';
import type { Sql } from '../../storage/sql/sql.ts';
import { MAX_INT64, MIN_INT64 } from '../../values/int64.ts';
import { windowStart } from '../ledger/balance-snapshots.ts';
import type { EntityTimes } from '../ledger/entity-reader.sql.ts';
import type { PageRange } from '../parameters/page-parameters.ts';
import type { TokenBalance } from './balance-repository.sql.ts';
import type { Snapshot, SnapshotHolder } from './balance-snapshots.ts';

type Order = 'asc' | 'desc';

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

/** Reads balances as they were. */
export type BalanceSnapshots = Omit<ReturnType<typeof createBalanceSnapshots>, 'tokensAt'>;

/** Reads the snapshots of balances. */
export function createBalanceSnapshots(sql: Sql) {
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
    /** The newest snapshot that meets the search. */
    async newest({ excluded, lower, upper }: EntityTimes): Promise<Snapshot | null> {
      const times = await sql.read(() => newest.all(lower, upper, excluded.length + 1));
      const found = times.find(({ at }) => !excluded.includes(at));
      if (found === undefined) return null;
      const start = found.is_windowed === 1n ? windowStart(found.at) : 0n;
      return { at: found.at, since: start > found.known_from ? start : found.known_from };
    },
    /** Tinybars; null when no row of the account counts. */
    async balanceAt(account: bigint, { at, since }: Snapshot) {
      return (await sql.read(() => balanceAt.get({ account, at, since }))) ?? null;
    },
    /** In the order of the tokens; given up ones are left out. */
    tokensAt(account: bigint, { at, since }: Snapshot, limit: number, order: Order) {
      // Given up ones stand between them, and are not many.
      const bounds = { lower: MIN_INT64, upper: MAX_INT64, count: limit };
      return statements[order].tokens.all({ account, at, since, ...bounds });
    },
    /**
     * In the order of the accounts: those with any row of the token, as many as the limit; the balance is null when none
     * of their rows counts, or when the account had given the token up.
     */
    async holdersAt(token: bigint, { at, since }: Snapshot, { limit, lower, order, upper }: PageRange) {
      return sql.read(() => statements[order].holders.all({ token, at, since, lower, upper, count: limit }));
    },
    /** The same of a list of accounts, in any order; those without a row may be among them. */
    async holdersAmongAt(token: bigint, { at, since }: Snapshot, accounts: readonly bigint[]) {
      return sql.read(() => among.all({ token, at, since, wanted: sql.dialect.list(accounts) }));
    },
  };
}
