import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { MAX_INT64 } from '../../values/int64.ts';
import { isSuccess } from '../vocabulary/response-codes.ts';
import { isNewSnapshotInterval, isNewSnapshotMonth } from './balance-snapshots.ts';
import type { BalanceStatement, LedgerTransaction, LedgerUnit, TokenRelation } from './rows.ts';
import { createRunningBalances } from './running-balances.sqlite.ts';
import { createTokenBalances } from './token-balances.sqlite.ts';

/** Keeps the running balances of hbar and tokens and their snapshots in the commit of units. */
export interface BalanceKeeper {
  /** Called before the first unit of a commit. */
  begin(): void;
  /** Called with each unit and its transactions that were not stored before, ascending. */
  apply(unit: LedgerUnit, transactions: readonly LedgerTransaction[]): void;
  /** Called behind the last unit of a commit; until then balances that change are in memory. */
  end(): void;
  /** Called before a unit that does not follow the last one: what was moved in between is unknown. */
  forget(): void;
}

interface StateRow {
  readonly balances_complete: bigint;
  readonly last_transaction_ts: bigint | null;
  readonly last_snapshot_ts: bigint | null;
}

interface KeeperState {
  isComplete: boolean;
  lastTransaction: bigint | null;
  lastSnapshot: bigint | null;
}

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
    .prepare<[], StateRow>(
      'select balances_complete, last_transaction_ts, last_snapshot_ts from ledger_state where only_row = 1',
    )
    .safeIntegers(true);
  const writeState = database.prepare(
    `insert into ledger_state (only_row, balances_complete, last_transaction_ts, last_snapshot_ts)
     values (1, ?, ?, ?)
     on conflict (only_row) do update set last_transaction_ts = excluded.last_transaction_ts,
       last_snapshot_ts = excluded.last_snapshot_ts`,
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

  const balances = createRunningBalances(database);
  let state: KeeperState | null = null;

  const readKeeperState = ({ header }: LedgerUnit): KeeperState => {
    const row = readState.get();
    if (row === undefined) {
      const isComplete = header.kind === 'fixture' || header.blockNumber === 0n;
      return { isComplete, lastTransaction: null, lastSnapshot: null };
    }
    return {
      isComplete: row.balances_complete === 1n,
      lastTransaction: row.last_transaction_ts,
      lastSnapshot: row.last_snapshot_ts,
    };
  };
  const storeState = (): void => {
    if (state !== null) writeState.run(state.isComplete ? 1 : 0, state.lastTransaction, state.lastSnapshot);
  };
  const begin = (): void => {
    balances.clear();
    state = null;
  };
  const end = (): void => {
    balances.store();
    storeState();
    begin();
  };

  return {
    begin,
    end,
    forget() {
      end();
      database.exec(
        `update entity set balance = null, balance_ts = null where balance is not null;
         delete from token_balance;
         update ledger_state set balances_complete = 0, forgotten_ts = last_transaction_ts;`,
      );
    },
    apply(unit, transactions) {
      state ??= readKeeperState(unit);
      const now = state;
      const pending = new Map<bigint, { change: bigint; at: bigint }>();

      const flush = () => {
        for (const [account, { at, change }] of pending) {
          const before = balances.of(account).balance ?? (now.isComplete ? 0n : null);
          if (before !== null) balances.set(account, int64OrNull(before + change), at);
        }
        pending.clear();
      };
      const snapshot = (at: bigint) => {
        const isFull = now.lastSnapshot === null || isNewSnapshotMonth(now.lastSnapshot, at);
        const since = isFull ? -1n : now.lastSnapshot;
        balances.store();
        snapshotChanged.run(at, since);
        tokens.snapshot(at, since ?? -1n);
        now.lastSnapshot = at;
      };
      const declare = (statement: BalanceStatement) => {
        flush();
        putSnapshot.run(statement.account, statement.timestamp, statement.balance);
        if ((balances.of(statement.account).at ?? -1n) > statement.timestamp) return;
        balances.set(statement.account, statement.balance, statement.timestamp);
      };

      const stateNext = inTimeOrder([
        ...unit.balances.map((statement) => ({ statement, tell: () => declare(statement) })),
        ...unit.tokenBalances.map((statement) => ({ statement, tell: () => tokens.state(statement) })),
      ]);
      const relationsAt = byTime(unit.tokenRelations);
      for (const transaction of transactions) {
        const at = transaction.consensusTimestamp;
        stateNext(at);
        if (now.lastTransaction !== null && isNewSnapshotInterval(now.lastTransaction, at)) {
          flush();
          snapshot(now.lastTransaction);
        }
        const created = createdAccount(transaction);
        if (created !== null && balances.of(created).balance === null) balances.set(created, 0n, at);
        const relations = relationsAt.get(at) ?? NO_RELATIONS;
        if (relations.length + transaction.tokenTransfers.length + transaction.nftTransfers.length > 0) {
          tokens.move(transaction, relations, now.isComplete);
        }
        for (const { account, amount, neverHappened } of transaction.transfers) {
          if (neverHappened === true) continue;
          const moved = pending.get(account);
          if (moved === undefined) pending.set(account, { change: amount, at });
          else {
            moved.change += amount;
            moved.at = at;
          }
        }
        now.lastTransaction = at;
      }
      flush();
      stateNext(null);
      if (now.lastSnapshot === null && now.lastTransaction !== null) snapshot(now.lastTransaction);
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
