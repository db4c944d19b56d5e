import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { isSuccess } from '../transactions/response-codes.ts';
import { isNewSnapshotInterval, isNewSnapshotMonth } from './balance-snapshots.ts';
import type { BalanceStatement, LedgerTransaction, LedgerUnit, TokenRelation } from './rows.ts';
import { createTokenBalances } from './token-balances.sqlite.ts';

/** Keeps the running balances of hbar and tokens and their snapshots in the commit of a unit. */
export interface BalanceKeeper {
  /** Called once per commit, with the transactions that were not stored before, ascending. */
  apply(unit: LedgerUnit, transactions: readonly LedgerTransaction[]): void;
  /** Called before a unit that does not follow the last one: what was moved in between is unknown. */
  forget(): void;
}

interface KeeperState {
  readonly balances_complete: bigint;
  readonly last_transaction_ts: bigint | null;
  readonly last_snapshot_ts: bigint | null;
}

interface StoredBalance {
  readonly balance: bigint | null;
  readonly balance_ts: bigint | null;
}

const MAX_INT64 = 2n ** 63n - 1n;
/** CONTRACTCREATEINSTANCE and CRYPTOCREATEACCOUNT: the new account begins at 0. */
const CREATING_TYPES: ReadonlySet<number> = new Set([8, 11]);

/**
 * A balance is known when the stream began at genesis, when the account was created in it, or when a
 * statement gave it; others stay null, since transfers alone would invent them.
 *
 * @see contracts/mirror-storage.md section 5 rule 4, contracts/mirror-network.md section 7
 */
export function createBalanceKeeper(database: SqliteDatabase): BalanceKeeper {
  const readState = database
    .prepare<[], KeeperState>(
      'select balances_complete, last_transaction_ts, last_snapshot_ts from ledger_state where only_row = 1',
    )
    .safeIntegers(true);
  const writeState = database.prepare(
    `insert into ledger_state (only_row, balances_complete, last_transaction_ts, last_snapshot_ts)
     values (1, ?, ?, ?)
     on conflict (only_row) do update set last_transaction_ts = excluded.last_transaction_ts,
       last_snapshot_ts = excluded.last_snapshot_ts`,
  );
  const readBalance = database
    .prepare<[bigint], StoredBalance>('select balance, balance_ts from entity where id = ?')
    .safeIntegers(true);
  const writeBalance = database.prepare(
    `insert into entity (id, balance, balance_ts) values (?, ?, ?)
     on conflict (id) do update set balance = excluded.balance, balance_ts = excluded.balance_ts`,
  );
  const putSnapshot = database.prepare(
    `insert into balance_snapshot (account_id, consensus_ts, balance) values (?, ?, ?)
     on conflict (account_id, consensus_ts) do update set balance = excluded.balance`,
  );
  const snapshotChanged = database.prepare(
    `insert into balance_snapshot (account_id, consensus_ts, balance)
     select id, ?, balance from entity where balance is not null and balance_ts > ?
     on conflict (account_id, consensus_ts) do update set balance = excluded.balance`,
  );
  const tokens = createTokenBalances(database);

  return {
    forget() {
      database.exec(
        `update entity set balance = null, balance_ts = null where balance is not null;
         delete from token_balance;
         update ledger_state set balances_complete = 0, forgotten_ts = last_transaction_ts;`,
      );
    },
    apply(unit, transactions) {
      const stored = readState.get();
      const isComplete =
        stored === undefined
          ? unit.header.kind === 'fixture' || unit.header.blockNumber === 0n
          : stored.balances_complete === 1n;
      let lastTransaction = stored?.last_transaction_ts ?? null;
      let lastSnapshot = stored?.last_snapshot_ts ?? null;
      const pending = new Map<bigint, bigint>();

      const flush = (at: bigint) => {
        for (const [account, change] of pending) {
          const known = readBalance.get(account);
          const before = known?.balance ?? (isComplete ? 0n : null);
          if (before !== null) writeBalance.run(account, int64OrNull(before + change), at);
        }
        pending.clear();
      };
      const snapshot = (at: bigint) => {
        const isFull = lastSnapshot === null || isNewSnapshotMonth(lastSnapshot, at);
        const since = isFull ? -1n : lastSnapshot;
        snapshotChanged.run(at, since);
        tokens.snapshot(at, since ?? -1n);
        lastSnapshot = at;
      };
      const state = (statement: BalanceStatement) => {
        flush(lastTransaction ?? statement.timestamp);
        putSnapshot.run(statement.account, statement.timestamp, statement.balance);
        const known = readBalance.get(statement.account);
        if ((known?.balance_ts ?? -1n) > statement.timestamp) return;
        writeBalance.run(statement.account, statement.balance, statement.timestamp);
      };

      const stateNext = inTimeOrder([
        ...unit.balances.map((statement) => ({ statement, tell: () => state(statement) })),
        ...unit.tokenBalances.map((statement) => ({ statement, tell: () => tokens.state(statement) })),
      ]);
      const relationsAt = byTime(unit.tokenRelations);
      for (const transaction of transactions) {
        const at = transaction.consensusTimestamp;
        stateNext(at);
        if (lastTransaction !== null && isNewSnapshotInterval(lastTransaction, at)) {
          flush(lastTransaction);
          snapshot(lastTransaction);
        }
        const created = createdAccount(transaction);
        if (created !== null && (readBalance.get(created)?.balance ?? null) === null) {
          writeBalance.run(created, 0n, at);
        }
        const relations = relationsAt.get(at) ?? NO_RELATIONS;
        if (relations.length + transaction.tokenTransfers.length + transaction.nftTransfers.length > 0) {
          tokens.move(transaction, relations, isComplete);
        }
        for (const { account, amount, neverHappened } of transaction.transfers) {
          if (neverHappened === true) continue;
          pending.set(account, (pending.get(account) ?? 0n) + amount);
        }
        lastTransaction = at;
      }
      if (lastTransaction !== null) flush(lastTransaction);
      stateNext(null);
      if (lastSnapshot === null && lastTransaction !== null) snapshot(lastTransaction);
      writeState.run(isComplete ? 1 : 0, lastTransaction, lastSnapshot);
    },
  };
}

const NO_RELATIONS: readonly TokenRelation[] = [];

interface DueStatement {
  readonly statement: BalanceStatement;
  readonly tell: () => void;
}

/** Tells, each time it is called, the statements that are left from before a time; null for all. */
function inTimeOrder(statements: readonly DueStatement[]): (before: bigint | null) => void {
  const sorted = [...statements].sort((a, b) => (a.statement.timestamp < b.statement.timestamp ? -1 : 1));
  let next = 0;
  return (before) => {
    for (let due = sorted[next]; due !== undefined; due = sorted[++next]) {
      if (before !== null && due.statement.timestamp >= before) return;
      due.tell();
    }
  };
}

function byTime(relations: readonly TokenRelation[]): ReadonlyMap<bigint, readonly TokenRelation[]> {
  const groups = new Map<bigint, TokenRelation[]>();
  for (const relation of relations) {
    const group = groups.get(relation.consensusTimestamp);
    if (group === undefined) groups.set(relation.consensusTimestamp, [relation]);
    else group.push(relation);
  }
  return groups;
}

function createdAccount({ type, result, entityId }: LedgerTransaction): bigint | null {
  return CREATING_TYPES.has(type) && isSuccess(result) ? entityId : null;
}

/** A balance beyond int64 cannot be real; it is unknown rather than wrong. */
function int64OrNull(balance: bigint): bigint | null {
  return balance > MAX_INT64 || balance < -MAX_INT64 ? null : balance;
}
