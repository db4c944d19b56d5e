import { inTransaction, type SqliteDatabase } from '../../storage/sqlite.ts';
import { createBalanceKeeper } from './balance-keeper.sqlite.ts';
import { createEntitySettingsWriter } from './entity-settings-writer.sqlite.ts';
import { isJump } from './is-jump.ts';
import type { LedgerUnit } from './rows.ts';
import { createStateWriter } from './state-writer.sqlite.ts';

/** Builds the state of a ledger anew beside the one that is served, and puts it in its place at the end. */
export interface StateRebuild {
  /** Called with every unit, in order. */
  add(unit: LedgerUnit): void;
  /** Replaces the state of the ledger in one commit, unless units were stored behind the last one that was added. */
  replace(): 'replaced' | 'ledger-went-on';
}

/** What transfers and settings make, row by row. Code of contracts is not: ledgers of older versions have no sidecars. */
const REPLACED = [
  'entity',
  'entity_settings',
  'token_state',
  'topic_state',
  'node',
  'balance_snapshot',
  'token_balance',
  'token_balance_snapshot',
  'ledger_state',
  'ledger_identity',
];
/** Rows that never change once they are there; a start book has no transaction that it could be rebuilt from. */
const ADDED = [
  'file_piece',
  'address_book',
  'address_book_entry',
  'network_stake',
  'node_stake',
  'rate_observation',
];

/**
 * @param shadow an empty, migrated database that nobody else uses
 */
export function createStateRebuild(ledger: SqliteDatabase, shadow: SqliteDatabase): StateRebuild {
  const state = createStateWriter(shadow);
  const settings = createEntitySettingsWriter(shadow);
  const balances = createBalanceKeeper(shadow);
  const newestEnd = ledger
    .prepare<[], bigint | null>('select max(consensus_end) from ledger_unit')
    .safeIntegers(true)
    .pluck();
  let lastHash: Uint8Array | null = null;
  let lastEnd: bigint | null = null;
  return {
    add(unit) {
      inTransaction(shadow, () => {
        balances.begin();
        if (isJump(unit.header, lastHash)) balances.forget();
        state.apply(unit);
        settings.apply(unit.entityChanges);
        balances.apply(unit, unit.transactions);
        balances.end();
      });
      lastHash = unit.header.hash;
      lastEnd = unit.header.consensusEnd;
    },
    replace: () =>
      inTransaction(ledger, () => {
        if ((newestEnd.get() ?? null) !== lastEnd) return 'ledger-went-on';
        for (const table of REPLACED) {
          ledger.prepare(`delete from ${table}`).run();
          copy(shadow, ledger, table);
        }
        for (const table of ADDED) copy(shadow, ledger, table);
        return 'replaced';
      }),
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
