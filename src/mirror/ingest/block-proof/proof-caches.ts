import { hash } from 'node:crypto';
import type { CheckResult } from './failed-check.ts';
import type { HintsKey } from './hints/hints-key.ts';

/** Keeps the newest entries alone; one that is read counts as new. */
export class BoundedMap<Value> {
  readonly #entries = new Map<string, Value>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** What is kept under the key, or else made now; what throws is not kept. */
  getOrMake(key: string, make: () => Value): Value {
    const value = this.#entries.has(key) ? (this.#entries.get(key) as Value) : make();
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#limit) {
      const [oldest] = this.#entries.keys();
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
    return value;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}

/** A ledger has one key at a time; some more for several ledgers and for false ones. */
const KEYS = 16;
/** State proofs of some blocks share the signature of a later one. */
const SIGNATURES = 64;

/**
 * What proofs have in common, so that it is done once.
 *
 * Every entry is kept under a hash of all that it depends on.
 */
export class ProofCaches {
  /** Verification keys, parsed. */
  readonly keys: BoundedMap<HintsKey> = new BoundedMap(KEYS);
  /** Whether an address book vouches for a verification key. */
  readonly addressBooks: BoundedMap<CheckResult> = new BoundedMap(2 * KEYS);
  /** Whether a threshold signature signs a root. */
  readonly signatures: BoundedMap<CheckResult> = new BoundedMap(2 * SIGNATURES);
}

/** The key of an entry: a hash over the parts, each with its length in front, so that none runs into the next. */
export function cacheKey(...parts: readonly (Uint8Array | string | number | bigint)[]): string {
  const pieces = parts.flatMap((part) => {
    const bytes = part instanceof Uint8Array ? part : Buffer.from(String(part));
    return [Buffer.from(`${bytes.length}:`), bytes];
  });
  return hash('sha256', Buffer.concat(pieces), 'hex');
}
