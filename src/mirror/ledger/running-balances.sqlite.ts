import type { SqliteDatabase } from '../../storage/sqlite.ts';

/** A balance of hbar, tinybars, and when it was so; both null while it is unknown. */
export interface RunningBalance {
  readonly balance: bigint | null;
  readonly at: bigint | null;
}

/** Balances of accounts while a commit goes on: those that change are in memory until they are stored together. */
export interface RunningBalances {
  of(account: bigint): RunningBalance;
  set(account: bigint, balance: bigint | null, at: bigint): void;
  /** Writes what changed; the caller opens the database transaction. */
  store(): void;
  /** Forgets what is in memory, stored or not. */
  clear(): void;
}

interface BalanceRow {
  readonly balance: bigint | null;
  readonly balance_ts: bigint | null;
}

/** Prepares the statements once. */
export function createRunningBalances(database: SqliteDatabase): RunningBalances {
  const read = database
    .prepare<[bigint], BalanceRow>('select balance, balance_ts from entity where id = ?')
    .safeIntegers(true);
  const write = database.prepare(
    `insert into entity (id, balance, balance_ts) values (?, ?, ?)
     on conflict (id) do update set balance = excluded.balance, balance_ts = excluded.balance_ts`,
  );
  const known = new Map<bigint, RunningBalance>();
  const changed = new Set<bigint>();
  const of = (account: bigint): RunningBalance => {
    const found = known.get(account);
    if (found !== undefined) return found;
    const row = read.get(account);
    const stored = { balance: row?.balance ?? null, at: row?.balance_ts ?? null };
    known.set(account, stored);
    return stored;
  };
  return {
    of,
    set(account, balance, at) {
      known.set(account, { balance, at });
      changed.add(account);
    },
    store() {
      // In order, so that neighbours are written together.
      for (const account of [...changed].sort((left, right) => (left < right ? -1 : 1))) {
        const { at, balance } = of(account);
        write.run(account, balance, at);
      }
      changed.clear();
    },
    clear() {
      known.clear();
      changed.clear();
    },
  };
}
