import type { BlockRange, NodeRange, StreamMessage } from './block-node-messages.ts';

/** Where one service of a node is. */
export interface NodeEndpoint {
  /** A name or an address, without brackets. */
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
  /** What the host stands for, dialled instead of it; absent: whatever it stands for then. */
  readonly address?: string;
}

/** A node with the places of the two services that are asked for. */
export interface BlockNode {
  /** For people: `host:port`. */
  readonly name: string;
  readonly stream: NodeEndpoint;
  readonly status: NodeEndpoint;
}

/** What a node says it has: `empty` before its first block, `unknown` when it does not tell. */
export type NodeStatus = NodeRange | 'empty' | 'unknown';

/** A connection to one node. */
export interface BlockNodeConnection {
  /** @throws BlockNodeError */
  serverStatus(signal: AbortSignal): Promise<NodeStatus>;
  /**
   * The messages of a subscription as they come; nothing is read from the network that is not asked for.
   *
   * @throws BlockNodeError while it is walked.
   */
  subscribe(range: BlockRange, signal: AbortSignal): AsyncIterable<StreamMessage>;
  close(): void;
}

/** Opens a connection; nothing is dialled before it is asked something. */
export type ConnectToNode = (node: BlockNode) => BlockNodeConnection;
