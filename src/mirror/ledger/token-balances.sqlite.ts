import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { MAX_INT64 } from '../../values/int64.ts';
import type { LedgerTransaction, TokenBalanceStatement, TokenRelation } from './rows.ts';

/** Keeps token balances in the commit of a unit; the balance keeper tells when. */
export interface TokenBalances {
  /** Called with each transaction that was not stored before, ascending. */
  move(transaction: LedgerTransaction, relations: readonly TokenRelation[], isComplete: boolean): void;
  /** Sets a balance outright, with a snapshot of its time. */
  state(statement: TokenBalanceStatement): void;
  /** Copies the balances that changed after `since` (all when −1) to the time `at`. */
  snapshot(at: bigint, since: bigint): void;
}

/** The serial number of a row that moves all NFTs to another treasury. */
const ALL_SERIALS = -1n;

/**
 * As for hbar, a balance is known when the ledger is complete, or when the account or the token was created or the
 * account associated in the imported part; others have no row, since transfers alone would invent them.
 *
 * @see contracts/mirror-roadmap.md, accounts and balances
 */
export function createTokenBalances(database: SqliteDatabase): TokenBalances {
  const read = database
    .prepare<[bigint, bigint], bigint | null>(
      'select balance from token_balance where account_id = ? and token_id = ?',
    )
    .safeIntegers(true)
    .pluck();
  const write = database.prepare(
    `insert into token_balance (account_id, token_id, balance, balance_ts) values (?, ?, ?, ?)
     on conflict (account_id, token_id) do update set balance = excluded.balance, balance_ts = excluded.balance_ts`,
  );
  const forgottenAt = database
    .prepare<[], bigint | null>('select forgotten_ts from ledger_state')
    .safeIntegers(true)
    .pluck();
  const isCreatedHere = database
    .prepare<[bigint, bigint], number>(
      'select 1 from token_state where token_id = ? union all select 1 from entity where id = ? and created_ts is not null',
    )
    .pluck();
  const isCreatedBehind = database
    .prepare<[bigint, bigint], number>('select 1 from entity where id = ? and created_ts > ?')
    .pluck();
  const putSnapshot = database.prepare(
    `insert into token_balance_snapshot (account_id, token_id, consensus_ts, balance)
     select account_id, token_id, ?, balance from token_balance where balance_ts > ?
     on conflict (account_id, token_id, consensus_ts) do update set balance = excluded.balance`,
  );

  const statedAt = database
    .prepare<[bigint, bigint], bigint | null>(
      'select balance_ts from token_balance where account_id = ? and token_id = ?',
    )
    .safeIntegers(true)
    .pluck();
  const putStated = database.prepare(
    `insert into token_balance_snapshot (account_id, token_id, consensus_ts, balance) values (?, ?, ?, ?)
     on conflict (account_id, token_id, consensus_ts) do update set balance = excluded.balance`,
  );

  /** Null while it is unknown. */
  const balanceOf = (account: bigint, token: bigint, isComplete: boolean): bigint | null => {
    const known = read.get(account, token) ?? null;
    if (known !== null) return known;
    const forgotten = forgottenAt.get() ?? null;
    if (forgotten !== null) return isCreatedBehind.get(account, forgotten) === undefined ? null : 0n;
    return isComplete || isCreatedHere.get(token, account) !== undefined ? 0n : null;
  };

  return {
    move(transaction, relations, isComplete) {
      const at = transaction.consensusTimestamp;
      const add = (account: bigint, token: bigint, change: bigint) => {
        const before = balanceOf(account, token, isComplete);
        if (before === null) return;
        const after = before + change;
        // A balance beyond int64 cannot be real; it is unknown rather than wrong.
        write.run(account, token, after > MAX_INT64 || after < -MAX_INT64 ? null : after, at);
      };
      for (const { account, token, isAssociated } of relations) {
        if (isAssociated && (read.get(account, token) ?? null) === null) write.run(account, token, 0n, at);
      }
      for (const { account, amount, token } of transaction.tokenTransfers) add(account, token, amount);
      for (const { receiver, sender, serial, token } of transaction.nftTransfers) {
        const count =
          serial !== ALL_SERIALS ? 1n : sender === null ? null : balanceOf(sender, token, isComplete);
        if (count === null) continue;
        if (sender !== null) add(sender, token, -count);
        if (receiver !== null) add(receiver, token, count);
      }
      for (const { account, token, isAssociated } of relations) {
        if (!isAssociated) write.run(account, token, null, at);
      }
    },
    state({ account, balance, timestamp, token }) {
      putStated.run(account, token, timestamp, balance);
      if ((statedAt.get(account, token) ?? -1n) > timestamp) return;
      write.run(account, token, balance, timestamp);
    },
    snapshot(at, since) {
      putSnapshot.run(at, since);
    },
  };
}
