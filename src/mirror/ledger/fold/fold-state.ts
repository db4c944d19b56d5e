import { bareHex } from '../../../values/hex.ts';
import type { Columns, Rows, StateTable, Table } from '../../../values/stored-tables.ts';
import { FoldedRows } from './folded-rows.ts';
import type { StakeSettings } from './state-fold.ts';
import type { StateLoad } from './touched-keys.ts';

/** A change of rows that no unit names: all of a table, or all that changed since a time. */
export interface SetChange {
  readonly name:
    | 'snapshot-balances'
    | 'snapshot-system-balances'
    | 'snapshot-all-balances'
    | 'snapshot-token-balances'
    | 'snapshot-all-token-balances'
    | 'mark-snapshot'
    | 'end-stake-period'
    | 'forget-balances'
    | 'forget-token-balances'
    | 'shift-block-numbers'
    | 'drop-told-entries'
    | 'drop-told-book'
    | 'mark-rewritten'
    | 'drop-log-chunks'
    | 'note-nfts'
    | 'move-nfts'
    | 'drop-nfts';
  readonly values: readonly bigint[];
  /** Amounts by account, for a change that takes them. */
  readonly pairs?: readonly (readonly [account: bigint, amount: bigint])[];
  /** Entities whose settings changed after it, with those that it met, for a change that asks. */
  readonly changedLater?: ReadonlyMap<bigint, StakeSettings | null>;
}

/** One call to the database: rows for a table, or a change of a set of rows. */
export type Store = RowStore | { readonly change: SetChange };
/** Rows for a table. */
export type RowStore = { readonly table: Table; readonly rows: Rows };

/** What a commit makes of the loaded rows: the state that the next unit sees, and the calls that store it. */
export class FoldState {
  readonly #rows = new Map<StateTable<unknown>, FoldedRows<unknown>>();
  readonly #appended = new Map<Table, Columns[]>();
  readonly #put = new Map<Table, Map<string, Columns>>();
  readonly #stores: Store[] = [];

  /** Takes the rows that a load found. */
  fill({ keys, match, table }: StateLoad, rows: readonly Columns[]): void {
    this.rows(table).fill(match === 'newest-before' ? [] : keys, rows);
  }

  /** The rows of a table, of which only touched keys may be asked. */
  rows<Row>(table: StateTable<Row>): FoldedRows<Row> {
    const found = this.#rows.get(table);
    // They were made from this table, below.
    if (found !== undefined) return found as FoldedRows<Row>;
    const rows = new FoldedRows(table);
    this.#rows.set(table, rows);
    return rows;
  }

  /** Adds a row that never changes. */
  append(table: Table, columns: Columns): void {
    const rows = this.#appended.get(table);
    if (rows === undefined) this.#appended.set(table, [columns]);
    else rows.push(columns);
  }

  /** Sets a row whatever was there, also what was put before: one call must not name a key twice. */
  put(table: Table, columns: Columns): void {
    const rows = this.#put.get(table) ?? new Map<string, Columns>();
    this.#put.set(table, rows);
    rows.set(keyText(columns, table.keyLength), columns);
  }

  /** Changes a set of stored rows; what was folded so far into the tables it meets is stored before it. */
  change(change: SetChange, ...meets: readonly StateTable<unknown>[]): void {
    for (const table of meets) this.#flush(table);
    this.#stores.push({ change });
  }

  /** Changes a set of stored rows after everything that was folded so far, in whatever table. */
  changeAfterAll(change: SetChange): void {
    this.#flushAll();
    this.#stores.push({ change });
  }

  /** The calls that store everything, in order: rows that others refer to before those. */
  finish(): readonly Store[] {
    this.#flushAll();
    return this.#stores;
  }

  #flushAll(): void {
    for (const [table, rows] of this.#appended) this.#stores.push({ table, rows });
    this.#appended.clear();
    for (const [table, rows] of this.#put) this.#stores.push({ table, rows: [...rows.values()] });
    this.#put.clear();
    for (const table of this.#rows.keys()) this.#flush(table);
  }

  #flush(table: StateTable<unknown>): void {
    const rows = this.rows(table).takeChanged();
    if (rows.length > 0) this.#stores.push({ table, rows });
  }
}

function keyText(columns: Columns, keyLength: number): string {
  const key = columns.slice(0, keyLength);
  return key.map((value) => (value instanceof Uint8Array ? bareHex(value) : value)).join();
}
