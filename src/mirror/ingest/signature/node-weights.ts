import type { NodeKey } from '../../ledger/ledger-repository.ts';
import type { NodeName } from '../record-file/unit-files.ts';
import type { ConsensusRatio } from '../units/stream-unit.ts';

/** What a signature of each node counts. */
export interface NodeWeights {
  readonly total: bigint;
  /** What a group needs. */
  readonly required: bigint;
  /** 0 for nodes that are not of the book. */
  of(nodeId: bigint): bigint;
}

/** Stake where any is known, else each node counts one. @see contracts/streams.md section 5 */
export function nodeWeights(
  nodes: readonly Pick<NodeKey, 'nodeId' | 'stake'>[],
  [numerator, denominator]: ConsensusRatio,
): NodeWeights {
  const stakes = nodes.reduce((sum, { stake }) => sum + stake, 0n);
  const weights = new Map(nodes.map(({ nodeId, stake }) => [nodeId, stakes === 0n ? 1n : stake]));
  const total = stakes === 0n ? BigInt(nodes.length) : stakes;
  const required = (total * numerator + denominator - 1n) / denominator;
  return { total, required, of: (nodeId) => weights.get(nodeId) ?? 0n };
}

/** The node of that name; null when there is none. */
export function findNode<Node extends Pick<NodeKey, 'nodeId' | 'nodeAccount'>>(
  nodes: readonly Node[],
  name: NodeName | null,
): Node | null {
  if (name === null) return null;
  const found =
    name.kind === 'account'
      ? nodes.find(({ nodeAccount }) => nodeAccount === name.account)
      : nodes.find(({ nodeId }) => nodeId === name.nodeId);
  return found ?? null;
}

/** How many of the signers, in their order, reach a weight when they agree; all of them when they never do. */
export function fewestSigners(
  signers: readonly (NodeName | null)[],
  nodes: readonly Pick<NodeKey, 'nodeId' | 'nodeAccount'>[],
  weights: Pick<NodeWeights, 'of'>,
  weight: bigint,
): number {
  const counted = new Set<bigint>();
  let reached = 0n;
  for (const [at, name] of signers.entries()) {
    const node = findNode(nodes, name);
    if (node !== null && !counted.has(node.nodeId)) {
      counted.add(node.nodeId);
      reached += weights.of(node.nodeId);
    }
    if (reached >= weight) return at + 1;
  }
  return signers.length;
}
