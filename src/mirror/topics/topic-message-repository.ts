/** A message as the ledger stored it. */
export interface StoredMessage {
  readonly consensusTimestamp: bigint;
  readonly topic: bigint;
  readonly sequenceNumber: bigint;
  readonly payer: bigint;
  /** Null for a message in one piece. */
  readonly chunkNumber: bigint | null;
  readonly chunkTotal: bigint | null;
  /** Serialized `TransactionID` of the first piece. */
  readonly initialTransactionId: Uint8Array | null;
  readonly validStart: bigint | null;
  /** Null for 3. */
  readonly runningHashVersion: bigint | null;
  readonly runningHash: Uint8Array;
  readonly message: Uint8Array;
}

/** Bounds inclusive. */
interface Range {
  readonly lower: bigint;
  readonly upper: bigint;
  readonly excluded: ReadonlySet<bigint>;
}

/** Which messages of a topic a page shows. */
export interface MessageSelection {
  readonly topic: bigint;
  readonly numbers: Range;
  readonly times: Range;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

/** The read side of messages. The numbers of a topic ascend in the order of the chain, which times may leave. */
export interface TopicMessageRepository {
  /** In order of time. */
  page(selection: MessageSelection): Promise<readonly StoredMessage[]>;
  byNumber(topic: bigint, sequenceNumber: bigint): Promise<StoredMessage | null>;
  /** Null as well when the transaction of that time did not submit it. */
  atTime(consensusTimestamp: bigint): Promise<StoredMessage | null>;
}
