/**
 * What a receipt and a record have beside the members that are copied from the result; messages as their bytes, null
 * where they are absent.
 */
export interface RecordMembers {
  readonly account: Uint8Array | null;
  readonly file: Uint8Array | null;
  readonly contract: Uint8Array | null;
  readonly topic: Uint8Array | null;
  readonly topicSequenceNumber: bigint | null;
  readonly topicRunningHash: Uint8Array | null;
  readonly token: Uint8Array | null;
  readonly newTotalSupply: bigint | null;
  readonly schedule: Uint8Array | null;
  readonly scheduledTransaction: Uint8Array | null;
  /** Ascending. */
  readonly serialNumbers: readonly bigint[];
  readonly node: bigint | null;
  readonly registeredNode: bigint | null;
  readonly contractCallResult: Uint8Array | null;
  readonly contractCreateResult: Uint8Array | null;
  readonly ethereumHash: Uint8Array | null;
  readonly random: { readonly bytes: Uint8Array } | { readonly number: number } | null;
  readonly evmAddress: Uint8Array | null;
  /** Serialized `PendingAirdropRecord`. */
  readonly pendingAirdrops: readonly Uint8Array[];
  /** Of the account that got a delegation. */
  readonly delegationNonce: bigint | null;
  /** Serialized `HookId` of the hook that ran as the contract. */
  readonly executedHook: Uint8Array | null;
}

/** Of a transaction whose result tells everything. */
export const NO_MEMBERS: RecordMembers = {
  account: null,
  file: null,
  contract: null,
  topic: null,
  topicSequenceNumber: null,
  topicRunningHash: null,
  token: null,
  newTotalSupply: null,
  schedule: null,
  scheduledTransaction: null,
  serialNumbers: [],
  node: null,
  registeredNode: null,
  contractCallResult: null,
  contractCreateResult: null,
  ethereumHash: null,
  random: null,
  evmAddress: null,
  pendingAirdrops: [],
  delegationNonce: null,
  executedHook: null,
};
