import { int64, json, type RecordOf, rowTable } from '../../values/row-table.ts';
import type { RegisteredEndpoint } from './registered-endpoint.ts';

/** A node that offers a service beside consensus, as it is registered now. */
export const REGISTERED = rowTable({
  registeredNodeId: int64('registered_node_id'),
  endpoints: json<readonly RegisteredEndpoint[]>('service_endpoints'),
});
export type RegisteredNode = RecordOf<typeof REGISTERED>;

/** Reads the nodes that the ledger registers. */
export interface RegisteredNodes {
  /** All that are not deleted, the lowest number first. */
  all(): Promise<readonly RegisteredNode[]>;
}
