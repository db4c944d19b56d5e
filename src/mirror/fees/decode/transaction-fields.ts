/*
 * The members of a decoded transaction that its price depends on. A member that was not on the wire is absent;
 * 64-bit numbers are bigint. Names and oneofs as in the ledger's protobuf definitions.
 */

export interface KeyFields {
  readonly ed25519?: Uint8Array;
  readonly ECDSASecp256k1?: Uint8Array;
  readonly ECDSA_384?: Uint8Array;
  readonly keyList?: KeyListFields;
  readonly thresholdKey?: { readonly keys?: KeyListFields };
}

export interface KeyListFields {
  readonly keys?: readonly KeyFields[];
}

interface ShardRealmFields {
  readonly shardNum?: bigint;
  readonly realmNum?: bigint;
}

export interface AccountIdFields extends ShardRealmFields {
  readonly accountNum?: bigint;
  readonly alias?: Uint8Array;
}

export interface TokenIdFields extends ShardRealmFields {
  readonly tokenNum?: bigint;
}

export interface TopicIdFields extends ShardRealmFields {
  readonly topicNum?: bigint;
}

export interface TransactionIdFields {
  readonly accountID?: AccountIdFields;
  readonly transactionValidStart?: { readonly seconds?: bigint; readonly nanos?: number };
  readonly nonce?: number;
  readonly scheduled?: boolean;
}

export interface HookCallFields {
  readonly evmHookCall?: { readonly gasLimit?: bigint };
}

export interface AccountAmountFields {
  readonly accountID?: AccountIdFields;
  readonly amount?: bigint;
  readonly preTxAllowanceHook?: HookCallFields;
  readonly prePostTxAllowanceHook?: HookCallFields;
}

interface NftTransferFields {
  readonly senderAccountID?: AccountIdFields;
  readonly receiverAccountID?: AccountIdFields;
  readonly preTxSenderAllowanceHook?: HookCallFields;
  readonly prePostTxSenderAllowanceHook?: HookCallFields;
  readonly preTxReceiverAllowanceHook?: HookCallFields;
  readonly prePostTxReceiverAllowanceHook?: HookCallFields;
}

export interface TokenTransferListFields {
  readonly token?: TokenIdFields;
  readonly transfers?: readonly AccountAmountFields[];
  readonly nftTransfers?: readonly NftTransferFields[];
}

/** CryptoTransfer, and TokenAirdrop with no hbar list. */
export interface TransferFields {
  readonly transfers?: { readonly accountAmounts?: readonly AccountAmountFields[] };
  readonly tokenTransfers?: readonly TokenTransferListFields[];
}

interface GasFields {
  readonly gas?: bigint;
}

interface HooksFields {
  readonly hookCreationDetails?: readonly unknown[];
  readonly hookIdsToDelete?: readonly unknown[];
}

export interface TokenKeysFields {
  readonly adminKey?: KeyFields;
  readonly feeScheduleKey?: KeyFields;
  readonly freezeKey?: KeyFields;
  readonly kycKey?: KeyFields;
  readonly metadataKey?: KeyFields;
  readonly pauseKey?: KeyFields;
  readonly supplyKey?: KeyFields;
  readonly wipeKey?: KeyFields;
}

export interface TopicKeysFields {
  readonly adminKey?: KeyFields;
  readonly feeScheduleKey?: KeyFields;
  readonly submitKey?: KeyFields;
}

export interface FileFields {
  readonly keys?: KeyListFields;
  readonly contents?: Uint8Array;
}

export interface PendingAirdropsFields {
  readonly pendingAirdrops?: readonly unknown[];
}

/** The priced members of the oneof `TransactionBody.data` by name, with what their price depends on. */
export interface PricedBodies {
  readonly cryptoCreateAccount: HooksFields & { readonly key?: KeyFields };
  readonly cryptoUpdateAccount: HooksFields & { readonly key?: KeyFields };
  readonly cryptoDelete: unknown;
  readonly cryptoTransfer: TransferFields;
  readonly cryptoApproveAllowance: {
    readonly cryptoAllowances?: readonly unknown[];
    readonly nftAllowances?: readonly unknown[];
    readonly tokenAllowances?: readonly unknown[];
  };
  readonly cryptoDeleteAllowance: { readonly nftAllowances?: readonly unknown[] };
  readonly consensusCreateTopic: TopicKeysFields & { readonly customFees?: readonly unknown[] };
  readonly consensusUpdateTopic: TopicKeysFields & { readonly feeExemptKeyList?: KeyListFields };
  readonly consensusDeleteTopic: unknown;
  readonly consensusSubmitMessage: { readonly topicID?: TopicIdFields; readonly message?: Uint8Array };
  readonly fileCreate: FileFields;
  readonly fileUpdate: FileFields;
  readonly fileAppend: FileFields;
  readonly fileDelete: unknown;
  readonly systemDelete: unknown;
  readonly systemUndelete: unknown;
  readonly tokenCreation: TokenKeysFields & { readonly customFees?: readonly unknown[] };
  readonly tokenUpdate: TokenKeysFields;
  readonly tokenUpdateNfts: { readonly serialNumbers?: readonly unknown[] };
  readonly tokenMint: { readonly amount?: bigint; readonly metadata?: readonly unknown[] };
  readonly tokenAssociate: { readonly tokens?: readonly unknown[] };
  readonly tokenDissociate: unknown;
  readonly tokenAirdrop: TransferFields;
  readonly tokenClaimAirdrop: PendingAirdropsFields;
  readonly tokenCancelAirdrop: PendingAirdropsFields;
  readonly tokenBurn: unknown;
  readonly tokenDeletion: unknown;
  readonly tokenFreeze: unknown;
  readonly tokenUnfreeze: unknown;
  readonly tokenPause: unknown;
  readonly tokenUnpause: unknown;
  readonly tokenGrantKyc: unknown;
  readonly tokenRevokeKyc: unknown;
  readonly tokenReject: unknown;
  readonly tokenWipe: unknown;
  readonly tokenFeeScheduleUpdate: unknown;
  readonly scheduleCreate: {
    readonly adminKey?: KeyFields;
    readonly scheduledTransactionBody?: { readonly data?: string } & Readonly<Record<string, unknown>>;
  };
  readonly scheduleSign: unknown;
  readonly scheduleDelete: unknown;
  readonly contractCreateInstance: HooksFields & GasFields & { readonly adminKey?: KeyFields };
  readonly contractUpdateInstance: HooksFields & { readonly adminKey?: KeyFields };
  readonly contractDeleteInstance: unknown;
  readonly contractCall: GasFields;
  readonly ethereumTransaction: { readonly ethereumData?: Uint8Array };
  readonly hookStore: {
    readonly storageUpdates?: readonly {
      readonly storageSlot?: unknown;
      readonly mappingEntries?: { readonly entries?: readonly unknown[] };
    }[];
  };
  readonly utilPrng: unknown;
  readonly atomicBatch: { readonly transactions?: readonly Uint8Array[] };
  readonly nodeCreate: unknown;
  readonly nodeUpdate: unknown;
  readonly nodeDelete: unknown;
  readonly registeredNodeCreate: unknown;
  readonly registeredNodeUpdate: unknown;
  readonly registeredNodeDelete: unknown;
}
