import { type ColumnValue, column, type RowOf, stateTable } from '../../../values/stored-tables.ts';
import { changeSince } from '../fold/change-order.ts';
import type { NodeChange } from '../rows.ts';
import type { Facet } from './facet.ts';

const NODE = stateTable(
  'node',
  { id: 'node_id' },
  {
    changedAt: column<bigint>('changed_ts'),
    account: column<bigint | null>('account_id'),
    adminKey: column<Uint8Array | null>('admin_key'),
    declinesReward: column<ColumnValue>('decline_reward'),
    /** JSON. */
    grpcProxyEndpoint: column<string | null>('grpc_proxy_endpoint'),
    /** JSON list of numbers. */
    registeredNodes: column<string>('associated_registered_nodes'),
    isDeleted: column<ColumnValue>('deleted'),
    createdAt: column<bigint | null>('created_ts'),
  },
);
type NodeRow = RowOf<typeof NODE>;

/** Nodes of the network: members that a change leaves undefined keep what is stored. */
export const nodes: Facet<never> = {
  touch({ nodeChanges }, keys) {
    for (const { nodeId } of nodeChanges) keys.add(NODE, nodeId);
  },

  fold(folded, state) {
    const rows = state.rows(NODE);
    for (const change of folded.unit.nodeChanges) {
      const stored = rows.get(change.nodeId);
      const at = changeSince(change.consensusTimestamp, stored?.changedAt ?? null, folded);
      if (at !== null) rows.set(changed(stored, change, at));
    }
  },

  rebuild: { replaced: ['node'] },
};

function changed(stored: NodeRow | null, change: NodeChange, changedAt: bigint): NodeRow {
  const { account, adminKey, associatedRegisteredNodes, declineReward, grpcProxyEndpoint } = change;
  return {
    id: change.nodeId,
    changedAt,
    account: account === undefined ? (stored?.account ?? null) : account,
    adminKey: adminKey === undefined ? (stored?.adminKey ?? null) : adminKey,
    declinesReward:
      declineReward === undefined
        ? (stored?.declinesReward ?? null)
        : declineReward === null
          ? null
          : Number(declineReward),
    grpcProxyEndpoint:
      grpcProxyEndpoint === undefined
        ? (stored?.grpcProxyEndpoint ?? null)
        : grpcProxyEndpoint === null
          ? null
          : JSON.stringify(grpcProxyEndpoint),
    registeredNodes:
      associatedRegisteredNodes === undefined
        ? (stored?.registeredNodes ?? '[]')
        : `[${associatedRegisteredNodes.join(',')}]`,
    isDeleted: change.deleted === undefined ? (stored?.isDeleted ?? 0) : Number(change.deleted),
    createdAt: change.createdTimestamp ?? stored?.createdAt ?? null,
  };
}
