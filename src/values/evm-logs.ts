import type { Hex } from './hex.ts';

/** Which logs of a chain are asked for. */
export interface LogQuery {
  /** Lower case; null: of all contracts. */
  readonly address: Hex | null;
  /** Block numbers, both included; null: the newest block. */
  readonly fromBlock: bigint | null;
  readonly toBlock: bigint | null;
  /** Four positions: the topic that a log has there, 32 bytes in lower case; null for any, also none. */
  readonly topics: readonly (Hex | null)[];
  /** How many of them, from the first one on. */
  readonly limit: number;
}

/** A log as EVM tools know it; null is what the chain does not tell. */
export interface EvmLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly blockNumber: bigint;
  readonly blockHash: Hex | null;
  /** Among those of its block. */
  readonly logIndex: bigint;
  readonly transactionHash: Hex | null;
  readonly transactionIndex: bigint | null;
}

/** A log with what its block and its transaction tell of it; null is what they do not. */
export interface DescribedLog extends EvmLog {
  /** Seconds since 1970. */
  readonly timeStamp: bigint | null;
  /** Of the smallest unit, such as wei. */
  readonly gasPrice: bigint | null;
  /** Of the transaction. */
  readonly gasUsed: bigint | null;
}

/** Where the logs of a chain are read. */
export interface LogSource<T extends EvmLog = EvmLog> {
  /** The first ones by block and index. */
  find(query: LogQuery, signal: AbortSignal): Promise<readonly T[]>;
  /** The same logs with what their blocks and transactions tell. */
  describe(logs: readonly T[], signal: AbortSignal): Promise<readonly DescribedLog[]>;
}

/** Below 0 when one log is before the other on the chain. */
export function compareLogs(one: EvmLog, other: EvmLog): number {
  const difference = one.blockNumber - other.blockNumber || one.logIndex - other.logIndex;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}
