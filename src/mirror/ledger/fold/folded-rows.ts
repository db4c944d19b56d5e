import type { Columns, StateTable } from '../../../values/stored-tables.ts';

type KeyId = bigint | string;

/** The rows of one table that a commit touches: as they are stored, then as the fold leaves them. */
export class FoldedRows<Row> {
  readonly #table: StateTable<Row>;
  /** Null where the table has no row of a key. */
  readonly #known = new Map<KeyId, Row | null>();
  #changed = new Map<KeyId, Row>();

  constructor(table: StateTable<Row>) {
    this.#table = table;
  }

  /** Takes what was loaded; keys without a row are known to have none. */
  fill(keys: readonly (readonly bigint[])[], rows: readonly Columns[]): void {
    for (const key of keys) this.#known.set(keyId(key), null);
    for (const columns of rows) this.follow(this.#table.read(columns));
  }

  /** @throws Error when the key was not loaded: the facet does not name it among those it touches. */
  get(...key: readonly bigint[]): Row | null {
    const row = this.#known.get(keyId(key));
    if (row === undefined) throw new Error(`${this.#table.name}: ${key.join(', ')} was not loaded`);
    return row;
  }

  set(row: Row): void {
    const id = keyId(this.#table.keyOf(row));
    this.#known.set(id, row);
    this.#changed.set(id, row);
  }

  /** Takes a row that is stored with another table. */
  follow(row: Row): void {
    this.#known.set(keyId(this.#table.keyOf(row)), row);
  }

  /** The rows that are there, in no order. */
  *values(): Generator<Row> {
    for (const row of this.#known.values()) if (row !== null) yield row;
  }

  /** Follows a change of every row in the table; what it changes is not stored again. */
  setAll(change: (row: Row) => Row | null): void {
    for (const [id, row] of this.#known) if (row !== null) this.#known.set(id, change(row));
  }

  /** Gives what changed since the last call, ascending by key, so that neighbours are written together. */
  takeChanged(): readonly Columns[] {
    const rows = [...this.#changed.values()].map((row) => this.#table.write(row));
    this.#changed = new Map();
    return rows.sort((left, right) => compareKeys(left, right, this.#table.keyLength));
  }
}

/** Equal keys have equal ids. */
export function keyId(key: readonly bigint[]): KeyId {
  const [first = 0n, second] = key;
  if (key.length === 1) return first;
  // Joining takes three times as long.
  return key.length === 2 ? `${first}/${second}` : key.join('/');
}

function compareKeys(left: Columns, right: Columns, length: number): number {
  for (let index = 0; index < length; index++) {
    const [one, other] = [left[index] as bigint, right[index] as bigint];
    if (one !== other) return one < other ? -1 : 1;
  }
  return 0;
}
