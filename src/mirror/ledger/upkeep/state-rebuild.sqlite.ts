import type { Sql } from '../../../storage/sql/sql.ts';
import { sqliteSql } from '../../../storage/sql/sqlite-sql.ts';
import type { SqliteDatabase } from '../../../storage/sqlite.ts';
import type { Columns } from '../../../values/stored-tables.ts';
import { answer, type Work } from '../../../values/work.ts';
import type { SnapshotScope } from '../balance-snapshots.ts';
import { createLedgerBackend } from '../commit/ledger-backend.sql.ts';
import { storeAll } from '../commit/ledger-backend.ts';
import { LEDGER_FACETS } from '../facets/ledger-facets.ts';
import { FoldState } from '../fold/fold-state.ts';
import { foldUnits, loadsOf } from '../fold/ledger-clock.ts';
import { isJump } from '../is-jump.ts';
import { createRewriteMark } from '../ledger-edition.sql.ts';
import { holdsRowsOf } from './compare-rows.sql.ts';
import type { StateRebuild } from './state-rebuild.ts';

const FOLDS = LEDGER_FACETS.filter(({ rebuild }) => rebuild !== undefined);
const REPLACED = new Set(['ledger_state', ...FOLDS.flatMap(({ rebuild }) => rebuild?.replaced ?? [])]);
const ADDED = FOLDS.flatMap(({ rebuild }) => rebuild?.added ?? []);
/** Taken by a setting, which may have been another one since. */
const SETTING = new Set(['balance_snapshot', 'token_balance_snapshot', 'balance_snapshot_time']);
/** Rows that are in memory together. */
const BATCH = 5000;

/**
 * Derives the state of a ledger once more beside it, in SQLite whatever database the ledger is in.
 *
 * @param shadow an empty, migrated database that nobody else uses; it is closed with the rebuild.
 */
export function createStateRebuild(
  ledger: Sql,
  shadow: SqliteDatabase,
  snapshots?: SnapshotScope,
  beginUpkeep: () => Work<void> = () => answer(undefined),
): StateRebuild {
  const shadowSql = sqliteSql(shadow);
  const backend = createLedgerBackend(shadowSql, snapshots);
  const newestPlace = ledger.prepareExactValue<[], bigint | null>('select max(place) from ledger_unit');
  const markRewritten = createRewriteMark(ledger);
  let lastHash: Uint8Array | null = null;
  let lastPlace: bigint | null = null;
  return {
    async add(unit) {
      const isAfterJump = isJump(unit.header, lastHash);
      await shadowSql.write(function* () {
        const state = new FoldState();
        for (const load of loadsOf(FOLDS, [unit])) state.fill(load, yield* backend.load(load));
        foldUnits(
          FOLDS,
          [{ unit, place: unit.header.place, added: unit.transactions, isJump: isAfterJump }],
          state,
        );
        yield* storeAll(backend, state.finish());
      });
      lastHash = unit.header.hash;
      lastPlace = unit.header.place;
    },
    async differences() {
      const hasGoneOn = async () => ((await ledger.read(() => newestPlace.get())) ?? null) !== lastPlace;
      if (await hasGoneOn()) return null;
      const wrong: string[] = [];
      for (const name of [...REPLACED, ...ADDED].filter((each) => !SETTING.has(each))) {
        const table = { name, columns: columnsOf(shadow, name), key: keyOf(shadow, name) };
        // Of what is only added, configuration gives some: the first address book.
        const mayHaveMore = !REPLACED.has(name);
        if (!(await ledger.read(() => holdsRowsOf(ledger, shadowSql, table, mayHaveMore)))) wrong.push(name);
      }
      // Units may have been stored between two tables.
      return (await hasGoneOn()) ? null : wrong;
    },
    async replace() {
      return ledger.write(function* () {
        yield* beginUpkeep();
        if (((yield* newestPlace.get()) ?? null) !== lastPlace) return 'ledger-went-on';
        yield* ledger.announce('ledger');
        for (const table of REPLACED) {
          yield* ledger.prepare(`delete from ${table}`).run();
          yield* copy(shadow, ledger, table);
        }
        for (const table of ADDED) yield* copy(shadow, ledger, table);
        yield* markRewritten();
        return 'replaced';
      });
    },
    async close() {
      if (shadow.open) shadow.close();
    },
  };
}

/** Without those that the table computes. */
function columnsOf(database: SqliteDatabase, table: string): readonly string[] {
  return database.prepare<[string], string>('select name from pragma_table_info(?)').pluck().all(table);
}

function keyOf(database: SqliteDatabase, table: string): readonly string[] {
  const names = 'select name from pragma_table_info(?) where pk > 0 order by pk';
  return database.prepare<[string], string>(names).pluck().all(table);
}

function* copy(from: SqliteDatabase, to: Sql, name: string): Work<void> {
  const columns = columnsOf(from, name);
  const table = { name, columns, keyLength: 0, onConflict: 'keep' } as const;
  const rows = from.prepare<[], Columns>(`select ${columns.join(', ')} from ${name}`);
  const batch: Columns[] = [];
  for (const row of rows.safeIntegers(true).raw().iterate() as Iterable<Columns>) {
    batch.push(row);
    if (batch.length === BATCH) yield* to.store(table, batch.splice(0));
  }
  yield* to.store(table, batch);
}
