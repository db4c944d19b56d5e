import { isUtf8 } from 'node:buffer';
import { Type } from '@sinclair/typebox';
import type { EntityId } from '../../values/entity-id.ts';
import { invalidRequest } from '../errors.ts';
import {
  BLOCK_NODE_API,
  type RegisteredEndpoint,
  type RegisteredService,
} from '../ledger/registered-endpoint.ts';
import type { ServiceEndpoint } from '../ledger/rows.ts';
import {
  exact,
  type Field,
  flag,
  type Item,
  id,
  integer,
  itemOf,
  key,
  listOf,
  nested,
  since,
  text,
  time,
  word,
} from '../lists/fields.ts';
import { type ListContext, listOn } from '../lists/list.ts';
import { ANY_OF, integers, oneOf, type Parameter } from '../lists/parameters.ts';
import { type EntityHome, looksLikeEntity, parseEntityText } from '../parameters/entity-id-text.ts';
import { parseFilter } from '../parameters/filter-operator.ts';
import type { QueryPair } from '../parameters/query-text.ts';
import { ADDRESS_BOOK_FILES, SYSTEM_FILE } from '../vocabulary/system-files.ts';
import type { ListedRegisteredNode, NetworkNode, NetworkRepository } from './network-repository.sql.ts';
import { systemFile } from './network-service.ts';
import { Period } from './schemas.ts';
import { stakingPeriod } from './staking-period.ts';

export interface NodeContext extends ListContext {
  readonly network: Pick<NetworkRepository, 'nodes' | 'registeredNodes'>;
}

const NODE_SECONDS = 60;
const FILE_ONCE = 'Only a single instance is supported for file.id';

/** A node of an address book. */
interface BookNode {
  readonly node: NetworkNode;
  readonly file: EntityId;
}

const ENDPOINT = itemOf<ServiceEndpoint>()(
  {
    domain_name: text(({ domainName }) => domainName),
    ip_address_v4: text(({ ipAddressV4 }) => ipAddressV4),
    port: integer(({ port }) => port),
  },
  'Endpoint',
);

/** A stored −1 means none. */
const bound = (of: (stake: NonNullable<NetworkNode['stake']>) => bigint) =>
  integer.orNull(({ node: { stake } }: BookNode) => {
    const amount = stake === null ? null : of(stake);
    return amount === -1n ? null : amount;
  });

/** @see contracts/mirror-network.md section 5, fields */
export const NODE = itemOf<BookNode>()(
  {
    admin_key: key(({ node }) => node.settings?.adminKey ?? null),
    associated_registered_nodes: exact(
      Type.Array(Type.Integer()),
      ({ node }) => node.settings?.associatedRegisteredNodes ?? [],
    ),
    decline_reward: flag.orNull(({ node }) => node.settings?.declineReward ?? null),
    description: text.orNull(({ node }) => node.description),
    file_id: id(({ file }) => file),
    grpc_proxy_endpoint: nested(ENDPOINT).orNull(({ node }) => node.settings?.grpcProxyEndpoint ?? null),
    max_stake: bound(({ maxStake }) => maxStake),
    memo: text.orNull(({ node }) => node.memo),
    min_stake: bound(({ minStake }) => minStake),
    node_account_id: id.orNull(({ node }) => node.settings?.account ?? node.bookAccount),
    node_cert_hash: text(({ node }) => prefixed(certHashText(node.nodeCertHash ?? new Uint8Array()))),
    node_id: integer(({ node }) => node.nodeId),
    public_key: text(({ node }) => prefixed(node.publicKey ?? '')),
    reward_rate_start: integer.orNull(({ node }) => node.stake?.rewardRate ?? null),
    service_endpoints: listOf(ENDPOINT, ({ node }) => [...node.serviceEndpoints].sort(byAddress)),
    stake: integer.orNull(({ node }) => node.stake?.stake ?? null),
    stake_not_rewarded: bound(({ stakeNotRewarded }) => stakeNotRewarded),
    stake_rewarded: integer.orNull(({ node }) => node.stake?.stakeRewarded ?? null),
    staking_period: exact(Type.Union([Period, Type.Null()]), ({ node: { stake } }) =>
      stake === null ? null : { ...stakingPeriod(stake.stakingPeriodEnd) },
    ),
    timestamp: since(({ node }) => node.bookStart),
  },
  'Node',
);

/** The bytes are the hash as hexadecimal text; others are no hash. */
function certHashText(bytes: Uint8Array): string {
  return isUtf8(bytes) ? Buffer.from(bytes).toString('utf8') : '';
}

/** Some books carry the prefix already. */
function prefixed(hex: string): string {
  return hex.startsWith('0x') ? hex : `0x${hex}`;
}

function byAddress(a: ServiceEndpoint, b: ServiceEndpoint): number {
  if (a.ipAddressV4 !== b.ipAddressV4) return a.ipAddressV4 < b.ipAddressV4 ? -1 : 1;
  return a.port - b.port;
}

/** An address book by its file. */
const bookFile: Parameter<EntityId> = {
  schema: Type.Optional(
    Type.String({ default: '0.0.102', description: 'Address book: 0.0.101 or 0.0.102.' }),
  ),
  check: (text, { names }) => bookNum(text, names.home) !== null,
  read(texts, { names: { home } }) {
    const last = texts.at(-1);
    const num = last === undefined ? null : bookNum(last, home);
    return systemFile(num ?? SYSTEM_FILE.NODE_DETAILS, home);
  },
};

/** The number of an address book file; null for any other text. */
function bookNum(text: string, home: EntityHome): bigint | null {
  const filter = parseFilter(text);
  if (filter === null || filter.operator !== 'eq' || !looksLikeEntity(filter.value)) return null;
  const entity = parseEntityText(filter.value, home);
  if (entity.kind !== 'id') return null;
  return [...ADDRESS_BOOK_FILES].find((num) => systemFile(num, home) === entity.id) ?? null;
}

const nodeIds = integers(ANY_OF);

/** @see contracts/mirror-network.md section 5 */
export const nodeList = listOn<NodeContext>()({
  path: '/api/v1/network/nodes',
  isKept: true,
  summary: 'Address book nodes',
  name: 'nodes',
  title: 'NodeList',
  maxAgeSeconds: NODE_SECONDS,
  order: ['asc', 'Order of the items.'],
  // In both dialects: web explorers ask for 100 and follow the links.
  limits: { defaultLimit: 10, maxLimit: 25 },
  refuse(query: readonly QueryPair[]) {
    if (query.filter(({ name }) => name === 'file.id').length > 1) throw invalidRequest([FILE_ONCE]);
  },
  parameters: {
    'file.id': bookFile,
    // No node is below 0.
    'node.id': { ...nodeIds, left: (ids) => ({ ...ids, lower: ids.lower > 0n ? ids.lower : 0n }) },
  },
  async rows({ 'file.id': file, limit, 'node.id': ids, order }, { network }) {
    const nodes = await network.nodes({ file, ...ids, order, limit });
    return nodes.map((node) => ({ node, file }));
  },
  cursor: { parameter: 'node.id', of: ({ node }) => node.nodeId, print: String },
  item: NODE,
});

const SERVICES = ['BLOCK_NODE', 'GENERAL_SERVICE', 'MIRROR_NODE', 'RPC_RELAY'] as const;
const API_NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(BLOCK_NODE_API).map(([name, number]) => [number, name]),
);

const BLOCK_NODE = itemOf<RegisteredEndpoint>()({
  // A number that this version does not know is something else.
  endpoint_apis: exact(Type.Array(Type.String()), ({ apis }) =>
    apis.map((api) => API_NAMES.get(api) ?? 'OTHER'),
  ),
});
const GENERAL_SERVICE = itemOf<RegisteredEndpoint>()({
  description: text.orNull(({ description }) => description),
});
const NO_MEMBERS = itemOf<RegisteredEndpoint>()({});

/** The member of the service that is offered is an object, the others are null. */
const offered = (service: RegisteredService, item: Item<RegisteredEndpoint>): Field<RegisteredEndpoint> =>
  nested(item).orNull((endpoint) => (endpoint.service === service ? endpoint : null));

const SERVICE_ENDPOINT = itemOf<RegisteredEndpoint>()(
  {
    block_node: offered('block_node', BLOCK_NODE),
    domain_name: text.orNull(({ domainName }) => domainName),
    general_service: offered('general_service', GENERAL_SERVICE),
    ip_address: text.orNull(({ ipAddress }) => ipAddress),
    mirror_node: offered('mirror_node', NO_MEMBERS),
    port: integer(({ port }) => port),
    requires_tls: flag(({ requiresTls }) => requiresTls),
    rpc_relay: offered('rpc_relay', NO_MEMBERS),
    type: word([...SERVICES, 'UNKNOWN'], ({ service }) => service.toUpperCase()),
  },
  'ServiceEndpoint',
);

const REGISTERED_NODE = itemOf<ListedRegisteredNode>()(
  {
    admin_key: key(({ adminKey }) => adminKey),
    created_timestamp: time.orNull(({ createdTimestamp }) => createdTimestamp),
    description: text.orNull(({ description }) => description),
    registered_node_id: integer(({ registeredNodeId }) => registeredNodeId),
    service_endpoints: listOf(SERVICE_ENDPOINT, ({ endpoints }) => endpoints),
    timestamp: since(({ changedTimestamp }) => changedTimestamp),
  },
  'RegisteredNode',
);

/** A type selects the nodes with an endpoint of it. @see contracts/mirror-entities.md section 10; HIP-1137 */
export const registeredNodeList = listOn<NodeContext>()({
  path: '/api/v1/network/registered-nodes',
  isKept: true,
  summary: 'Registered nodes',
  name: 'registered_nodes',
  title: 'RegisteredNodeList',
  maxAgeSeconds: NODE_SECONDS,
  order: ['asc', 'Order of the items.'],
  parameters: {
    'registerednode.id': integers(ANY_OF, { isNeInvalid: true }),
    type: oneOf(SERVICES, null, 'Kind of service.'),
  },
  rows: ({ limit, order, 'registerednode.id': ids, type }, { network }) =>
    network.registeredNodes({ ...ids, service: serviceOf(type), order, limit }),
  cursor: {
    parameter: 'registerednode.id',
    of: ({ registeredNodeId }) => registeredNodeId,
    print: String,
  },
  item: REGISTERED_NODE,
});

function serviceOf(type: (typeof SERVICES)[number] | null) {
  return type === null ? null : (type.toLowerCase() as Lowercase<typeof type>);
}
