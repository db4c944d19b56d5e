import { setImmediate } from 'node:timers/promises';
import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { type IntegerSelection, MAX_INT64, MIN_INT64 } from '../parameters/integer-range.ts';
import type {
  AccountBalance,
  BalanceRepository,
  BalanceSelection,
  TokenBalance,
} from './balance-repository.ts';

interface WalkRow {
  readonly id: bigint;
  readonly balance: bigint | null;
}

/** Accounts that are looked at before other requests get a turn. */
const LONGEST_STEP = 2000;

/** Reads the running balances and their snapshots. */
export function createSqliteBalanceRepository(database: SqliteDatabase): BalanceRepository {
  const walk = (balance: string, order: 'asc' | 'desc') =>
    database
      .prepare<unknown[], WalkRow>(
        `select e.id, ${balance} as balance from entity e where e.id between ? and ? order by e.id ${order} limit ?`,
      )
      .safeIntegers(true);
  const snapshot = `(select s.balance from balance_snapshot s where s.account_id = e.id and s.consensus_ts <= ?
    order by s.consensus_ts desc limit 1)`;
  const newestState = { asc: walk('e.balance', 'asc'), desc: walk('e.balance', 'desc') };
  const atSnapshot = { asc: walk(snapshot, 'asc'), desc: walk(snapshot, 'desc') };
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

  const step = (order: 'asc' | 'desc', time: bigint | null, lower: bigint, upper: bigint, count: number) =>
    time === null
      ? newestState[order].all(lower, upper, count)
      : atSnapshot[order].all(time, lower, upper, count);

  async function walkRange(
    { balance, limit, order }: BalanceSelection,
    time: bigint | null,
    range: { readonly lower: bigint; readonly upper: bigint; readonly excluded: readonly bigint[] },
  ): Promise<readonly AccountBalance[]> {
    const found: AccountBalance[] = [];
    let { lower, upper } = range;
    let count = limit;
    while (lower <= upper) {
      const rows = step(order, time, lower, upper, count);
      for (const row of rows) {
        if (row.balance === null || !selects(balance, row.balance) || range.excluded.includes(row.id))
          continue;
        found.push({ account: row.id, balance: row.balance });
        if (found.length === limit) return found;
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < count) return found;
      if (order === 'asc') lower = last.id + 1n;
      else upper = last.id - 1n;
      count = LONGEST_STEP;
      await setImmediate();
    }
    return found;
  }

  return {
    async page(selection, time) {
      const { accounts, balance, limit, order } = selection;
      if (accounts === null) {
        return walkRange(selection, time, { lower: MIN_INT64, upper: MAX_INT64, excluded: [] });
      }
      if (accounts.kind === 'range') return walkRange(selection, time, accounts);
      const ids = [...accounts.ids].sort((a, b) => (a < b === (order === 'asc') ? -1 : 1));
      return ids
        .flatMap((id) => step(order, time, id, id, 1))
        .flatMap((row) => (row.balance === null ? [] : [{ account: row.id, balance: row.balance }]))
        .filter((row) => selects(balance, row.balance))
        .slice(0, limit);
    },
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

function selects({ equal, excluded, lower, upper }: IntegerSelection, value: bigint): boolean {
  return value >= lower && value <= upper && !excluded.has(value) && (equal === null || equal.has(value));
}
