import { printEntityId } from '../../../values/entity-id.ts';
import type { NodeName } from '../source/stream-source.ts';

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

/** The node as a label. */
export function nodeText(node: NodeName | null): string {
  if (node === null) return '';
  return node.kind === 'account' ? printEntityId(node.account) : node.nodeId.toString();
}
