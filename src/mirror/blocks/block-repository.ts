import type { IntegerSelection } from '../parameters/integer-range.ts';
import type { PageRequest } from '../parameters/page-parameters.ts';

/** A record file or block as the ledger stored it. */
export interface Block {
  readonly number: bigint;
  /** Where it stands among the units of the ledger, whose times may step back. */
  readonly place: bigint;
  /** Least and greatest consensus time. */
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
  /** Empty without receipts; null when it is not known. */
  readonly receiptsRoot: Uint8Array | null;
}

/** What the answers about a transaction show of its block. */
export type BlockHead = Pick<
  Block,
  'number' | 'place' | 'consensusStart' | 'consensusEnd' | 'count' | 'hash' | 'gasUsed'
>;

/** Conditions on the number and on the end of a block; bounds inclusive. */
export interface BlockSelection extends IntegerSelection, PageRequest {
  readonly lowerEnd: bigint;
  readonly upperEnd: bigint;
  /** Place of the only block that is asked for; null when none is named. */
  readonly only: bigint | null;
  readonly excludedEnds: ReadonlySet<bigint>;
}

/**
 * The read side of blocks; fixtures are none.
 *
 * A network that began anew counts from its first number again. Its older blocks are found by their hash, by a time
 * and by a number that the newer ones have not reached yet; pages show the newest numbering alone.
 */
export interface BlockRepository {
  /** In order of numbers. */
  page(selection: BlockSelection): Promise<readonly Block[]>;
  /** Place of the block with a transaction before and one after the time, or at it; null when there is none. */
  placeOfBlockAt(time: bigint): Promise<bigint | null>;
  /** The newest one with the number. */
  byNumber(number: bigint): Promise<Block | null>;
  /** @param hash 48 bytes, or the first 32 of them. */
  byHash(hash: Uint8Array): Promise<Block | null>;
  /** Of each time of a transaction the block that holds it; those of no block are left out. */
  holding(times: Iterable<bigint>): Promise<ReadonlyMap<bigint, BlockHead>>;
  /** What leaves of the times between its start and its end those of its own transactions. */
  ownTimes(block: BlockHead): Promise<Pick<IntegerSelection, 'equal' | 'excluded'>>;
}
