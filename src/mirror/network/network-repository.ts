import type { EntityId } from '../../values/entity-id.ts';
import type { RegisteredService } from '../ledger/registered-endpoint.ts';
import type { RegisteredNode } from '../ledger/registered-nodes.ts';
import type { NodeStake, ServiceEndpoint, StakeUpdate } from '../ledger/rows.ts';

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

/** One node of the current address book with what the node table and the newest stake update tell. */
export interface NetworkNode {
  readonly nodeId: bigint;
  readonly bookStart: bigint;
  readonly bookAccount: bigint | null;
  readonly description: string | null;
  readonly memo: string | null;
  readonly publicKey: string | null;
  readonly nodeCertHash: Uint8Array | null;
  readonly serviceEndpoints: readonly ServiceEndpoint[];
  /** Null when the node has no row in the node table. */
  readonly settings: NodeSettings | null;
  /** Null when the newest stake update does not name the node. */
  readonly stake: NodeStakeState | null;
}

export interface NodeSettings {
  readonly account: bigint | null;
  readonly adminKey: Uint8Array | null;
  readonly declineReward: boolean | null;
  readonly grpcProxyEndpoint: ServiceEndpoint | null;
  readonly associatedRegisteredNodes: readonly bigint[];
}

export interface NodeStakeState extends Omit<NodeStake, 'nodeId'> {
  readonly stakingPeriodEnd: bigint;
}

/** Conditions on the node id; bounds inclusive. */
export interface NodeSelection {
  readonly file: EntityId;
  readonly lower: bigint;
  readonly upper: bigint;
  readonly equal: ReadonlySet<bigint> | null;
  readonly excluded: ReadonlySet<bigint>;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
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
export interface ListedRegisteredNode extends RegisteredNode {
  readonly changedTimestamp: bigint;
  readonly createdTimestamp: bigint | null;
  /** Serialized `Key`. */
  readonly adminKey: Uint8Array | null;
  readonly description: string | null;
}

/** Which registered nodes a page shows; bounds inclusive. */
export interface RegisteredNodeSelection {
  readonly lower: bigint;
  readonly upper: bigint;
  readonly equal: ReadonlySet<bigint> | null;
  /** Null for any. */
  readonly service: RegisteredService | null;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
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
