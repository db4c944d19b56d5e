import type Long from 'long';

/*
 * The members that the product reads, as protobufjs decodes them: absent messages are null, absent scalars
 * the protobuf default (also inside a oneof), lists empty. An absent `bytes` member is empty but need not be
 * a Uint8Array: look at its length first. Members typed `string | undefined` name the set member of a oneof.
 */

export interface Timestamp {
  readonly seconds: Long;
  readonly nanos: number;
}

interface ShardRealm {
  readonly shardNum: Long;
  readonly realmNum: Long;
}

export interface AccountId extends ShardRealm {
  readonly accountNum: Long;
  readonly alias: Uint8Array;
  readonly account: 'accountNum' | 'alias' | undefined;
}

export interface ContractId extends ShardRealm {
  readonly contractNum: Long;
  readonly evmAddress: Uint8Array;
  readonly contract: 'contractNum' | 'evmAddress' | undefined;
}

export interface FileId extends ShardRealm {
  readonly fileNum: Long;
}

export interface TokenId extends ShardRealm {
  readonly tokenNum: Long;
}

export interface TopicId extends ShardRealm {
  readonly topicNum: Long;
}

export interface ScheduleId extends ShardRealm {
  readonly scheduleNum: Long;
}

export interface TransactionId {
  readonly transactionValidStart: Timestamp | null;
  readonly accountID: AccountId | null;
  readonly scheduled: boolean;
  readonly nonce: number;
}

export interface Transaction {
  readonly bodyBytes: Uint8Array;
  readonly signedTransactionBytes: Uint8Array;
  readonly sigMap: SignatureMap | null;
  readonly body: TransactionBody | null;
}

export interface SignedTransaction {
  readonly bodyBytes: Uint8Array;
  readonly sigMap: SignatureMap | null;
}

interface SignatureMap {
  readonly sigPair: readonly { readonly pubKeyPrefix: Uint8Array }[];
}

/** The part that is common to all types; `data` names the member that holds the type's own part. */
export interface TransactionBody extends TransactionData {
  readonly transactionID: TransactionId | null;
  readonly nodeAccountID: AccountId | null;
  readonly transactionFee: Long;
  readonly transactionValidDuration: Seconds | null;
  readonly memo: string;
  readonly batchKey: unknown;
  readonly maxCustomFees: readonly CustomFeeLimit[];
  readonly highVolume: boolean;
  /** Name of the member that is set, for example `cryptoTransfer`; undefined for an unknown type. */
  readonly data: string | undefined;
}

/** The part of a type: one of the members is set. */
export interface TransactionData {
  readonly cryptoTransfer: CryptoTransferBody | null;
  readonly cryptoCreateAccount: CryptoCreateBody | null;
  readonly cryptoUpdateAccount: CryptoUpdateBody | null;
  readonly cryptoApproveAllowance: CryptoApproveAllowanceBody | null;
  readonly cryptoDelete: {
    readonly deleteAccountID: AccountId | null;
    /** Gets the rest of the balance. */
    readonly transferAccountID: AccountId | null;
  } | null;
  readonly cryptoAddLiveHash: { readonly liveHash: { readonly accountId: AccountId | null } | null } | null;
  readonly cryptoDeleteLiveHash: { readonly accountOfLiveHash: AccountId | null } | null;
  readonly contractCreateInstance: ContractCreateBody | null;
  readonly ethereumTransaction: {
    readonly ethereumData: Uint8Array;
    readonly callData: FileId | null;
  } | null;
  readonly contractCall: {
    readonly contractID: ContractId | null;
    readonly gas: Long;
    readonly amount: Long;
    readonly functionParameters: Uint8Array;
  } | null;
  readonly contractDeleteInstance: ContractDeleteBody | null;
  readonly contractUpdateInstance: ContractUpdateBody | null;
  readonly fileCreate: Omit<FileContentsBody, 'fileID'> | null;
  readonly fileUpdate: FileContentsBody | null;
  readonly fileAppend: FileContentsBody | null;
  readonly fileDelete: { readonly fileID: FileId | null } | null;
  readonly systemDelete: SystemDeleteBody | null;
  readonly systemUndelete: SystemDeleteBody | null;
  readonly freeze: { readonly updateFile: FileId | null } | null;
  readonly consensusCreateTopic: CreateTopicBody | null;
  readonly consensusUpdateTopic: UpdateTopicBody | null;
  readonly consensusDeleteTopic: { readonly topicID: TopicId | null } | null;
  readonly consensusSubmitMessage: SubmitMessageBody | null;
  readonly tokenCreation: TokenCreateBody | null;
  readonly tokenFreeze: AccountOfToken | null;
  readonly tokenUnfreeze: AccountOfToken | null;
  readonly tokenGrantKyc: AccountOfToken | null;
  readonly tokenRevokeKyc: AccountOfToken | null;
  readonly tokenAssociate: TokensOfAccount | null;
  readonly tokenDissociate: TokensOfAccount | null;
  readonly tokenDeletion: TokenOnly | null;
  readonly tokenUpdate: TokenUpdateBody | null;
  readonly tokenUpdateNfts: TokenUpdateNftsBody | null;
  readonly tokenMint: TokenMintBody | null;
  readonly tokenBurn: SerialsOfToken | null;
  readonly tokenWipe: SerialsOfToken | null;
  readonly tokenPause: TokenOnly | null;
  readonly tokenUnpause: TokenOnly | null;
  readonly tokenFeeScheduleUpdate: {
    readonly tokenId: TokenId | null;
    readonly customFees: readonly CustomFee[];
  } | null;
  readonly cryptoDeleteAllowance: { readonly nftAllowances: readonly NftRemoveAllowance[] } | null;
  readonly tokenReject: { readonly owner: AccountId | null } | null;
  readonly tokenAirdrop: { readonly tokenTransfers: readonly TokenTransferList[] } | null;
  readonly tokenCancelAirdrop: { readonly pendingAirdrops: readonly PendingAirdropId[] } | null;
  readonly tokenClaimAirdrop: { readonly pendingAirdrops: readonly PendingAirdropId[] } | null;
  readonly scheduleCreate: ScheduleCreateBody | null;
  readonly scheduleDelete: { readonly scheduleID: ScheduleId | null } | null;
  readonly scheduleSign: { readonly scheduleID: ScheduleId | null } | null;
  readonly nodeCreate: NodeCreateBody | null;
  readonly nodeUpdate: NodeUpdateBody | null;
  readonly nodeDelete: { readonly nodeId: Long } | null;
  readonly registeredNodeCreate: {
    readonly description: string;
    readonly serviceEndpoint: readonly RegisteredEndpointMessage[];
  } | null;
  readonly registeredNodeUpdate: {
    readonly registeredNodeId: Long;
    readonly description: { readonly value: string } | null;
    readonly serviceEndpoint: readonly RegisteredEndpointMessage[];
  } | null;
  readonly registeredNodeDelete: { readonly registeredNodeId: Long } | null;
  readonly hookStore: {
    readonly hookId: HookId | null;
    readonly storageUpdates: readonly HookStorageUpdate[];
  } | null;
  readonly nodeStakeUpdate: NodeStakeUpdateBody | null;
  readonly utilPrng: unknown;
  readonly atomicBatch: { readonly transactions: readonly Uint8Array[] } | null;
  readonly ledgerIdPublication: unknown;
}

export interface HookId {
  readonly entityId: { readonly accountId: AccountId | null; readonly contractId: ContractId | null } | null;
  readonly hookId: Long;
}

interface CryptoTransferBody {
  readonly transfers: { readonly accountAmounts: readonly AccountAmount[] } | null;
  readonly tokenTransfers: readonly TokenTransferList[];
}

interface AllowanceParties {
  /** The payer when it is left out. */
  readonly owner: AccountId | null;
  readonly spender: AccountId | null;
}

export interface CryptoApproveAllowanceBody {
  readonly cryptoAllowances: readonly (AllowanceParties & { readonly amount: Long })[];
  readonly tokenAllowances: readonly (AllowanceParties & {
    readonly tokenId: TokenId | null;
    readonly amount: Long;
  })[];
  readonly nftAllowances: readonly NftAllowance[];
}

export interface PendingAirdropId {
  readonly senderId: AccountId | null;
  readonly receiverId: AccountId | null;
  readonly fungibleTokenType: TokenId | null;
  readonly nonFungibleToken: { readonly token_ID: TokenId | null; readonly serialNumber: Long } | null;
}

/** A slot, or entries of a mapping, that a hook's storage gets. */
export interface HookStorageUpdate {
  readonly storageSlot: { readonly key: Uint8Array; readonly value: Uint8Array } | null;
  readonly mappingEntries: {
    readonly mappingSlot: Uint8Array;
    readonly entries: readonly {
      readonly entryKey: 'key' | 'preimage' | undefined;
      readonly key: Uint8Array;
      readonly preimage: Uint8Array;
      readonly value: Uint8Array;
    }[];
  } | null;
}

/** Hooks that an account or contract gets. */
export interface CreatedHooks {
  readonly hookCreationDetails: readonly {
    readonly hookId: Long;
    readonly adminKey: Key | null;
    readonly evmHook: {
      readonly spec: { readonly contractId: ContractId | null } | null;
      readonly storageUpdates: readonly HookStorageUpdate[];
    } | null;
  }[];
}

/** Members in which an account or contract says where it stakes. */
export interface StakingMembers {
  readonly stakedId: 'stakedAccountId' | 'stakedNodeId' | undefined;
  readonly stakedAccountId: AccountId | null;
  readonly stakedNodeId: Long;
}

interface Seconds {
  readonly seconds: Long;
}

/** Members that say who pays for the next period of a token or topic. */
export interface RenewalMembers {
  readonly autoRenewAccount: AccountId | null;
  readonly autoRenewPeriod: Seconds | null;
}

/** Absent members leave the token as it is. */
interface TokenSettingsUpdate extends RenewalMembers {
  readonly expiry: Timestamp | null;
  readonly memo: { readonly value: string } | null;
}

/** Members that creations and updates of accounts and contracts have. */
interface HolderMembers extends StakingMembers, CreatedHooks {
  readonly proxyAccountID: AccountId | null;
  readonly autoRenewPeriod: Seconds | null;
}

/** What a creation sets, and an update in wrappers: absent ones leave it as it is. */
interface HolderSettings {
  readonly memo: string;
  readonly maxAutomaticTokenAssociations: number;
  readonly declineReward: boolean;
}
type Wrapped<Members> = { readonly [Name in keyof Members]: { readonly value: Members[Name] } | null };

interface HolderUpdate extends HolderMembers {
  readonly hookIdsToDelete: readonly Long[];
  readonly expirationTime: Timestamp | null;
}

interface CryptoCreateBody extends HolderMembers, HolderSettings {
  readonly key: Key | null;
  readonly alias: Uint8Array;
  readonly receiverSigRequired: boolean;
  /** Empty for none. */
  readonly delegationAddress: Uint8Array;
}

interface CryptoUpdateBody extends HolderUpdate, Wrapped<HolderSettings> {
  readonly key: Key | null;
  readonly accountIDToUpdate: AccountId | null;
  readonly receiverSigRequiredField: 'receiverSigRequired' | 'receiverSigRequiredWrapper' | undefined;
  readonly receiverSigRequired: boolean;
  readonly receiverSigRequiredWrapper: { readonly value: boolean } | null;
  /** Empty when it stays. */
  readonly delegationAddress: Uint8Array;
}

interface ContractCreateBody extends HolderMembers, HolderSettings {
  readonly adminKey: Key | null;
  readonly fileID: FileId | null;
  readonly initcode: Uint8Array;
  readonly constructorParameters: Uint8Array;
  readonly gas: Long;
  readonly initialBalance: Long;
  readonly autoRenewAccountId: AccountId | null;
}

interface ContractUpdateBody extends HolderUpdate, Wrapped<Omit<HolderSettings, 'memo'>> {
  readonly adminKey: Key | null;
  readonly contractID: ContractId | null;
  readonly autoRenewAccountId: AccountId | null;
  readonly memoField: 'memo' | 'memoWrapper' | undefined;
  readonly memo: string;
  readonly memoWrapper: { readonly value: string } | null;
}

interface ContractDeleteBody {
  readonly contractID: ContractId | null;
  readonly obtainers: 'transferAccountID' | 'transferContractID' | undefined;
  readonly transferAccountID: AccountId | null;
  readonly transferContractID: ContractId | null;
  readonly permanentRemoval: boolean;
}

export interface TokenKeys {
  readonly adminKey: Key | null;
  readonly feeScheduleKey: Key | null;
  readonly freezeKey: Key | null;
  readonly kycKey: Key | null;
  readonly metadataKey: Key | null;
  readonly pauseKey: Key | null;
  readonly supplyKey: Key | null;
  readonly wipeKey: Key | null;
}

export interface TokenCreateBody extends RenewalMembers, TokenKeys {
  readonly expiry: Timestamp | null;
  readonly memo: string;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly initialSupply: Long;
  readonly treasury: AccountId | null;
  readonly freezeDefault: boolean;
  readonly tokenType: number;
  readonly supplyType: number;
  readonly maxSupply: Long;
  readonly customFees: readonly CustomFee[];
  readonly metadata: Uint8Array;
}

interface TokenUpdateBody extends TokenOnly, TokenSettingsUpdate, TokenKeys {
  /** Empty when it stays. */
  readonly name: string;
  readonly symbol: string;
  readonly treasury: AccountId | null;
  readonly metadata: { readonly value: Uint8Array } | null;
}

/** What a token asks for a transfer. */
export interface CustomFee {
  readonly fee: 'fixedFee' | 'fractionalFee' | 'royaltyFee' | undefined;
  readonly fixedFee: FixedFee | null;
  readonly fractionalFee: FractionalFee | null;
  readonly royaltyFee: RoyaltyFee | null;
  readonly feeCollectorAccountId: AccountId | null;
  readonly allCollectorsAreExempt: boolean;
}

/** What a topic asks for a message. */
interface FixedCustomFee {
  readonly fixedFee: FixedFee | null;
  readonly feeCollectorAccountId: AccountId | null;
}

export interface FixedFee {
  readonly amount: Long;
  /** Null for hbar; 0.0.0 for the token that the fee belongs to. */
  readonly denominatingTokenId: TokenId | null;
}

interface FractionalFee {
  readonly fractionalAmount: Fraction | null;
  readonly minimumAmount: Long;
  /** 0 without a maximum. */
  readonly maximumAmount: Long;
  readonly netOfTransfers: boolean;
}

interface RoyaltyFee {
  readonly exchangeValueFraction: Fraction | null;
  readonly fallbackFee: FixedFee | null;
}

export interface Fraction {
  readonly numerator: Long;
  readonly denominator: Long;
}

interface TokensOfAccount {
  readonly account: AccountId | null;
  readonly tokens: readonly TokenId[];
}

interface FileContentsBody {
  readonly fileID: FileId | null;
  readonly keys: KeyList | null;
  readonly contents: Uint8Array;
}

interface SystemDeleteBody {
  readonly fileID: FileId | null;
  readonly contractID: ContractId | null;
}

interface ScheduleCreateBody {
  readonly adminKey: Key | null;
  readonly scheduledTransactionBody: ScheduledBody | null;
  readonly memo: string;
  readonly payerAccountID: AccountId | null;
  readonly expirationTime: Timestamp | null;
  readonly waitForExpiry: boolean;
}

/** `data` as in {@link TransactionBody}. */
interface ScheduledBody {
  readonly data: string | undefined;
}

interface SubmitMessageBody {
  readonly topicID: TopicId | null;
  readonly message: Uint8Array;
  readonly chunkInfo: { readonly number: number; readonly total: number } | null;
}

export interface TopicKeys {
  readonly adminKey: Key | null;
  readonly feeScheduleKey: Key | null;
  readonly submitKey: Key | null;
}

interface CreateTopicBody extends RenewalMembers, TopicKeys {
  readonly memo: string;
  readonly customFees: readonly FixedCustomFee[];
}

interface UpdateTopicBody extends RenewalMembers, TopicKeys {
  readonly feeExemptKeyList: KeyList | null;
  readonly topicID: TopicId | null;
  readonly expirationTime: Timestamp | null;
  readonly memo: { readonly value: string } | null;
  readonly customFees: { readonly fees: readonly FixedCustomFee[] } | null;
}

interface TokenOnly {
  readonly token: TokenId | null;
}

interface TokenMintBody extends TokenOnly {
  readonly amount: Long;
  /** One for each NFT. */
  readonly metadata: readonly Uint8Array[];
}

interface SerialsOfToken extends TokenOnly {
  readonly serialNumbers: readonly Long[];
}

interface TokenUpdateNftsBody extends SerialsOfToken {
  /** Absent: it stays as it is. */
  readonly metadata: { readonly value: Uint8Array } | null;
}

/** All NFTs of a token, or those with the serial numbers, or both. */
interface NftAllowance extends AllowanceParties {
  readonly tokenId: TokenId | null;
  readonly serialNumbers: readonly Long[];
  /** Null when only serial numbers are approved. */
  readonly approvedForAll: { readonly value: boolean } | null;
  readonly delegatingSpender: AccountId | null;
}

interface NftRemoveAllowance {
  readonly tokenId: TokenId | null;
  readonly owner: AccountId | null;
  readonly serialNumbers: readonly Long[];
}

interface AccountOfToken extends TokenOnly {
  readonly account: AccountId | null;
}

interface CustomFeeLimit {
  readonly accountId: AccountId | null;
  readonly fees: readonly { readonly amount: Long; readonly denominatingTokenId: TokenId | null }[];
}

/** A hook that a transfer runs. */
export interface HookCall {
  readonly hookId: Long;
  readonly evmHookCall: { readonly gasLimit: Long } | null;
}

export interface AccountAmount {
  readonly accountID: AccountId | null;
  readonly amount: Long;
  readonly isApproval: boolean;
  readonly preTxAllowanceHook?: HookCall | null;
  readonly prePostTxAllowanceHook?: HookCall | null;
}

interface NftTransfer {
  readonly senderAccountID: AccountId | null;
  readonly receiverAccountID: AccountId | null;
  readonly serialNumber: Long;
  readonly isApproval: boolean;
  readonly preTxSenderAllowanceHook?: HookCall | null;
  readonly prePostTxSenderAllowanceHook?: HookCall | null;
  readonly preTxReceiverAllowanceHook?: HookCall | null;
  readonly prePostTxReceiverAllowanceHook?: HookCall | null;
}

export interface TokenTransferList {
  readonly token: TokenId | null;
  readonly transfers: readonly AccountAmount[];
  readonly nftTransfers: readonly NftTransfer[];
}

export interface ServiceEndpoint {
  readonly ipAddressV4: Uint8Array;
  readonly port: number;
  readonly domainName: string;
}

/** `RegisteredServiceEndpoint`; one of the last four is set. */
export interface RegisteredEndpointMessage {
  /** 4 or 16 bytes; empty where there is a name. */
  readonly ipAddress: Uint8Array;
  readonly domainName: string;
  readonly port: number;
  readonly requiresTls: boolean;
  readonly blockNode: { readonly endpointApi: readonly number[] } | null;
  readonly mirrorNode: unknown;
  readonly rpcRelay: unknown;
  readonly generalService: { readonly description: string } | null;
}

interface NodeCreateBody {
  readonly accountId: AccountId | null;
  readonly description: string;
  readonly adminKey: Key | null;
  readonly declineReward: boolean;
  readonly grpcProxyEndpoint: ServiceEndpoint | null;
  readonly associatedRegisteredNode: readonly Long[];
}

interface NodeUpdateBody {
  readonly nodeId: Long;
  readonly accountId: AccountId | null;
  readonly adminKey: Key | null;
  readonly declineReward: { readonly value: boolean } | null;
  readonly grpcProxyEndpoint: ServiceEndpoint | null;
  readonly associatedRegisteredNodeList: { readonly associatedRegisteredNode: readonly Long[] } | null;
}

interface NodeStakeUpdateBody {
  readonly endOfStakingPeriod: Timestamp | null;
  readonly nodeStake: readonly {
    readonly maxStake: Long;
    readonly minStake: Long;
    readonly nodeId: Long;
    readonly rewardRate: Long;
    readonly stake: Long;
    readonly stakeNotRewarded: Long;
    readonly stakeRewarded: Long;
  }[];
  readonly maxStakingRewardRatePerHbar: Long;
  readonly nodeRewardFeeFraction: Fraction | null;
  readonly stakingPeriodsStored: Long;
  readonly stakingPeriod: Long;
  readonly stakingRewardFeeFraction: Fraction | null;
  readonly stakingStartThreshold: Long;
  readonly stakingRewardRate: Long;
  readonly reservedStakingRewards: Long;
  readonly unreservedStakingRewardBalance: Long;
  readonly rewardBalanceThreshold: Long;
  readonly maxStakeRewarded: Long;
  readonly maxTotalReward: Long;
}

export interface ContractFunctionResult {
  readonly contractID: ContractId | null;
  /** Contracts that the call made, in records before these had records of their own. */
  readonly createdContractIDs: readonly ContractId[];
  readonly evmAddress: { readonly value: Uint8Array } | null;
  /** The sender that the EVM saw. */
  readonly senderId: AccountId | null;
  /** Bloom filter of the logs; empty without logs. */
  readonly bloom: Uint8Array;
  readonly gasUsed: Long;
  readonly contractCallResult: Uint8Array;
  readonly errorMessage: string;
  readonly logInfo: readonly ContractLogInfo[];
  /** Of the call, as those of {@link TransactionBody} that are one. */
  readonly gas: Long;
  readonly amount: Long;
  readonly functionParameters: Uint8Array;
  readonly contractNonces: readonly { readonly contractId: ContractId | null; readonly nonce: Long }[];
  /** Nonce of the sender after an Ethereum transaction. */
  readonly signerNonce: { readonly value: Long } | null;
}

/** A log that a contract wrote. */
interface ContractLogInfo {
  readonly contractID: ContractId | null;
  readonly bloom: Uint8Array;
  readonly topic: readonly Uint8Array[];
  readonly data: Uint8Array;
}

export interface TransactionReceipt {
  readonly status: number;
  readonly accountID: AccountId | null;
  readonly fileID: FileId | null;
  readonly contractID: ContractId | null;
  readonly exchangeRate: ExchangeRateSet | null;
  readonly topicID: TopicId | null;
  readonly topicSequenceNumber: Long;
  readonly topicRunningHash: Uint8Array;
  readonly topicRunningHashVersion: Long;
  readonly tokenID: TokenId | null;
  readonly newTotalSupply: Long;
  readonly scheduleID: ScheduleId | null;
  readonly scheduledTransactionID: TransactionId | null;
  /** Of the NFTs that were minted. */
  readonly serialNumbers: readonly Long[];
  readonly nodeId: Long;
  readonly registeredNodeId: Long;
}

export interface TransactionRecord {
  readonly receipt: TransactionReceipt | null;
  readonly transactionHash: Uint8Array;
  readonly consensusTimestamp: Timestamp | null;
  readonly transactionID: TransactionId | null;
  readonly memo: string;
  readonly transactionFee: Long;
  readonly contractCallResult: ContractFunctionResult | null;
  readonly contractCreateResult: ContractFunctionResult | null;
  readonly transferList: { readonly accountAmounts: readonly AccountAmount[] } | null;
  readonly tokenTransferLists: readonly TokenTransferList[];
  readonly scheduleRef: ScheduleId | null;
  readonly automaticTokenAssociations: readonly {
    readonly tokenId: TokenId | null;
    readonly accountId: AccountId | null;
  }[];
  readonly assessedCustomFees: readonly {
    readonly amount: Long;
    readonly tokenId: TokenId | null;
    readonly feeCollectorAccountId: AccountId | null;
    readonly effectivePayerAccountId: readonly AccountId[];
  }[];
  readonly parentConsensusTimestamp: Timestamp | null;
  readonly alias: Uint8Array;
  /** Of the Ethereum transaction inside, 32 bytes. */
  readonly ethereumHash: Uint8Array;
  readonly paidStakingRewards: readonly AccountAmount[];
  readonly prngBytes: Uint8Array;
  readonly prngNumber: number;
  readonly evmAddress: Uint8Array;
  /** Airdrops that wait for their receivers; of a fungible token with all that waits. */
  readonly newPendingAirdrops: readonly {
    readonly pendingAirdropId: PendingAirdropId | null;
    readonly pendingAirdropValue: { readonly amount: Long } | null;
  }[];
  readonly highVolumePricingMultiplier: Long;
}

/** The member that `key` names is set. */
export interface Key extends KeyMembers {
  readonly key: keyof KeyMembers | undefined;
}

interface KeyMembers {
  readonly contractID: ContractId | null;
  readonly ed25519: Uint8Array;
  readonly RSA_3072: Uint8Array;
  readonly ECDSA_384: Uint8Array;
  readonly thresholdKey: { readonly threshold: number; readonly keys: KeyList | null } | null;
  readonly keyList: KeyList | null;
  readonly ECDSASecp256k1: Uint8Array;
  readonly delegatableContractId: ContractId | null;
}

interface KeyList {
  readonly keys: readonly Key[];
}

export interface NodeAddress {
  readonly ipAddress: Uint8Array;
  readonly portno: number;
  readonly memo: Uint8Array;
  readonly RSA_PubKey: string;
  readonly nodeId: Long;
  readonly nodeAccountId: AccountId | null;
  readonly nodeCertHash: Uint8Array;
  readonly serviceEndpoint: readonly ServiceEndpoint[];
  readonly description: string;
}

export interface NodeAddressBook {
  readonly nodeAddress: readonly NodeAddress[];
}

export interface ExchangeRate {
  readonly hbarEquiv: number;
  readonly centEquiv: number;
  readonly expirationTime: Seconds | null;
}

export interface ExchangeRateSet {
  readonly currentRate: ExchangeRate | null;
  readonly nextRate: ExchangeRate | null;
}

export interface FeeScheduleOfFunctions {
  readonly transactionFeeSchedule: readonly {
    readonly hederaFunctionality: number;
    readonly fees: readonly { readonly servicedata: { readonly gas: Long } | null }[];
  }[];
  readonly expiryTime: Seconds | null;
}

/** File 111. */
export interface CurrentAndNextFeeSchedule {
  readonly currentFeeSchedule: FeeScheduleOfFunctions | null;
  readonly nextFeeSchedule: FeeScheduleOfFunctions | null;
}

/** The code of one contract, in a sidecar. */
export interface ContractBytecode {
  readonly contractId: ContractId | null;
  /** Creation code with constructor parameters; empty when the transaction has it. */
  readonly initcode: Uint8Array;
  readonly runtimeBytecode: Uint8Array;
}

/** The storage of one contract that a transaction used, in a sidecar. */
export interface ContractStateChange {
  readonly contractId: ContractId | null;
  readonly storageChanges: readonly {
    /** Up to 32 bytes, as the values. */
    readonly slot: Uint8Array;
    readonly valueRead: Uint8Array;
    /** Null when it was only read, without bytes when zero was written. */
    readonly valueWritten: { readonly value: Uint8Array } | null;
  }[];
}

/** One call of an execution trace, in a sidecar. */
export interface ContractAction {
  readonly callType: number;
  readonly caller: 'callingAccount' | 'callingContract' | undefined;
  readonly callingAccount: AccountId | null;
  readonly callingContract: ContractId | null;
  readonly gas: Long;
  readonly input: Uint8Array;
  readonly recipient: 'recipientAccount' | 'recipientContract' | 'targetedAddress' | undefined;
  readonly recipientAccount: AccountId | null;
  readonly recipientContract: ContractId | null;
  readonly targetedAddress: Uint8Array;
  readonly value: Long;
  readonly gasUsed: Long;
  readonly resultData: 'output' | 'revertReason' | 'error' | undefined;
  readonly output: Uint8Array;
  readonly revertReason: Uint8Array;
  readonly error: Uint8Array;
  readonly callDepth: number;
  readonly callOperationType: number;
}

/** One of the members behind `migration` is set. */
export interface TransactionSidecarRecord {
  readonly consensusTimestamp: Timestamp | null;
  readonly migration: boolean;
  readonly stateChanges: { readonly contractStateChanges: readonly ContractStateChange[] } | null;
  readonly actions: { readonly contractActions: readonly ContractAction[] } | null;
  readonly bytecode: ContractBytecode | null;
}

export interface SidecarFile {
  readonly sidecarRecords: readonly TransactionSidecarRecord[];
}

export interface HashObject {
  readonly algorithm: number;
  readonly length: number;
  readonly hash: Uint8Array;
}

export interface SignatureObject {
  readonly type: number;
  readonly length: number;
  readonly checksum: number;
  readonly signature: Uint8Array;
  readonly hashObject: HashObject | null;
}

export interface SignatureFile {
  readonly fileSignature: SignatureObject | null;
  readonly metadataSignature: SignatureObject | null;
}

interface ExtraFeeReference {
  readonly name: number;
  readonly includedCount: number;
}

/** File 113. @see contracts/fees-estimate.md section 9.2 */
export interface SimpleFeeSchedule {
  readonly node: { readonly baseFee: Long; readonly extras: readonly ExtraFeeReference[] } | null;
  readonly network: { readonly multiplier: number } | null;
  readonly unreadable: { readonly fee: Long } | null;
  readonly extras: readonly { readonly name: number; readonly fee: Long }[];
  readonly services: readonly {
    readonly name: string;
    readonly schedule: readonly SimpleFeeDefinition[];
  }[];
}

interface SimpleFeeDefinition {
  readonly name: number;
  readonly baseFee: Long;
  readonly extras: readonly ExtraFeeReference[];
  readonly free: boolean;
  readonly highVolumeRates: {
    readonly maxMultiplier: number;
    readonly pricingCurve: {
      readonly piecewiseLinear: {
        readonly points: readonly {
          readonly utilizationBasisPoints: number;
          readonly multiplier: number;
        }[];
      } | null;
    } | null;
  } | null;
  readonly nodeNetworkFeeExempt: boolean;
}
