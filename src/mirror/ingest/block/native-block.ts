import type { VerificationLevel } from '../../ledger/rows.ts';
import { IngestError } from '../errors.ts';
import type { UnitDemands } from '../units/stream-unit.ts';
import { blockRoots } from './block-root.ts';
import type { BlockSource } from './block-source.ts';
import type { ParsedBlock } from './parsed-block.ts';
import { type KnownForm, likelyForms } from './root-form.ts';

/** One proof of a block, to be checked. */
export interface RootProof {
  readonly root: Uint8Array;
  readonly blockNumber: bigint;
  /** A serialized `BlockProof`. */
  readonly proof: Uint8Array;
  /** For errors. */
  readonly path: string;
}

/**
 * Tells what a proof is worth.
 *
 * @throws IngestError `bad_block_proof`; in mode `strict` also `unsupported_proof` and `missing_ledger_id`.
 */
export type CheckProof = (proof: RootProof, demands: UnitDemands) => Promise<'signatures' | 'chain'>;

/** The root of a native block, and how far it is proven. */
export interface ProvenRoot {
  readonly root: Uint8Array;
  readonly verification: VerificationLevel;
}

/**
 * Finds the root of a native block: every proof of a known form must hold for it.
 *
 * @throws IngestError what {@link CheckProof} throws.
 * @see contracts/streams.md sections 9.5 and 18
 */
export async function proveRoot(
  block: ParsedBlock,
  source: BlockSource,
  demands: UnitDemands,
  parts: { readonly checkProof: CheckProof; readonly known: KnownForm },
): Promise<ProvenRoot> {
  const roots = blockRoots(block);
  const forms = likelyForms(block, roots, parts.known.form);
  let failure: unknown = null;
  for (const form of forms) {
    const root = roots[form];
    if (root === null) continue;
    try {
      const verification = await levelOf(root, block, source, demands, parts.checkProof);
      parts.known.form = form;
      return { root, verification };
    } catch (error) {
      if (!(error instanceof IngestError) || error.code !== 'bad_block_proof') throw error;
      failure ??= error;
    }
  }
  throw failure;
}

async function levelOf(
  root: Uint8Array,
  { header, proofs }: ParsedBlock,
  { path }: BlockSource,
  demands: UnitDemands,
  checkProof: CheckProof,
): Promise<VerificationLevel> {
  if (demands.mode === 'none' || demands.mode === 'chain') return demands.mode;
  const levels: VerificationLevel[] = [];
  for (const proof of proofs) {
    levels.push(await checkProof({ root, blockNumber: header.number, proof, path }, demands));
  }
  return levels.includes('signatures') ? 'signatures' : 'chain';
}
