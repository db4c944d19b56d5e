import type { RosterEntry } from '../../items/ledger-publication.ts';

/** What a proof is checked against. */
export interface ProofTrust {
  /** 32 bytes; null where nobody told one. */
  readonly ledgerId: Uint8Array | null;
  /** Verification key of WRAPS proofs, 1768 bytes. */
  readonly wrapsKey: Uint8Array | null;
  /** The genesis roster; only the Schnorr form needs it. */
  readonly roster: readonly RosterEntry[] | null;
  /** Verification keys that verified blocks of the same chain told. */
  readonly knownKeys: readonly Uint8Array[];
  readonly leastGeneration: ProofGeneration;
}

/** Rules by which a proof was made; 3 cannot be checked yet. @see contracts/streams.md section 18.2 */
export type ProofGeneration = 1 | 2;

/** One proof of a block. */
export interface ProofQuestion {
  /** Of the block, 48 bytes, recomputed from its items. */
  readonly root: Uint8Array;
  /** Number of the block, which the proof repeats. */
  readonly blockNumber: bigint;
  /** A serialized BlockProof. */
  readonly proof: Uint8Array;
  readonly trust: ProofTrust;
}

/** The check that failed. @see contracts/streams.md section 18.8 */
export type ProofFailure =
  | 'threshold'
  | 'bls'
  | 'open_r'
  | 'open_r_omega'
  | 'key_identity'
  | 'degree'
  | 'sum_identity'
  | 'last_identity'
  | 'bit_identity'
  | 'end_identity'
  | 'encoding'
  | 'seats'
  | 'possession'
  | 'schnorr'
  | 'weight'
  | 'vk_hash'
  | 'ledger_id'
  | 'steps'
  | 'groth16'
  | 'kzg'
  | 'state_proof_shape'
  | 'state_proof_leaf';

/** What a proof turned out to be. */
export type ProofVerdict =
  | {
      readonly kind: 'holds';
      readonly generation: ProofGeneration;
      /** Who vouches for the verification key. */
      readonly keyBy: 'ledger-id' | 'chain' | 'pinned';
      readonly verificationKey: Uint8Array;
      /** The root that is signed: of the block, or the later one that a state proof leads to. */
      readonly signedRoot: Uint8Array;
    }
  | {
      readonly kind: 'uncheckable';
      readonly code: 'unsupported_proof' | 'missing_ledger_id';
      readonly reason: string;
      /** Whether an honest node may send it: a later release signs so, or what checks it is not known here. */
      readonly isNewer: boolean;
    }
  | { readonly kind: 'false'; readonly failure: ProofFailure; readonly reason: string };
