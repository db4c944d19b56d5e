import type { Sql } from '../../storage/sql/sql.ts';
import type { RegisteredEndpoint } from './registered-endpoint.ts';
import type { RegisteredNodes } from './registered-nodes.ts';

interface Row {
  readonly registered_node_id: bigint;
  readonly service_endpoints: string;
}

export function createRegisteredNodes(sql: Sql): RegisteredNodes {
  const all = sql.prepareExact<[], Row>(
    'select registered_node_id, service_endpoints from registered_node where deleted = 0 order by registered_node_id',
  );
  return {
    all: sql.reading(function* () {
      return (yield* all.all()).map(({ registered_node_id, service_endpoints }) => ({
        registeredNodeId: registered_node_id,
        endpoints: JSON.parse(service_endpoints) as readonly RegisteredEndpoint[],
      }));
    }),
  };
}
