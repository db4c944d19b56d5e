import { FieldWalk } from '../../protobuf/wire.ts';
import { readEntity } from './entity-bytes.ts';

/** In `EntityNumber`. */
const NUMBER = 1;

interface NewId {
  readonly number: bigint;
  readonly bytes: Uint8Array;
}

/**
 * Ids of rows that a group of transactions set, among which are those of the entities that it created.
 *
 * Ids ascend, so the last creation has the largest: creations ask for theirs from the last to the first.
 *
 * @see contracts/streams.md section 9.4
 */
export class NewIds {
  readonly #ids = new Map<bigint, Uint8Array>();
  /** Ascending; null when there are new ones. */
  #sorted: bigint[] | null = null;

  /** @param bytes a serialized id of an entity; null adds nothing */
  add(bytes: Uint8Array | null): void {
    if (bytes !== null) this.#add(readEntity(bytes).number, bytes);
  }

  /** @param bytes a serialized `EntityNumber`; null adds nothing */
  addNumber(bytes: Uint8Array | null): void {
    if (bytes === null) return;
    let number = 0n;
    for (const walk = new FieldWalk(bytes); walk.next(); ) if (walk.number === NUMBER) number = walk.int64;
    this.#add(number, bytes);
  }

  /** Takes an id that is known to be given. */
  claim(number: bigint): void {
    this.#ids.delete(number);
  }

  /** The largest id that nobody has taken yet; null when there is none. */
  takeLargest(): NewId | null {
    this.#sorted ??= [...this.#ids.keys()].sort((left, right) => (left < right ? -1 : 1));
    for (;;) {
      const number = this.#sorted.pop();
      if (number === undefined) return null;
      const bytes = this.#ids.get(number);
      if (bytes === undefined) continue;
      this.#ids.delete(number);
      return { number, bytes };
    }
  }

  #add(number: bigint, bytes: Uint8Array): void {
    this.#ids.set(number, bytes);
    this.#sorted = null;
  }
}
