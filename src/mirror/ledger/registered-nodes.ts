import type { RegisteredEndpoint } from './registered-endpoint.ts';

/** A node that offers a service beside consensus, as it is registered now. */
export interface RegisteredNode {
  readonly registeredNodeId: bigint;
  readonly endpoints: readonly RegisteredEndpoint[];
}

/** Reads the nodes that the ledger registers. */
export interface RegisteredNodes {
  /** All that are not deleted, the lowest number first. */
  all(): Promise<readonly RegisteredNode[]>;
}
