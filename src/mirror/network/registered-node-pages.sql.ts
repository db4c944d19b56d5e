import type { Sql } from '../../storage/sql/sql.ts';
import type { RegisteredEndpoint } from '../ledger/registered-endpoint.ts';
import type { ListedRegisteredNode, NetworkRepository } from './network-repository.ts';

interface Row {
  readonly registered_node_id: bigint;
  readonly changed_ts: bigint;
  readonly created_ts: bigint | null;
  readonly admin_key: Buffer | null;
  readonly description: string | null;
  readonly service_endpoints: string;
}

/** Finds registered nodes along their numbers: a network has some hundreds at most. */
export function createRegisteredNodePages(sql: Sql): NetworkRepository['registeredNodes'] {
  const { each, isNull, list } = sql.dialect;
  const inOrder = (order: 'asc' | 'desc') =>
    sql.prepareExact<unknown[], Row>(
      `select * from registered_node where deleted = 0 and registered_node_id between ? and ?
         and (${isNull} or registered_node_id in (select value from ${each('listed')}))
       order by registered_node_id ${order}`,
    );
  const pages = { asc: inOrder('asc'), desc: inOrder('desc') };
  return async ({ equal, limit, lower, order, service, upper }) => {
    return sql.read(function* () {
      const wanted = equal === null ? null : list(equal);
      const nodes = (yield* pages[order].all(lower, upper, wanted, wanted)).map(listedNode);
      return nodes
        .filter(({ endpoints }) => service === null || endpoints.some((each) => each.service === service))
        .slice(0, limit);
    });
  };
}

function listedNode(row: Row): ListedRegisteredNode {
  return {
    registeredNodeId: row.registered_node_id,
    changedTimestamp: row.changed_ts,
    createdTimestamp: row.created_ts,
    adminKey: row.admin_key,
    description: row.description,
    endpoints: JSON.parse(row.service_endpoints) as readonly RegisteredEndpoint[],
  };
}
