import { inTransaction, type SqliteDatabase } from '../../../storage/sqlite.ts';
import type { SnapshotScope } from '../balance-snapshots.ts';
import { createSqliteLedgerBackend } from '../commit/ledger-backend.sqlite.ts';
import { storeAll } from '../commit/ledger-backend.ts';
import { LEDGER_FACETS } from '../facets/ledger-facets.ts';
import { FoldState } from '../fold/fold-state.ts';
import { foldUnits, loadsOf } from '../fold/fold-units.ts';
import { isJump } from '../is-jump.ts';
import type { StateRebuild } from './state-rebuild.ts';

const FOLDS = LEDGER_FACETS.filter(({ rebuild }) => rebuild !== undefined);
const REPLACED = new Set(['ledger_state', ...FOLDS.flatMap(({ rebuild }) => rebuild?.replaced ?? [])]);
const ADDED = FOLDS.flatMap(({ rebuild }) => rebuild?.added ?? []);

/** @param shadow an empty, migrated database that nobody else uses; it is closed with the rebuild. */
export function createSqliteStateRebuild(
  ledger: SqliteDatabase,
  shadow: SqliteDatabase,
  snapshots?: SnapshotScope,
): StateRebuild {
  const backend = createSqliteLedgerBackend(shadow, snapshots);
  const newestEnd = ledger
    .prepare<[], bigint | null>('select max(consensus_end) from ledger_unit')
    .safeIntegers(true)
    .pluck();
  let lastHash: Uint8Array | null = null;
  let lastEnd: bigint | null = null;
  return {
    async add(unit) {
      const isAfterJump = isJump(unit.header, lastHash);
      inTransaction(shadow, () => {
        const state = new FoldState();
        for (const load of loadsOf(FOLDS, [unit])) state.fill(load, backend.load(load));
        foldUnits(FOLDS, [{ unit, added: unit.transactions, isJump: isAfterJump }], state);
        storeAll(backend, state.finish());
      });
      lastHash = unit.header.hash;
      lastEnd = unit.header.consensusEnd;
    },
    async replace() {
      return inTransaction(ledger, () => {
        if ((newestEnd.get() ?? null) !== lastEnd) return 'ledger-went-on';
        for (const table of REPLACED) {
          ledger.prepare(`delete from ${table}`).run();
          copy(shadow, ledger, table);
        }
        for (const table of ADDED) copy(shadow, ledger, table);
        return 'replaced';
      });
    },
    async close() {
      if (shadow.open) shadow.close();
    },
  };
}

function copy(from: SqliteDatabase, to: SqliteDatabase, table: string): void {
  // Those that the table computes are not among them.
  const columns = from.prepare<[string], string>('select name from pragma_table_info(?)').pluck().all(table);
  const names = columns.join(', ');
  const rows = from.prepare<[], unknown[]>(`select ${names} from ${table}`).safeIntegers(true).raw();
  const insert = to.prepare(
    `insert or ignore into ${table} (${names}) values (${columns.map(() => '?').join(', ')})`,
  );
  for (const row of rows.iterate()) insert.run(...row);
}
