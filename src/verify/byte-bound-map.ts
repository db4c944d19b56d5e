/** Keeps values up to a number of bytes; those that were not asked for the longest go first. */
export class ByteBoundMap<K, V> {
  readonly #maxBytes: number;
  readonly #entryBytes: number;
  readonly #entries = new Map<K, { readonly value: V; readonly bytes: number }>();
  #bytes = 0;

  /**
   * @param maxBytes of all together.
   * @param entryBytes what an entry takes beside its value.
   */
  constructor(maxBytes: number, entryBytes = 0) {
    this.#maxBytes = maxBytes;
    this.#entryBytes = entryBytes;
  }

  /** Null when it is not kept. */
  get(key: K): V | null {
    const entry = this.#entries.get(key);
    if (entry === undefined) return null;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Hands a value over and forgets it; null when it is not kept. */
  take(key: K): V | null {
    const value = this.get(key);
    this.#delete(key);
    return value;
  }

  /** What is larger than all together may be is not kept. */
  set(key: K, value: V, valueBytes: number): void {
    this.#delete(key);
    const bytes = valueBytes + this.#entryBytes;
    if (bytes > this.#maxBytes) return;
    this.#entries.set(key, { value, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#delete(oldest);
    }
  }

  #delete(key: K): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }
}
