import type { UnitProof } from '../../ledger/facets/block-proofs.ts';
import type { VerificationLevel } from '../../ledger/rows.ts';
import type { ProofQuestion, ProofVerdict } from '../block-proof/proof-verdict.ts';
import { IngestError } from '../errors.ts';
import { type LedgerTrust, NO_LEDGER_TRUST } from '../units/ledger-trust.ts';
import type { UnitDemands } from '../units/stream-unit.ts';
import { type ProofLevel, proofLevel } from './proof-level.ts';
import { type TrustItem, toldKeys, trustOfBlock } from './told-trust.ts';

/** Checks proofs, wherever that happens. */
export interface ProofCheck {
  check(question: ProofQuestion): Promise<ProofVerdict>;
}

/** A native block as far as its proof needs it. */
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

/** How far a block is proven. */
export interface ProvenBlock {
  readonly level: VerificationLevel;
  /** In words what the proof showed; null where the mode asks for none. */
  readonly note: string | null;
  /** For the proofs of later blocks; null where the mode asks for none. */
  readonly proof: UnitProof | null;
}

/**
 * Proves a native block as its mode demands: every proof of a known form has to hold.
 *
 * @throws IngestError `bad_block_proof`, in mode `strict` also `unsupported_proof` and `missing_ledger_id`.
 * @see contracts/streams.md sections 9.2 and 18
 */
export async function proveBlock(
  { items, name, number, proofs, root }: BlockToProve,
  { mode, trust: known = NO_LEDGER_TRUST }: Pick<UnitDemands, 'mode' | 'trust'>,
  checker: ProofCheck,
): Promise<ProvenBlock> {
  if (mode === 'none' || mode === 'chain') return { level: mode, note: null, proof: null };
  const trust = trustOfBlock(known, items);
  const verdicts = await Promise.all(
    proofs.map((proof) => checker.check({ root, blockNumber: number, proof, trust })),
  );
  const judged = bestOf(verdicts, trust, mode, name);
  const { keys, stateLedgerId } = toldKeys(items);
  const { level, note, verdict } = judged;
  const held = verdict.kind === 'holds' ? verdict : null;
  return {
    level,
    note,
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
