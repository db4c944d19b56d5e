/** What an entry takes beside its value, about. */
const ENTRY_BYTES = 256;

/** Keeps values up to a number of bytes; those that were not asked for the longest go first. */
export class ByteBoundMap<V> {
  readonly #most: number;
  readonly #entries = new Map<string, { readonly value: V; readonly bytes: number }>();
  #bytes = 0;

  /** @param most bytes of all together. */
  constructor(most: number) {
    this.#most = most;
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** What is larger than all together may be is not kept. */
  set(key: string, value: V, valueBytes: number): void {
    this.#delete(key);
    const bytes = valueBytes + ENTRY_BYTES;
    if (bytes > this.#most) return;
    this.#entries.set(key, { value, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#most) break;
      this.#delete(oldest);
    }
  }

  #delete(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }
}
