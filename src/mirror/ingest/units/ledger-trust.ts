import type { ProofTrust } from '../block-proof/proof-verdict.ts';

/** What the operator fixes about block proofs. @see contracts/streams.md sections 18.2 and 18.3 */
export interface ProofOptions {
  /** Hexadecimal; null: the one that verified units told. */
  readonly ledgerId: string | null;
  /** Least generation of a proof that is not refused. */
  readonly leastGeneration: 1 | 2;
  /** Whether a proof of generation 1 gives the level `signatures`. */
  readonly allowsGeneration1: boolean;
  /** While catching up, every how many blocks a proof is checked. */
  readonly every: number;
}

/** What the proofs of a ledger's blocks are checked with, and how much they may then prove. */
export interface LedgerTrust extends ProofTrust {
  /** Whether somebody other than the blocks themselves vouches for the ledger id. */
  readonly isPinned: boolean;
  /** Whether a proof of generation 1, which does not bind the weight of its signers, gives the level `signatures`. */
  readonly allowsGeneration1: boolean;
}

/** Of a ledger of which nothing is known. */
export const NO_LEDGER_TRUST: LedgerTrust = {
  ledgerId: null,
  wrapsKey: null,
  roster: null,
  knownKeys: [],
  leastGeneration: 1,
  isPinned: false,
  allowsGeneration1: false,
};
