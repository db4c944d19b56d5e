import type { SqliteDatabase } from '../../storage/sqlite.ts';
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
export function createRegisteredNodePages(database: SqliteDatabase): NetworkRepository['registeredNodes'] {
  const inOrder = (order: 'asc' | 'desc') =>
    database
      .prepare<unknown[], Row>(
        `select * from registered_node where deleted = 0 and registered_node_id between ? and ?
           and (? is null or registered_node_id in (select value from json_each(?)))
           and (? is null
             or exists (select 1 from json_each(service_endpoints) where value ->> 'service' = ?))
         order by registered_node_id ${order} limit ?`,
      )
      .safeIntegers(true);
  const pages = { asc: inOrder('asc'), desc: inOrder('desc') };
  return async ({ equal, limit, lower, order, service, upper }) => {
    const wanted = equal === null ? null : `[${[...equal].join(',')}]`;
    return pages[order].all(lower, upper, wanted, wanted, service, service, limit).map(listedNode);
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
