import type { EntityId } from '../../values/entity-id.ts';
import {
  bytes,
  flag,
  int64,
  json,
  type RecordOf,
  rowTable,
  text,
  unlessNull,
} from '../../values/row-table.ts';
import type { RegisteredEndpoint, RegisteredService } from '../ledger/registered-endpoint.ts';
import type { ServiceEndpoint, StakeUpdate } from '../ledger/rows.ts';
import type { IntegerSelection } from '../parameters/integer-range.ts';
import type { PageRequest } from '../parameters/page-parameters.ts';

/** A sum of balances and the newest time among them. */
export interface BalanceSum {
  /** Tinybars. */
  readonly total: bigint;
  /** Nanoseconds; 0n when there is no balance. */
  readonly timestamp: bigint;
}

/** Encoded ids from `first` to `last`, both inclusive. */
export interface AccountRange {
  readonly first: bigint;
  readonly last: bigint;
}

const INTEGER = /\d+/g;

const NODE_SETTINGS = rowTable({
  account: int64<bigint | null>('n.account_id'),
  adminKey: bytes<Uint8Array | null>('n.admin_key'),
  declineReward: flag<boolean | null>('n.decline_reward'),
  grpcProxyEndpoint: json<ServiceEndpoint | null>('n.grpc_proxy_endpoint'),
  associatedRegisteredNodes: {
    column: 'n.associated_registered_nodes',
    fromStored: (list: string): readonly bigint[] =>
      [...list.matchAll(INTEGER)].map(([digits]) => BigInt(digits)),
  },
});

const STAKE_OF_NODE = rowTable({
  maxStake: int64('s.max_stake'),
  minStake: int64('s.min_stake'),
  rewardRate: int64('s.reward_rate'),
  stake: int64('s.stake'),
  stakeNotRewarded: int64('s.stake_not_rewarded'),
  stakeRewarded: int64('s.stake_rewarded'),
  stakingPeriodEnd: int64('u.staking_period_end'),
});

/** One node of the current address book with what the node table and the newest stake update tell. */
export const NETWORK_NODE = rowTable({
  nodeId: int64('e.node_id'),
  bookStart: int64('e.start_ts'),
  bookAccount: int64<bigint | null>('e.node_account'),
  description: text<string | null>('e.description'),
  memo: text<string | null>('e.memo'),
  publicKey: text<string | null>('e.public_key'),
  nodeCertHash: bytes<Uint8Array | null>('e.node_cert_hash'),
  serviceEndpoints: json<readonly ServiceEndpoint[]>('e.service_endpoints'),
  /** Null when the node has no row in the node table. */
  settings: unlessNull<RecordOf<typeof NODE_SETTINGS> | null>('changed_ts', NODE_SETTINGS.members),
  /** Null when the newest stake update does not name the node. */
  stake: unlessNull<RecordOf<typeof STAKE_OF_NODE> | null>('staking_period_end', STAKE_OF_NODE.members),
});
export type NetworkNode = RecordOf<typeof NETWORK_NODE>;

/** Conditions on the node id. */
export interface NodeSelection extends IntegerSelection, PageRequest {
  readonly file: EntityId;
}

/** Exchange rates that receipts told from a time on. */
export interface ObservedRates {
  /** Serialized `ExchangeRateSet`. */
  readonly contents: Uint8Array;
  readonly timestamp: bigint;
}

/** Gas prices that another mirror told. */
export interface StatedGasPrices {
  /** The time that they were told of. */
  readonly asOf: bigint;
  /** Of the fee schedule from which they follow. */
  readonly scheduleTimestamp: bigint;
  /** Tinybars. */
  readonly prices: readonly { readonly kind: string; readonly gas: bigint }[];
}

/** A node that offers a service beside consensus, as lists show it; null is what the import did not tell. */
export const REGISTERED_NODE = rowTable({
  registeredNodeId: int64('registered_node_id'),
  changedTimestamp: int64('changed_ts'),
  createdTimestamp: int64<bigint | null>('created_ts'),
  /** Serialized `Key`. */
  adminKey: bytes<Uint8Array | null>('admin_key'),
  description: text<string | null>('description'),
  endpoints: json<readonly RegisteredEndpoint[]>('service_endpoints'),
});
export type ListedRegisteredNode = RecordOf<typeof REGISTERED_NODE>;

/** Which registered nodes a page shows. */
export interface RegisteredNodeSelection extends Omit<IntegerSelection, 'excluded'>, PageRequest {
  /** Null for any. */
  readonly service: RegisteredService | null;
}

/** What the network object reads beside system files. */
export interface NetworkRepository {
  /** Running balances; null when none of the accounts has a known one. */
  currentBalances(ranges: readonly AccountRange[]): Promise<BalanceSum | null>;
  /** Per account the newest snapshot within the bounds, both inclusive; null when there is none. */
  balancesWithin(ranges: readonly AccountRange[], lower: bigint, upper: bigint): Promise<BalanceSum | null>;
  /** Time of the oldest snapshot of any of the accounts. */
  oldestBalance(ranges: readonly AccountRange[]): Promise<bigint | null>;
  nodes(selection: NodeSelection): Promise<readonly NetworkNode[]>;
  /** In order of their numbers, without deleted ones. */
  registeredNodes(selection: RegisteredNodeSelection): Promise<readonly ListedRegisteredNode[]>;
  /** The newest rates that receipts told within the bounds, both inclusive. */
  newestRates(lower: bigint, upper: bigint): Promise<ObservedRates | null>;
  /** The first rates that receipts told. */
  oldestRates(): Promise<ObservedRates | null>;
  /** The newest that were told of a time within the bounds, both inclusive. */
  statedGasPrices(lower: bigint, upper: bigint): Promise<StatedGasPrices | null>;
  newestStake(): Promise<Omit<StakeUpdate, 'nodes'> | null>;
}
