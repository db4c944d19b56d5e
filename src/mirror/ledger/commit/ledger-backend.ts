import type { Columns, Load, Rows, Table } from '../../../values/stored-tables.ts';
import type { Work } from '../../../values/work.ts';
import type { SetChange, Store } from '../fold/fold-state.ts';
import type { CommitOutcome, LedgerUnit, UnitHeader } from '../rows.ts';
import { type LedgerEnd, planCommit } from './plan-commit.ts';

/** What a commit asks of a database. Each call is one round trip, whatever the number of rows. */
export interface LedgerBackend {
  /** @param headers of the units of a commit */
  end(headers: readonly UnitHeader[]): Work<LedgerEnd>;
  /** The stored rows with these keys, in any order. */
  load(load: Load): Work<readonly Columns[]>;
  store(table: Table, rows: Rows): Work<void>;
  change(change: SetChange): Work<void>;
}

/**
 * Stores units: plans, loads, folds and stores; the caller opens the database transaction.
 *
 * @throws LedgerlensError `duplicate_conflict`, `balance_mismatch`
 */
export function* commitUnits(
  backend: LedgerBackend,
  units: readonly LedgerUnit[],
  showBytes: boolean,
): Work<readonly CommitOutcome[]> {
  const headers = units.map(({ header }) => header);
  const plan = planCommit(yield* backend.end(headers), units, showBytes);
  const loaded: (readonly Columns[])[] = [];
  for (const load of plan.loads) loaded.push(yield* backend.load(load));
  yield* storeAll(backend, plan.stores(loaded));
  return plan.outcomes;
}

/** Stores what was folded; the caller opens the database transaction. */
export function* storeAll(backend: LedgerBackend, stores: readonly Store[]): Work<void> {
  for (const store of stores) {
    if ('change' in store) yield* backend.change(store.change);
    else yield* backend.store(store.table, store.rows);
  }
}
