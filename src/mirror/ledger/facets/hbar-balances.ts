import { printEntityId } from '../../../values/entity-id.ts';
import { LedgerlensError } from '../../../values/ledgerlens-error.ts';
import { column, type RowOf, stateTable } from '../../../values/stored-tables.ts';
import { isSuccess } from '../../vocabulary/response-codes.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { changeTime, moveTime } from '../fold/change-order.ts';
import { dueStatements } from '../fold/due-statements.ts';
import type { FoldedUnit, FoldState } from '../fold/fold-state.ts';
import type { FoldedRows } from '../fold/folded-rows.ts';
import { hbarOrNull } from '../fold/int64-or-null.ts';
import type { BalanceStatement, HbarTransfer, LedgerTransaction } from '../rows.ts';
import type { Facet } from './facet.ts';
import { HBAR_SNAPSHOT } from './snapshot-tables.ts';
import { HBAR, keepStatement } from './stated-balances.ts';

/** The columns of `entity` that are balances. */
export const HBAR_BALANCE = stateTable(
  'entity',
  { account: 'id' },
  { balance: column<bigint | null>('balance'), at: column<bigint | null>('balance_ts') },
);
type HbarBalance = RowOf<typeof HBAR_BALANCE>;
/** The new account begins at 0. */
const CREATING_TYPES: ReadonlySet<number> = new Set([TYPE.CONTRACTCREATEINSTANCE, TYPE.CRYPTOCREATEACCOUNT]);

/**
 * Running balances of hbar. Rows state them as the network has them after the unit.
 *
 * A balance is known when the stream began at genesis, when the account was created in it, or when a
 * statement gave it; others stay null, since transfers alone would invent them. The state of a block fills in those,
 * and must be what the transfers made of the others.
 *
 * @see contracts/mirror-storage.md section 5 rule 4, contracts/mirror-network.md section 7, contracts/streams.md section 12
 */
export const hbarBalances: Facet<'accountStates', BalanceStatement> = {
  name: 'accountStates',

  touch({ accountStates, balances, transactions }, keys) {
    for (const { account } of balances) keys.add(HBAR_BALANCE, account);
    for (const { account } of accountStates) keys.add(HBAR_BALANCE, account);
    for (const transaction of transactions) {
      const created = createdAccount(transaction);
      if (created !== null) keys.add(HBAR_BALANCE, created);
      for (const { account } of transaction.transfers) keys.add(HBAR_BALANCE, account);
    }
  },

  fold(folded, state) {
    const { added, isJump, unit } = folded;
    if (isJump) forget(state);
    const moves = new PendingMoves(state.rows(HBAR_BALANCE), folded);
    const declareNext = dueStatements(unit.balances, (statement) => {
      moves.settle();
      declare(statement, state);
    });
    for (const transaction of added) {
      const at = transaction.consensusTimestamp;
      declareNext(at);
      const created = createdAccount(transaction);
      if (created !== null) moves.begin(created, at);
      for (const transfer of transaction.transfers) moves.add(transfer, at);
    }
    moves.settle();
    declareNext(null);
    for (const each of unit.accountStates) compare(each, folded, state);
  },

  rebuild: { replaced: ['entity'] },
};

/** Moves of a unit add up before they meet the balance, so that their order within it does not matter. */
class PendingMoves {
  readonly #balances: FoldedRows<HbarBalance>;
  readonly #folded: FoldedUnit;
  readonly #pending = new Map<bigint, { change: bigint; at: bigint }>();

  constructor(balances: FoldedRows<HbarBalance>, folded: FoldedUnit) {
    this.#balances = balances;
    this.#folded = folded;
  }

  begin(account: bigint, at: bigint): void {
    const row = this.#balances.get(account);
    if ((row?.balance ?? null) !== null) return;
    // Moves that wait began it.
    const began = this.#pending.get(account)?.at ?? at;
    this.#balances.set({ account, balance: 0n, at: this.#timeOf(began, row) });
  }

  add({ account, amount, neverHappened }: HbarTransfer, at: bigint): void {
    if (neverHappened === true) return;
    const moved = this.#pending.get(account);
    if (moved === undefined) this.#pending.set(account, { change: amount, at });
    else {
      moved.change += amount;
      moved.at = this.#timeOf(at, moved);
    }
  }

  settle(): void {
    for (const [account, { at, change }] of this.#pending) {
      const row = this.#balances.get(account);
      const before = row?.balance ?? (this.#folded.clock.isComplete ? 0n : null);
      if (before === null) {
        // The lists have who is known from transfers alone.
        if (row === null) this.#balances.set({ account, balance: null, at: null });
        continue;
      }
      const balance = hbarOrNull(before + change, this.#folded.clock);
      this.#balances.set({ account, balance, at: this.#timeOf(at, row) });
    }
    this.#pending.clear();
  }

  #timeOf(at: bigint, stored: { readonly at: bigint | null } | null): bigint {
    return moveTime(at, stored?.at ?? null, this.#folded);
  }
}

/** A statement that is older than the last move adds a snapshot alone. */
function declare({ account, balance, timestamp }: BalanceStatement, state: FoldState): void {
  state.rows(HBAR_SNAPSHOT).set({ account, at: timestamp, balance });
  const balances = state.rows(HBAR_BALANCE);
  if ((balances.get(account)?.at ?? -1n) > timestamp) return;
  balances.set({ account, balance, at: timestamp });
}

/** @throws LedgerlensError `balance_mismatch` */
function compare(stated: BalanceStatement, folded: FoldedUnit, state: FoldState): void {
  const { clock, unit } = folded;
  const { account, balance, timestamp } = stated;
  const balances = state.rows(HBAR_BALANCE);
  const row = balances.get(account);
  const known = row?.balance ?? (clock.isComplete ? 0n : null);
  if (known === balance) return;
  if (known !== null) {
    throw new LedgerlensError(
      'balance_mismatch',
      `The state after ${unit.header.name} has ${balance} tinybars for account ${printEntityId(account)}, ` +
        `but its transfers make ${known}: stored data and network disagree. The unit was not ` +
        'stored. Run "ledgerlens ledger rebuild" first; if the error persists, import into a new database',
    );
  }
  balances.set({ account, balance, at: changeTime(timestamp, row?.at ?? null, folded) });
  keepStatement(folded, { ...stated, token: HBAR }, state);
}

function forget(state: FoldState): void {
  state.change({ name: 'forget-balances', values: [] }, HBAR_BALANCE);
  const forgotten = (row: HbarBalance) => (row.balance === null ? row : { ...row, balance: null, at: null });
  state.rows(HBAR_BALANCE).setAll(forgotten);
}

/** Whose balance begins at 0 with the transaction. */
export function createdAccount({ entityId, result, type }: LedgerTransaction): bigint | null {
  return CREATING_TYPES.has(type) && isSuccess(result) ? entityId : null;
}
