import { printTimestamp } from '../../values/consensus-timestamp.ts';
import type { ExactJson } from '../ledger/exact-json.ts';
import { keyJson } from '../ledger/key-json.ts';
import { BLOCK_NODE_API, type RegisteredEndpoint } from '../ledger/registered-endpoint.ts';
import type { ListedRegisteredNode } from './network-repository.ts';

const API_NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(BLOCK_NODE_API).map(([name, number]) => [number, name]),
);

/** One item of `GET /api/v1/network/registered-nodes`. @see contracts/mirror-entities.md section 10 */
export function registeredNodeDocument(node: ListedRegisteredNode): ExactJson {
  const adminKey = keyJson(node.adminKey);
  return {
    admin_key: adminKey === null ? null : { ...adminKey },
    created_timestamp: node.createdTimestamp === null ? null : printTimestamp(node.createdTimestamp),
    description: node.description,
    registered_node_id: node.registeredNodeId,
    service_endpoints: node.endpoints.map(endpointDocument),
    timestamp: { from: printTimestamp(node.changedTimestamp), to: null },
  };
}

/** The member of the service that is offered is an object, the others are null. */
function endpointDocument(endpoint: RegisteredEndpoint): ExactJson {
  const { service } = endpoint;
  return {
    // A number that this version does not know is something else.
    block_node:
      service === 'block_node'
        ? { endpoint_apis: endpoint.apis.map((api) => API_NAMES.get(api) ?? 'OTHER') }
        : null,
    domain_name: endpoint.domainName,
    general_service: service === 'general_service' ? { description: endpoint.description } : null,
    ip_address: endpoint.ipAddress,
    mirror_node: service === 'mirror_node' ? {} : null,
    port: endpoint.port,
    requires_tls: endpoint.requiresTls,
    rpc_relay: service === 'rpc_relay' ? {} : null,
    type: service.toUpperCase(),
  };
}
