import { bareHex } from '../../../values/hex.ts';
import type { Columns, ColumnValue, Load, Rows, StateTable, Table } from '../../../values/stored-tables.ts';
import type { EntityChange, LedgerTransaction, LedgerUnit } from '../rows.ts';
import { FoldedRows, keyId } from './folded-rows.ts';
import type { LedgerClock, Snapshot } from './ledger-clock.ts';

/** The settings of an account that count when a staking period ends. */
export type StakeSettings = Readonly<
  Record<'declinesReward' | 'isDeleted' | 'stakedAccount' | 'stakedNode' | 'stakePeriodStart', ColumnValue>
>;

/** A unit on its way into the state. */
export interface FoldedUnit {
  readonly unit: LedgerUnit;
  /** Where it stands among the units of the ledger. */
  readonly place: bigint;
  /** Those of its transactions that were not stored before, in its order. */
  readonly added: readonly LedgerTransaction[];
  /** Times of the others. */
  readonly retold: ReadonlySet<bigint>;
  /** Right after the greatest time of record files and blocks, its own too: what holds since later is of fixtures. */
  readonly streamsUntil: bigint;
  /** Whether units before it are missing: what was moved in between is unknown. */
  readonly isJump: boolean;
  /** What is known of the ledger before the unit. */
  readonly clock: LedgerClock;
  /** That of its end; null when none is due. */
  readonly snapshot: Snapshot | null;
  /** Of a unit with stake updates: the settings that each change found, in the order of the unit. */
  readonly settingsBefore: Map<EntityChange, StakeSettings | null>;
}

/**
 * What units make of one kind of stored rows, without a database: the keys that they touch are named, the rows
 * with these keys are loaded, and the fold changes them.
 *
 * @see docs/adr/0017-ledger-state-is-a-fold.md
 */
export interface StateFold {
  /** Names every key that {@link fold} reads. */
  touch?(unit: LedgerUnit, keys: TouchedKeys): void;
  /** Called with each new unit in order. */
  fold(unit: FoldedUnit, state: FoldState): void;
  /**
   * What `ledger rebuild` does with the tables: replaces them by what the stored bytes make, or adds what is missing.
   * Tables that are not named stay as they are, and then the fold is not run.
   */
  readonly rebuild?: { readonly replaced?: readonly string[]; readonly added?: readonly string[] };
}

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

/** Rows of the state that are loaded in one call. */
export type StateLoad = Load<StateTable<unknown>>;

/** Collects the keys that units touch, each once. */
export class TouchedKeys {
  readonly #keys = new Map<
    StateTable<unknown>,
    { readonly match: Load['match']; readonly keys: Map<bigint | string, readonly bigint[]> }
  >();

  add<Row>(table: StateTable<Row>, ...key: readonly bigint[]): void {
    this.#of(table, table.isOfNewest === true ? 'newest' : 'equal').set(keyId(key), key);
  }

  /** For tables of which a row holds until the next: reads the row that held before a time. */
  addBefore<Row>(table: StateTable<Row>, time: bigint): void {
    this.#of(table, 'newest-before').set(time, [time]);
  }

  loads(): readonly StateLoad[] {
    return [...this.#keys].map(([table, { keys, match }]) => ({ table, match, keys: [...keys.values()] }));
  }

  #of<Row>(table: StateTable<Row>, match: Load['match']): Map<bigint | string, readonly bigint[]> {
    const found = this.#keys.get(table);
    if (found !== undefined) return found.keys;
    const keys = new Map<bigint | string, readonly bigint[]>();
    this.#keys.set(table, { match, keys });
    return keys;
  }
}
