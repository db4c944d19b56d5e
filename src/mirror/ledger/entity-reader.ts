import type { EntityType } from './rows.ts';

/** An entity as it is, or as it was for a time; null is what the imported ledger does not tell. */
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
  /** When they held no longer; null for those that hold. */
  readonly heldUntil: bigint | null;
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
  /** 20 bytes. */
  readonly delegationAddress: Uint8Array | null;
}

/** Selects whether an entity is deleted: what was created here and not deleted is there. */
export const deletedOf = (deleted: string, created: string) =>
  `coalesce(${deleted}, case when ${created} is not null then 0 end) as deleted`;

/** When an entity was as it was: any time within the bounds, both inclusive, and at none of the others. */
export interface EntityTimes {
  readonly lower: bigint;
  readonly upper: bigint;
  readonly excluded: readonly bigint[];
}

/** Reads entities. */
export interface EntityReader {
  /** Null when the ledger never named it; one that is only in transfers has a state of nulls. */
  find(id: bigint): Promise<EntityState | null>;
  /** The same of each; those that the ledger never named are left out. */
  findEach(ids: readonly bigint[]): Promise<ReadonlyMap<bigint, EntityState>>;
  /**
   * The newest state that held at such a time; null when there was none. The balance of a former state is that at its
   * end.
   */
  findAt(id: bigint, times: EntityTimes): Promise<EntityState | null>;
  /** The newest entity with this alias that is not known to be deleted: a serialized key or 20 bytes. */
  byAlias(alias: Uint8Array): Promise<bigint | null>;
}
