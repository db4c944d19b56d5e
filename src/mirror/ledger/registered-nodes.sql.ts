import { prepareSelect, type Sql } from '../../storage/sql/sql.ts';
import { int64, json, type RecordOf, rowTable } from '../../values/row-table.ts';
import type { RegisteredEndpoint } from './registered-endpoint.ts';

/** A node that offers a service beside consensus, as it is registered now. */
const REGISTERED = rowTable({
  registeredNodeId: int64('registered_node_id'),
  endpoints: json<readonly RegisteredEndpoint[]>('service_endpoints'),
});
export type RegisteredNode = RecordOf<typeof REGISTERED>;

/** Reads the nodes that the ledger registers. */
export type RegisteredNodes = ReturnType<typeof createRegisteredNodes>;

export function createRegisteredNodes(sql: Sql) {
  const all = prepareSelect(
    sql,
    REGISTERED,
    'from registered_node where deleted = 0 order by registered_node_id',
  );
  return {
    /** All that are not deleted, the lowest number first. */
    all: sql.reading<[], readonly RegisteredNode[]>(all.all),
  };
}
