/** A record file or block as the ledger stored it. */
export interface Block {
  readonly number: bigint;
  /** Consensus times of the first and last transaction. */
  readonly consensusStart: bigint;
  readonly consensusEnd: bigint;
  readonly name: string;
  readonly hapiVersion: string | null;
  readonly hash: Uint8Array;
  readonly previousHash: Uint8Array;
  readonly count: bigint;
  /** Bytes as read. */
  readonly size: bigint;
  /** Null when the source did not tell. */
  readonly gasUsed: bigint | null;
  /** Empty without logs; null when the source did not tell. */
  readonly logsBloom: Uint8Array | null;
}

/** What the answers about a transaction show of its block. */
export type BlockHead = Pick<Block, 'number' | 'consensusStart' | 'consensusEnd' | 'hash' | 'gasUsed'>;

/** Conditions on the number and on the end of a block; bounds inclusive. */
export interface BlockSelection {
  readonly lower: bigint;
  readonly upper: bigint;
  readonly equal: ReadonlySet<bigint> | null;
  readonly excluded: ReadonlySet<bigint>;
  readonly lowerEnd: bigint;
  readonly upperEnd: bigint;
  /** End of the only block that is asked for; null when none is named. */
  readonly onlyEnd: bigint | null;
  readonly excludedEnds: ReadonlySet<bigint>;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

/**
 * The read side of blocks; fixtures are none.
 *
 * A network that began anew counts from its first number again. Its older blocks are found by their hash, by a time
 * and by a number that the newer ones have not reached yet; pages show the newest numbering alone.
 */
export interface BlockRepository {
  /** In order of numbers, which is that of time in one numbering. */
  page(selection: BlockSelection): Promise<readonly Block[]>;
  /** End of the block with a transaction before and one after the time, or at it; null when there is none. */
  endOfBlockAt(time: bigint): Promise<bigint | null>;
  /** The newest one with the number. */
  byNumber(number: bigint): Promise<Block | null>;
  /** @param hash 48 bytes, or the first 32 of them. */
  byHash(hash: Uint8Array): Promise<Block | null>;
  /** Of each time the first block that ends at it or after it; times without one are left out. */
  endingAtOrAfter(times: Iterable<bigint>): Promise<ReadonlyMap<bigint, BlockHead>>;
}
