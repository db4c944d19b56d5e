import { type Clock, systemClock } from '../../../../values/clock.ts';
import { LedgerlensError } from '../../../../values/ledgerlens-error.ts';
import { type Pause, systemPause } from '../../pause.ts';
import type { BlockRange, NodeRange, StreamMessage } from './grpc-connection.ts';

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

/**
 * What was wrong with a node:
 *
 * - `unreachable`: no connection, or it broke; `refused`: the node answered that it will not serve.
 * - `protocol`: what came is not a stream of blocks in order; `limit`: a block is larger than allowed.
 * - `stalled`: nothing came although there is something.
 */
export type BlockNodeFault = 'unreachable' | 'refused' | 'protocol' | 'limit' | 'stalled';

/** Why a subscription ended, or a question to a node was not answered; the message does not name the node. */
export class BlockNodeError extends LedgerlensError {
  readonly fault: BlockNodeFault;

  constructor(fault: BlockNodeFault, message: string, options: { readonly cause?: unknown } = {}) {
    super(`block_node_${fault}`, message, options);
    this.fault = fault;
  }
}

/** What goes by time. */
export interface FeedTime {
  readonly clock: Clock;
  readonly pause: Pause;
  /** From 0 to below 1, for jitter. */
  readonly random: () => number;
}

/** Timers of the operating system. */
export const systemFeedTime: FeedTime = {
  clock: systemClock,
  random: Math.random,
  pause: systemPause,
};
