import type { EntityType } from './rows.ts';

/** An account or contract at its newest state; null is what the imported ledger does not tell. */
export interface EntityState {
  readonly id: bigint;
  readonly type: EntityType | null;
  readonly alias: Uint8Array | null;
  readonly evmAddress: Uint8Array | null;
  readonly createdTimestamp: bigint | null;
  /** Tinybars. */
  readonly balance: bigint | null;
  /** When the balance last changed. */
  readonly balanceTimestamp: bigint | null;
  /** Since when the settings hold. */
  readonly changedTimestamp: bigint | null;
  /** Serialized protobuf `Key`. */
  readonly key: Uint8Array | null;
  readonly memo: string | null;
  /** Seconds. */
  readonly autoRenewPeriod: bigint | null;
  readonly autoRenewAccount: bigint | null;
  readonly expiryTimestamp: bigint | null;
  readonly isDeleted: boolean | null;
  readonly isReceiverSigRequired: boolean | null;
  readonly maxAutomaticAssociations: bigint | null;
  readonly declinesReward: boolean | null;
  readonly stakedAccount: bigint | null;
  readonly stakedNode: bigint | null;
  /** Null as well when no node is staked to. */
  readonly stakePeriodStart: bigint | null;
  readonly ethereumNonce: bigint | null;
  readonly proxyAccount: bigint | null;
  readonly obtainer: bigint | null;
  readonly isPermanentRemoval: boolean | null;
}

/** Reads accounts and contracts. */
export interface EntityReader {
  /** Null when the ledger never named it; one that is only in transfers has a state of nulls. */
  find(id: bigint): Promise<EntityState | null>;
  /** The newest entity with this alias that is not known to be deleted: a serialized key or 20 bytes. */
  byAlias(alias: Uint8Array): Promise<bigint | null>;
}
