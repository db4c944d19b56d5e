import type { Load, StateTable } from '../../../values/stored-tables.ts';
import { keyId } from './folded-rows.ts';

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

  /** For tables of which a row holds until the next: asks for the row that held before a time. */
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
