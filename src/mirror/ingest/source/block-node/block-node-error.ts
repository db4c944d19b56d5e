import { LedgerlensError } from '../../../../values/ledgerlens-error.ts';

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
