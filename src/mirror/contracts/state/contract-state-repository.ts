import type { IntegerRange } from '../../parameters/integer-range.ts';
import type { PageRequest } from '../../parameters/page-parameters.ts';

/** A slot of a contract with its value. */
export interface SlotValue {
  /** 32 bytes. */
  readonly slot: Uint8Array;
  /** Up to 32 bytes. */
  readonly value: Uint8Array;
  /** When it got the value. */
  readonly consensusTimestamp: bigint;
}

/** Bounds inclusive; slots have 32 bytes. */
export interface SlotSelection extends PageRequest {
  readonly contract: bigint;
  readonly lower: Uint8Array;
  readonly upper: Uint8Array;
  /** Only these; null for all between the bounds. */
  readonly equal: readonly Uint8Array[] | null;
  /** The newest change within these times; null for the slots as they are. */
  readonly times: IntegerRange | null;
}
