import type { FoldState } from '../fold/fold-state.ts';
import { int64OrNull } from '../fold/int64-or-null.ts';
import type { FoldedUnit } from '../fold/state-fold.ts';
import type { LedgerTransaction } from '../rows.ts';
import { createdAccount, HBAR_BALANCE } from './hbar-balances.ts';

/** Settings of an entity that end before `upper`. */
interface Closing {
  readonly id: bigint;
  readonly upper: bigint;
}

/** A balance and when it was so; both null while it is unknown. */
interface KnownBalance {
  readonly balance: bigint | null;
  readonly at: bigint | null;
}

const UNKNOWN: KnownBalance = { balance: null, at: null };

/**
 * The balances of entities when their settings end: what is stored before the unit, and what the unit moves and states
 * before that time.
 *
 * One walk along the unit, and none in a unit without a change: balances themselves are added up once for each account.
 */
export function balancesAtClose(
  closings: readonly Closing[],
  folded: FoldedUnit,
  state: FoldState,
): (closing: Closing) => KnownBalance {
  const watched = new Map(closings.map(({ id }) => [id, startOf(id, folded, state)]));
  const found = new Map<Closing, KnownBalance>();
  const statements = [...folded.unit.balances].sort((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
  let [nextStatement, nextTransaction] = [0, 0];
  const stateUntil = (time: bigint) => {
    for (let due = statements[nextStatement]; due !== undefined; due = statements[++nextStatement]) {
      if (due.timestamp >= time) return;
      const known = watched.get(due.account);
      if (known === undefined || (known.at ?? -1n) > due.timestamp) continue;
      watched.set(due.account, { balance: due.balance, at: due.timestamp });
    }
  };
  for (const closing of [...closings].sort((a, b) => (a.upper < b.upper ? -1 : 1))) {
    for (let due = folded.added[nextTransaction]; due !== undefined; due = folded.added[++nextTransaction]) {
      if (due.consensusTimestamp >= closing.upper) break;
      stateUntil(due.consensusTimestamp);
      move(due, watched);
    }
    stateUntil(closing.upper);
    const { at, balance } = watched.get(closing.id) ?? UNKNOWN;
    found.set(closing, balance === null ? UNKNOWN : { balance: int64OrNull(balance), at });
  }
  return (closing) => found.get(closing) ?? UNKNOWN;
}

function startOf(id: bigint, { clock, isJump }: FoldedUnit, state: FoldState): KnownBalance {
  const row = state.rows(HBAR_BALANCE).get(id);
  // A jump over missing units forgets what is stored; a complete ledger knows who never had anything.
  if (!isJump && (row?.balance ?? null) !== null) return row ?? UNKNOWN;
  return clock.isComplete ? { balance: 0n, at: null } : UNKNOWN;
}

function move(transaction: LedgerTransaction, watched: Map<bigint, KnownBalance>): void {
  const at = transaction.consensusTimestamp;
  const created = createdAccount(transaction);
  if (created !== null && watched.get(created)?.balance === null) watched.set(created, { balance: 0n, at });
  for (const { account, amount, neverHappened } of transaction.transfers) {
    const known = watched.get(account);
    if (known === undefined || known.balance === null || neverHappened === true) continue;
    watched.set(account, { balance: known.balance + amount, at });
  }
}
