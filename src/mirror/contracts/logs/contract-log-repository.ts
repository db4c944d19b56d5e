import type { Hex } from '../../../values/hex.ts';

/**
 * A log of a contract, or one that stands for an event of a token; null is what is not known. What is only shown is hex
 * already.
 */
export interface StoredLog {
  readonly consensusTimestamp: bigint;
  /** Among the logs of its time. */
  readonly index: bigint;
  readonly contract: bigint;
  readonly rootContract: bigint | null;
  readonly transactionIndex: bigint | null;
  /** 32 bytes. */
  readonly hash: Hex | null;
  readonly bloom: Uint8Array | null;
  readonly data: Hex | null;
  /** Four places; without leading zeros, null where there is no topic. */
  readonly topics: readonly (Hex | null)[];
  readonly isSynthetic: boolean;
}

/** Where a log stands. */
export interface LogPlace {
  readonly consensusTimestamp: bigint;
  readonly index: bigint;
}

/** Which logs a list shows. */
export interface LogSelection {
  /** Null for those of all contracts. */
  readonly contract: bigint | null;
  /** The first and the last place, both included. */
  readonly from: LogPlace;
  readonly to: LogPlace;
  /** Of each position the topics that a log may have there; null for any, also none. */
  readonly topics: readonly (ReadonlySet<bigint> | null)[];
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  /** A condition that fewer logs meet is searched by itself. Default 1000. */
  readonly fewRows?: number;
}

/** The read side of logs; hidden ones are nowhere. */
export interface ContractLogRepository {
  /** By time and index. */
  page(selection: LogSelection): Promise<readonly StoredLog[]>;
  /** Those of a time, by index. */
  at(time: bigint): Promise<readonly StoredLog[]>;
  /** Of each time the filters of its synthetic logs in one, 256 bytes; times without one are left out. */
  syntheticBlooms(times: readonly bigint[]): Promise<ReadonlyMap<bigint, Uint8Array>>;
  /**
   * The first transaction, in an order, that has a hash within times; else the first result, which may have an Ethereum
   * hash.
   *
   * @param hash 32 bytes, which are the beginning of the hash, or all 48
   */
  timeOfHash(
    hash: Uint8Array,
    times: { readonly lower: bigint; readonly upper: bigint },
    order: 'asc' | 'desc',
  ): Promise<bigint | null>;
}
