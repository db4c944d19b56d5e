/** A topic as it is; null is what the imported ledger does not tell. Keys are serialized. */
export interface Topic {
  readonly topic: bigint;
  /** Empty for a topic that was created without the key. */
  readonly adminKey: Uint8Array | null;
  readonly submitKey: Uint8Array | null;
  readonly feeScheduleKey: Uint8Array | null;
  /** A serialized `KeyList`. */
  readonly feeExemptKeys: Uint8Array | null;
  readonly createdTimestamp: bigint | null;
  /** Since when its settings hold. */
  readonly changedTimestamp: bigint | null;
  readonly isDeleted: boolean | null;
  readonly memo: string | null;
  /** Seconds. */
  readonly autoRenewPeriod: bigint | null;
  readonly autoRenewAccount: bigint | null;
  /** The newest fees; null when none were told. */
  readonly fees: {
    readonly since: bigint /** JSON list as the answer shows it. */;
    readonly fixed: string;
  } | null;
}

/** The read side of topics. */
export interface TopicRepository {
  /** Null unless the ledger knows both the topic and its entity. */
  find(topic: bigint): Promise<Topic | null>;
}
