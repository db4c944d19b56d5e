import type { Compilation } from '../compile/compiler.ts';
import type { FoundPositions } from '../match/auxdata/auxdata-positions.ts';

/** A stored compilation as the comparison needs it. */
export interface StoredCompilation {
  readonly compilation: Compilation;
  readonly auxdata: FoundPositions;
}

/**
 * Finds stored compilations by runtime code.
 *
 * @see contracts/verification-engine.md section 12
 */
export interface CandidateRepository {
  /**
   * Lists compilations that may give the code, the likeliest first: those whose code differs in nothing but
   * places that may vary, then those that begin alike and have the same length, then those that begin alike; after
   * all of them those of Yul, in the same order.
   */
  find(runtime: Uint8Array, limit: number): Promise<readonly bigint[]>;
  read(compilationId: bigint): Promise<StoredCompilation>;
}
