/** Files or units that were refused with one code. */
export interface RejectionCount {
  /** Account or id of the node whose file it was; empty for a whole unit and where the layout does not tell. */
  readonly node: string;
  readonly code: string;
  readonly count: number;
}

/** Counts by node and code. @see contracts/streams.md section 15 */
export class Rejections {
  readonly #counts = new Map<string, RejectionCount>();

  add(node: string, code: string): void {
    const key = `${node} ${code}`;
    this.#counts.set(key, { node, code, count: (this.#counts.get(key)?.count ?? 0) + 1 });
  }

  counts(): readonly RejectionCount[] {
    return [...this.#counts.values()];
  }
}
