import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { type ColumnValue, column, stateTable } from '../../../values/stored-tables.ts';
import type { DecodedItem } from '../../items/decoded-item.ts';
import type { RegisteredEndpointMessage } from '../../protobuf/message-types.ts';
import { toBigInt } from '../../protobuf/messages.ts';
import { rawField } from '../../protobuf/wire.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import type { RegisteredEndpoint, RegisteredService } from '../registered-endpoint.ts';
import type { Facet } from './facet.ts';

/** What a transaction says of a registered node; members that it leaves undefined stay. */
interface RegisteredNodeChange {
  readonly registeredNodeId: bigint;
  readonly consensusTimestamp: ConsensusTimestamp;
  readonly isDeleted: boolean;
  readonly isCreated: boolean;
  /** Serialized protobuf `Key`. */
  readonly adminKey?: Uint8Array;
  readonly description?: string;
  readonly endpoints?: readonly RegisteredEndpoint[];
}

const REGISTERED_NODE = stateTable(
  'registered_node',
  { id: 'registered_node_id' },
  {
    changedAt: column<bigint>('changed_ts'),
    createdAt: column<bigint | null>('created_ts'),
    isDeleted: column<ColumnValue>('deleted'),
    adminKey: column<Uint8Array | null>('admin_key'),
    description: column<string | null>('description'),
    /** JSON list of {@link RegisteredEndpoint}. */
    endpoints: column<string>('service_endpoints'),
  },
);

/** Field numbers of the admin key, which is kept as its original bytes. */
const ADMIN_KEY = { create: 1, update: 2 };

/**
 * Nodes that offer a service beside consensus: block nodes, mirrors, relays. A deleted one stays, as such.
 *
 * @see contracts/streams.md section 16.4, HIP-1137
 */
export const registeredNodes: Facet<'registeredNodes', RegisteredNodeChange> = {
  name: 'registeredNodes',

  decode: {
    types: [TYPE.REGISTEREDNODECREATE, TYPE.REGISTEREDNODEUPDATE, TYPE.REGISTEREDNODEDELETE],
    rows(item) {
      const change = changeOf(item);
      return change === null ? [] : [change];
    },
  },

  touch(unit, keys) {
    for (const { registeredNodeId } of unit.registeredNodes) keys.add(REGISTERED_NODE, registeredNodeId);
  },

  fold({ unit }, state) {
    const rows = state.rows(REGISTERED_NODE);
    for (const change of unit.registeredNodes) {
      const { adminKey, consensusTimestamp: at, description, endpoints, isCreated, isDeleted } = change;
      const stored = rows.get(change.registeredNodeId);
      rows.set({
        id: change.registeredNodeId,
        changedAt: at,
        createdAt: isCreated ? at : (stored?.createdAt ?? null),
        isDeleted: Number(isDeleted),
        adminKey: adminKey ?? stored?.adminKey ?? null,
        description: description ?? stored?.description ?? null,
        endpoints: endpoints === undefined ? (stored?.endpoints ?? '[]') : JSON.stringify(endpoints),
      });
    }
  },

  rebuild: { replaced: ['registered_node'] },
};

function changeOf(item: DecodedItem): RegisteredNodeChange | null {
  const { body, consensusTimestamp, record } = item;
  const {
    registeredNodeCreate: created,
    registeredNodeDelete: deleted,
    registeredNodeUpdate: updated,
  } = body;
  const change = { consensusTimestamp, isCreated: false, isDeleted: false };
  if (created !== null) {
    return {
      ...change,
      isCreated: true,
      registeredNodeId: toBigInt(record.receipt?.registeredNodeId ?? 0),
      ...adminKeyOf(item, ADMIN_KEY.create),
      description: created.description,
      endpoints: created.serviceEndpoint.map(endpointOf),
    };
  }
  if (updated !== null) {
    return {
      ...change,
      registeredNodeId: toBigInt(updated.registeredNodeId),
      ...adminKeyOf(item, ADMIN_KEY.update),
      ...(updated.description === null ? {} : { description: updated.description.value }),
      // A list replaces the one before; an empty one is none.
      ...(updated.serviceEndpoint.length === 0 ? {} : { endpoints: updated.serviceEndpoint.map(endpointOf) }),
    };
  }
  if (deleted === null) return null;
  return { ...change, isDeleted: true, registeredNodeId: toBigInt(deleted.registeredNodeId) };
}

function adminKeyOf({ bodyBytes, type }: DecodedItem, field: number): { readonly adminKey?: Uint8Array } {
  const data = rawField(bodyBytes, type);
  const adminKey = data === null ? null : rawField(data, field);
  return adminKey === null ? {} : { adminKey };
}

function endpointOf(endpoint: RegisteredEndpointMessage): RegisteredEndpoint {
  const { blockNode, domainName, generalService, ipAddress, port, requiresTls } = endpoint;
  return {
    ipAddress: ipAddressText(ipAddress),
    domainName: domainName === '' ? null : domainName,
    port,
    requiresTls,
    service: serviceOf(endpoint),
    apis: blockNode?.endpointApi ?? [],
    description: generalService?.description ?? null,
  };
}

function serviceOf(endpoint: RegisteredEndpointMessage): RegisteredService {
  if (endpoint.blockNode !== null) return 'block_node';
  if (endpoint.mirrorNode !== null) return 'mirror_node';
  if (endpoint.rpcRelay !== null) return 'rpc_relay';
  return endpoint.generalService === null ? 'unknown' : 'general_service';
}

/** Null when there is none, or of another length. */
function ipAddressText(bytes: Uint8Array): string | null {
  if (bytes.length === 4) return bytes.join('.');
  if (bytes.length !== 16) return null;
  const groups = Array.from({ length: 8 }, (_, at) => ((bytes[2 * at] ?? 0) << 8) | (bytes[2 * at + 1] ?? 0));
  return groups.map((group) => group.toString(16)).join(':');
}
