import type { ProofFailure, ProofVerdict } from '../block-proof/proof-verdict.ts';
import { IngestError, type IngestErrorCode } from '../errors.ts';
import type { LedgerTrust } from '../units/ledger-trust.ts';
import type { VerifyMode } from '../units/stream-unit.ts';

/** What a proof is worth. */
export interface ProofLevel {
  readonly level: 'signatures' | 'chain';
  /** In words what it showed, and why it proves no more. */
  readonly note: string;
  /** Whether nothing of it could be checked although the ledger id is pinned. */
  readonly isUncheckable: boolean;
}

/**
 * How far a block is proven, given what its proof turned out to be.
 *
 * A proof that cannot be checked, or that rests on what nobody vouches for, leaves the chain of hashes; in mode `strict`
 * the block is refused. A false proof refuses the block in either mode, and where the ledger id is pinned so does one
 * that proves nothing and that no later release would make: it would take the place of the true block.
 *
 * @param name of the block, for messages
 * @throws IngestError `bad_block_proof`, in mode `strict` also `unsupported_proof` and `missing_ledger_id`.
 * @see docs/adr/0022-block-proofs.md, contracts/streams.md sections 15, 18.2 and 18.3
 */
export function proofLevel(
  verdict: ProofVerdict,
  trust: Pick<LedgerTrust, 'isPinned' | 'allowsGeneration1'>,
  mode: VerifyMode,
  name: string,
): ProofLevel {
  if (verdict.kind === 'false') {
    throw badProof(name, verdict.failure, verdict.reason);
  }
  const chainOnly = (code: IngestErrorCode, note: string): ProofLevel => {
    if (mode === 'strict') {
      throw new IngestError(
        code,
        `${name} is not proven: ${note}; MIRROR_VERIFY=signatures accepts it as chain`,
      );
    }
    return { level: 'chain', note, isUncheckable: trust.isPinned && verdict.kind === 'uncheckable' };
  };
  if (verdict.kind === 'uncheckable') {
    if (trust.isPinned && !verdict.isNewer) throw badProof(name, 'encoding', verdict.reason);
    return chainOnly(verdict.code, verdict.reason);
  }
  const generation = `generation ${verdict.generation}`;
  if (!trust.isPinned) {
    return chainOnly('missing_ledger_id', `${generation}, ledger id not pinned (MIRROR_LEDGER_ID)`);
  }
  if (verdict.generation === 1 && !trust.allowsGeneration1) {
    return chainOnly('unsupported_proof', `${generation}, not allowed (MIRROR_PROOF_GENERATION=1)`);
  }
  const note = generation + (verdict.keyBy === 'chain' ? ', key by chain' : '');
  return { level: 'signatures', note, isUncheckable: false };
}

function badProof(name: string, failure: ProofFailure, reason: string): IngestError {
  return new IngestError('bad_block_proof', `The proof of ${name} is invalid (${failure}): ${reason}`);
}
