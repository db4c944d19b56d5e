import type { ConsensusTimestamp } from '../../values/consensus-timestamp.ts';
import type { EntityId } from '../../values/entity-id.ts';
import { bytes, flag, int64, json, number, type RecordOf, rowTable, text } from '../../values/row-table.ts';
import type { BlockGas } from '../evm/block-gas.ts';

/**
 * The rows that one imported unit (record file, block, fixture) puts into the ledger.
 *
 * They are what ingestion decodes and what the repositories store; they know neither protobuf nor SQL.
 * Amounts are tinybars or token units, int64; ids are encoded; times are nanoseconds.
 *
 * @see contracts/mirror-transactions.md sections 2 and 8, contracts/streams.md section 6
 */
export interface LedgerTransaction {
  readonly consensusTimestamp: ConsensusTimestamp;
  readonly payer: EntityId;
  readonly validStart: ConsensusTimestamp;
  readonly nonce: number;
  readonly scheduled: boolean;
  /** Field number of the `TransactionBody.data` oneof. */
  readonly type: number;
  /** Response code number of the receipt. */
  readonly result: number;
  readonly entityId: EntityId | null;
  readonly node: EntityId | null;
  readonly parentConsensusTimestamp: ConsensusTimestamp | null;
  readonly chargedFee: bigint;
  readonly maxFee: bigint | null;
  readonly validDurationSeconds: bigint | null;
  /** Raw bytes of the memo, which need not be valid UTF-8; null only when none was stored. */
  readonly memo: Uint8Array | null;
  readonly hash: Uint8Array | null;
  /** Serialized protobuf `Key`. */
  readonly batchKey: Uint8Array | null;
  readonly maxCustomFees: readonly MaxCustomFee[];
  /** Transactions inside an ATOMICBATCH. */
  readonly innerTransactions: readonly {
    readonly payer: EntityId;
    readonly validStart: ConsensusTimestamp;
  }[];
  readonly highVolume: boolean;
  readonly highVolumePricingMultiplier: bigint | null;
  /** Every entry of the record's transfer list, in any order. */
  readonly transfers: readonly HbarTransfer[];
  readonly tokenTransfers: readonly TokenTransfer[];
  /** In record order. */
  readonly nftTransfers: readonly NftTransfer[];
  readonly stakingRewards: readonly { readonly account: EntityId; readonly amount: bigint }[];
  readonly assessedCustomFees: readonly AssessedCustomFee[];
  /** The serialized `Transaction` and `TransactionRecord`, kept so that rows can be rebuilt. */
  readonly transactionBytes: Uint8Array | null;
  readonly recordBytes: Uint8Array | null;
}

export interface HbarTransfer {
  readonly account: EntityId;
  readonly amount: bigint;
  readonly isApproval: boolean;
  /**
   * True for an entry of a failed transfer of 2019 that the record lists although it never happened: it is shown
   * and found like any other, but moves no balance. @see contracts/streams.md section 6, row 2019 errata
   */
  readonly neverHappened?: boolean;
}

export interface TokenTransfer extends Omit<HbarTransfer, 'neverHappened'> {
  readonly token: EntityId;
}

export interface NftTransfer {
  readonly token: EntityId;
  readonly sender: EntityId | null;
  readonly receiver: EntityId | null;
  readonly serial: bigint;
  readonly isApproval: boolean;
}

export interface MaxCustomFee {
  readonly account: EntityId;
  readonly amount: bigint;
  /** Null means hbar. */
  readonly denominatingToken: EntityId | null;
}

export interface AssessedCustomFee {
  readonly amount: bigint;
  readonly collector: EntityId;
  readonly token: EntityId | null;
  readonly effectivePayers: readonly EntityId[];
}

/** One piece of a system file (101, 102, 111, 112, 113, 121-123), or a file that the first block of a network states. */
export interface FilePiece {
  readonly file: EntityId;
  readonly consensusTimestamp: ConsensusTimestamp;
  /** 17 FILECREATE and 19 FILEUPDATE begin a version, 16 FILEAPPEND continues it. */
  readonly transactionType: number;
  readonly contents: Uint8Array;
  /** True when nothing vouches for it: an address book in it is shown, and its keys prove nothing. */
  readonly isTold?: boolean;
}

/** @see contracts/mirror-network.md section 5 */
export interface AddressBook {
  /** Consensus time of the file piece that completed it + 1 ns; 1 for a bootstrap book. */
  readonly startTimestamp: ConsensusTimestamp;
  readonly file: EntityId;
  readonly entries: readonly AddressBookEntry[];
  /** True when another mirror told it: it is shown, and its keys prove nothing. */
  readonly isTold?: boolean;
}

export type AddressBookEntry = RecordOf<typeof BOOK_ENTRY>;

/** Members that the ledger does not give are empty texts. */
export interface ServiceEndpoint {
  readonly domainName: string;
  readonly ipAddressV4: string;
  readonly port: number;
}

/** A row of the node table; undefined members leave what is stored. */
export interface NodeChange {
  readonly nodeId: bigint;
  readonly consensusTimestamp: ConsensusTimestamp;
  readonly createdTimestamp?: ConsensusTimestamp;
  readonly account?: EntityId | null;
  /** Serialized protobuf `Key`. */
  readonly adminKey?: Uint8Array | null;
  readonly declineReward?: boolean | null;
  readonly grpcProxyEndpoint?: ServiceEndpoint | null;
  readonly associatedRegisteredNodes?: readonly bigint[];
  readonly deleted?: boolean;
}

/** @see contracts/mirror-network.md section 6 */
export interface StakeUpdate extends RecordOf<typeof NETWORK_STAKE> {
  /** True when only the stakes of the nodes are known, from a fixture: nothing is told of the network. */
  readonly nodesOnly?: boolean;
  /** True when another mirror told it: it is shown, and weighs no votes. */
  readonly isTold?: boolean;
  readonly nodes: readonly NodeStake[];
}

export type NodeStake = RecordOf<typeof NODE_STAKE>;

/** Sets a balance outright (opening balances, fixtures); transfers move balances by themselves. */
export interface BalanceStatement {
  readonly account: EntityId;
  readonly balance: bigint;
  readonly timestamp: ConsensusTimestamp;
}

/** Sets the balance of a token, as {@link BalanceStatement} does for hbar. */
export interface TokenBalanceStatement extends BalanceStatement {
  readonly token: EntityId;
}

/** A token balance as the state of the network has it after a unit; null when the account gave the token up. */
export interface TokenBalanceState extends Omit<TokenBalanceStatement, 'balance'> {
  readonly balance: bigint | null;
}

/** What a unit tells of balances beside its transactions. */
export interface StatedBalances {
  /** Of the accounts that the unit changed, as they are after it. */
  readonly accountStates: readonly BalanceStatement[];
  readonly tokenStates: readonly TokenBalanceState[];
}

/** The kinds of entities that have settings. */
export type EntityType = 'ACCOUNT' | 'CONTRACT' | 'SCHEDULE' | 'TOKEN' | 'TOPIC';

/** An entity with the addresses under which others name it. */
export interface EntityAlias {
  readonly entity: EntityId;
  readonly type: EntityType;
  /** Serialized protobuf `Key`, or a 20-byte EVM address given as alias. */
  readonly alias: Uint8Array | null;
  readonly evmAddress: Uint8Array | null;
  /** Null when a fixture does not tell. */
  readonly createdTimestamp: ConsensusTimestamp | null;
}

/**
 * What one transaction changes of an entity; undefined members leave what is stored.
 *
 * @see contracts/mirror-entities.md section 11.3
 */
export interface EntityChange {
  readonly entity: EntityId;
  /** Undefined when the change does not tell. */
  readonly type?: EntityType;
  /** Time from which the settings hold; undefined for what changes without a new row (nonces, lines of fixtures). */
  readonly changedTimestamp?: ConsensusTimestamp;
  /** Serialized protobuf `Key`. */
  readonly key?: Uint8Array | null;
  readonly memo?: string;
  /** Seconds. */
  readonly autoRenewPeriod?: bigint | null;
  readonly autoRenewAccount?: EntityId | null;
  /** Set by an update; without one it follows from creation and renewal period. */
  readonly expiryTimestamp?: ConsensusTimestamp | null;
  readonly isDeleted?: boolean | null;
  readonly isReceiverSigRequired?: boolean;
  /** −1 means any number. */
  readonly maxAutomaticAssociations?: number;
  readonly declinesReward?: boolean;
  readonly stakedAccount?: EntityId | null;
  readonly stakedNode?: bigint | null;
  /** First nanosecond of the UTC day. */
  readonly stakePeriodStart?: ConsensusTimestamp;
  /** Whether the period begins because a reward was paid: one that began at that day or later stays. */
  readonly isRewardPeriod?: boolean;
  /** Whether the first block of a network states it: there was nothing before. */
  readonly isOpening?: boolean;
  readonly ethereumNonce?: bigint;
  readonly proxyAccount?: EntityId | null;
  /** Who got the rest of a deleted contract. */
  readonly obtainer?: EntityId | null;
  readonly isPermanentRemoval?: boolean;
  /** 20 bytes; null for none. */
  readonly delegationAddress?: Uint8Array | null;
}

/** What one transaction changes of the relation of an account and a token. */
export type TokenRelation = {
  readonly account: EntityId;
  readonly token: EntityId;
  readonly consensusTimestamp: ConsensusTimestamp;
} & (AssociationBegin | { readonly isAssociated: false } | RelationStatus);

/** The account holds the token from now on, with what is said of it at once. */
interface AssociationBegin extends Omit<RelationStatus, 'isAssociated'> {
  readonly isAssociated: true;
  /** Whether a transfer made it. Default false. */
  readonly isAutomatic?: boolean;
  /** True when it begins only where the account does not hold the token already. */
  readonly isIfMissing?: boolean;
}

/** Of a relation that goes on; undefined members stay. */
interface RelationStatus {
  readonly isAssociated?: undefined;
  readonly freezeStatus?: FreezeStatus;
  readonly kycStatus?: KycStatus;
}

export type FreezeStatus = 'NOT_APPLICABLE' | 'FROZEN' | 'UNFROZEN';
export type KycStatus = 'NOT_APPLICABLE' | 'GRANTED' | 'REVOKED';

/** How far a unit was verified. @see contracts/streams.md section 5 */
export type VerificationLevel = 'signatures' | 'chain' | 'none';

/** The identity of an imported unit; one row per unit, written with its contents. */
export interface UnitHeader extends Omit<StoredUnitHeader, 'place'> {}

/** A stored unit. */
export interface StoredUnitHeader extends Omit<RecordOf<typeof UNIT_ROW>, 'proof' | 'previousRoot'> {
  /** @see UNIT_ROW */
  readonly previousRoot?: Uint8Array | null;
  /** In words what the proof of a block showed, and why it proves no more; absent or null for units without one. */
  readonly proof?: string | null;
}

/** A sidecar that a record file names. */
export interface UnitSidecar {
  readonly id: number;
  /** Numbers of the enumeration SidecarType. */
  readonly types: readonly number[];
  /** SHA-384 of the contents, unpacked. */
  readonly hash: Uint8Array;
  /** As they came, usually packed with gzip; null when the source did not have them. */
  readonly contents: Uint8Array | null;
}

/** What facets have of a unit: each names its member, in `facets/`. */
// biome-ignore lint/suspicious/noEmptyInterface: the members follow from the facets
export interface FacetRows {}

/** What became of a unit. */
export type CommitOutcome = 'stored' | 'already-stored';

/** A verified and decoded unit: everything of it is stored in one commit, or nothing. */
export interface LedgerUnit extends FacetRows {
  readonly header: UnitHeader;
  /** In the order of the unit, which need not be that of time. */
  readonly transactions: readonly LedgerTransaction[];
  readonly filePieces: readonly FilePiece[];
  readonly addressBooks: readonly AddressBook[];
  readonly nodeChanges: readonly NodeChange[];
  readonly stakeUpdates: readonly StakeUpdate[];
  readonly balances: readonly BalanceStatement[];
  readonly tokenBalances: readonly TokenBalanceStatement[];
  readonly entities: readonly EntityAlias[];
  /** In the order of the transactions. */
  readonly entityChanges: readonly EntityChange[];
  readonly sidecars: readonly UnitSidecar[];
  /** Null when the source does not tell. */
  readonly gas: BlockGas | null;
  /** The roots of all blocks before this one, as the edge of their tree; null when they are not all known. @see ChainEnd */
  readonly tree: Uint8Array | null;
}

/** A node in an address book. */
export const BOOK_ENTRY = rowTable({
  nodeId: int64('node_id'),
  nodeAccount: int64<EntityId | null>('node_account'),
  description: text<string | null>('description'),
  memo: text<string | null>('memo'),
  /** Hex text of the DER public key, as in the book; null when the book has none (file 101). */
  publicKey: text<string | null>('public_key'),
  nodeCertHash: bytes<Uint8Array | null>('node_cert_hash'),
  serviceEndpoints: json<readonly ServiceEndpoint[]>('service_endpoints'),
});

/** What a stake update states of the network. */
export const NETWORK_STAKE = rowTable({
  consensusTimestamp: int64<ConsensusTimestamp>('consensus_ts'),
  /** End of the staking period, nanoseconds. */
  stakingPeriodEnd: int64<ConsensusTimestamp>('staking_period_end'),
  maxStakeRewarded: int64('max_stake_rewarded'),
  maxStakingRewardRatePerHbar: int64('max_staking_reward_rate_per_hbar'),
  maxTotalReward: int64('max_total_reward'),
  nodeRewardFeeNumerator: int64('node_reward_fee_numerator'),
  nodeRewardFeeDenominator: int64('node_reward_fee_denominator'),
  reservedStakingRewards: int64('reserved_staking_rewards'),
  rewardBalanceThreshold: int64('reward_balance_threshold'),
  stakeTotal: int64('stake_total'),
  /** Minutes. */
  stakingPeriodDuration: int64('staking_period_duration'),
  stakingPeriodsStored: int64('staking_periods_stored'),
  stakingRewardFeeNumerator: int64('staking_reward_fee_numerator'),
  stakingRewardFeeDenominator: int64('staking_reward_fee_denominator'),
  stakingRewardRate: int64('staking_reward_rate'),
  stakingStartThreshold: int64('staking_start_threshold'),
  unreservedStakingRewardBalance: int64('unreserved_staking_reward_balance'),
});

/** What it states of a node; a stored bound of −1 means none. */
export const NODE_STAKE = rowTable({
  nodeId: int64('node_id'),
  maxStake: int64('max_stake'),
  minStake: int64('min_stake'),
  rewardRate: int64('reward_rate'),
  stake: int64('stake'),
  stakeNotRewarded: int64('stake_not_rewarded'),
  stakeRewarded: int64('stake_rewarded'),
});

/** A row of `ledger_unit`, without what its contents made. Texts of closed sets are written by the ledger alone. */
export const UNIT_ROW = rowTable({
  /** Where it stands in the order of the network: times may step back, places ascend. */
  place: int64('place'),
  /** Its least time; of an empty one the time that it states itself. */
  consensusStart: int64<ConsensusTimestamp>('consensus_start'),
  /** Its greatest time. */
  consensusEnd: int64<ConsensusTimestamp>('consensus_end'),
  /** The source it came from, for people and for resuming. */
  source: text('source'),
  kind: text<'record' | 'block' | 'fixture'>('kind'),
  /** File name without folders. */
  name: text('name'),
  /** Version of the record file format, also of a wrapped one; 7 for a native block, 0 where there is none. */
  version: number('version'),
  hapiVersion: text<string | null>('hapi_version'),
  /** Block number, int64, possibly negative; null when the file states none (before version 6). */
  blockNumber: int64<bigint | null>('block_number'),
  /** What the next unit names as previous. */
  hash: bytes('hash'),
  previousHash: bytes('previous_hash'),
  /** Root of the block, also of a wrapped record file; null where it is not stated. */
  root: bytes<Uint8Array | null>('root'),
  /** Root that it names as that of the block before, where only hashes or numbers join the two; null elsewhere. */
  previousRoot: bytes<Uint8Array | null>('previous_root'),
  /** Whether it is a native block: no record file follows it any more. */
  isNative: flag('is_native'),
  fileHash: bytes('file_hash'),
  count: number('transaction_count'),
  /** Bytes as read. */
  size: number('size'),
  verification: text<VerificationLevel>('verification'),
  proof: text<string | null>('proof'),
});

/** The header in a row; what it may lack is no member of it then. */
export function unitHeader(row: object): StoredUnitHeader {
  const { previousRoot, proof, ...header } = UNIT_ROW.read(row);
  return {
    ...header,
    ...(previousRoot === null ? {} : { previousRoot }),
    ...(proof === null ? {} : { proof }),
  };
}
