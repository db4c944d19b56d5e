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
