import { isCheckable } from '../block-proof/check-block-proof.ts';
import type { ProofFailure, ProofQuestion, ProofVerdict } from '../block-proof/proof-verdict.ts';
import { IngestError, type IngestErrorCode, inFile } from '../errors.ts';
import { type LedgerTrust, NO_LEDGER_TRUST } from '../units/ledger-trust.ts';
import type { ProvenLevel, UnitDemands, VerifyMode } from '../units/stream-unit.ts';
import { type TrustItem, tellsTrust, toldKeys, trustOfBlock } from './told-trust.ts';

/** Checks proofs, wherever that happens. */
export interface ProofCheck {
  check(question: ProofQuestion): Promise<ProofVerdict>;
}

/** What of the demands on a unit its proof has to meet. */
export type ProofDemands = Pick<UnitDemands, 'mayProveLater' | 'mode' | 'trust'>;

/** A block as far as the proof of its root needs it. */
export interface BlockToProve {
  /** For messages. */
  readonly name: string;
  readonly number: bigint;
  /** Recomputed from the items. */
  readonly root: Uint8Array;
  /** Serialized BlockProofs. */
  readonly proofs: readonly Uint8Array[];
  readonly items: readonly TrustItem[];
}

/** How far a block is proven, or how to find out. */
export interface ProvenBlock extends ProvenLevel {
  /** Checks the proofs; only there when they were left for later. */
  readonly proveLater?: () => Promise<ProvenLevel>;
}

const UNPROVEN = {
  level: 'chain',
  note: 'its proof is not checked yet',
  proof: { generation: null, keys: [], stateLedgerId: null },
} as const;

/**
 * Proves the root of a block as its mode demands: every proof of a known form has to hold.
 *
 * A block that may prove itself later does, unless later proofs rest on what it tells or its proof cannot be checked.
 *
 * @throws IngestError `bad_block_proof`, in mode `strict` also `unsupported_proof` and `missing_ledger_id`.
 * @see contracts/streams.md sections 9.2 and 18
 */
export async function proveBlock(
  block: BlockToProve,
  { mayProveLater = false, mode, trust = NO_LEDGER_TRUST }: ProofDemands,
  checker: ProofCheck,
): Promise<ProvenBlock> {
  if (mode === 'none' || mode === 'chain') return { level: mode, note: null, proof: null };
  const prove = () => checkProofs(block, trust, mode, checker);
  const canWait =
    mayProveLater &&
    block.proofs.every((proof) => isCheckable(proof, trust)) &&
    !inFile(block.name, () => tellsTrust(block.items));
  return canWait ? { ...UNPROVEN, proveLater: prove } : prove();
}

async function checkProofs(
  { items, name, number, proofs, root }: BlockToProve,
  known: LedgerTrust,
  mode: VerifyMode,
  checker: ProofCheck,
): Promise<ProvenLevel> {
  const trust = inFile(name, () => trustOfBlock(known, { items, number }));
  const verdicts = await Promise.all(
    proofs.map((proof) => checker.check({ root, blockNumber: number, proof, trust })),
  );
  const judged = bestOf(verdicts, trust, mode, name);
  const { keys, stateLedgerId } = inFile(name, () => toldKeys(items));
  const { isUncheckable, level, note, verdict } = judged;
  const held = verdict.kind === 'holds' ? verdict : null;
  return {
    level,
    note,
    isUncheckable,
    proof: {
      generation: held?.generation ?? null,
      // Keys that nobody proved would prove others. A copy: the key is a view of the whole block.
      keys: level === 'signatures' && held !== null ? [...keys, Uint8Array.from(held.verificationKey)] : [],
      stateLedgerId,
    },
  };
}

/** @throws IngestError when one is false, or all of them prove less than the mode demands. */
function bestOf(
  verdicts: readonly ProofVerdict[],
  trust: LedgerTrust,
  mode: UnitDemands['mode'],
  name: string,
): ProofLevel & { readonly verdict: ProofVerdict } {
  const wrong = verdicts.find(({ kind }) => kind === 'false');
  const [best] = wrong === undefined ? [...verdicts].sort((one, other) => rank(other) - rank(one)) : [wrong];
  if (best === undefined) throw new IngestError('malformed', `${name} has no proof`);
  return { ...proofLevel(best, trust, mode, name), verdict: best };
}

function rank(verdict: ProofVerdict): number {
  return verdict.kind === 'holds' ? verdict.generation : 0;
}

/** What a proof is worth. */
interface ProofLevel {
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
