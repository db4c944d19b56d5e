import { IngestError } from '../errors.ts';
import { type ProofCheck, type ProofDemands, type ProvenBlock, proveBlock } from '../trust/prove-block.ts';
import type { BlockRoots } from './block-root.ts';
import type { BlockSource } from './block-source.ts';
import type { ParsedBlock } from './parsed-block.ts';
import { type KnownForm, likelyForms } from './root-form.ts';

/** A block whose root is the one that its proofs are about. */
export interface ProvenRoot extends ProvenBlock {
  readonly root: Uint8Array;
}

/**
 * Finds the root of a native block: the form for which its proofs hold, or the likely one where nobody can tell.
 *
 * @throws IngestError `bad_block_proof`, in mode `strict` also `unsupported_proof` and `missing_ledger_id`.
 * @see contracts/streams.md sections 9.5 and 18
 */
export async function proveRoot(
  block: ParsedBlock,
  roots: BlockRoots,
  { path }: Pick<BlockSource, 'path'>,
  demands: ProofDemands,
  parts: { readonly proofs: ProofCheck; readonly known: KnownForm },
): Promise<ProvenRoot> {
  const { header, items, proofs } = block;
  // Only a proof tells the form of the first root.
  const mayProveLater = (demands.mayProveLater ?? false) && parts.known.form !== null;
  /** Its root may be of the other form: read again, it proves itself in both. */
  const forgetForm = (error: unknown): never => {
    parts.known.form = null;
    throw error;
  };
  let failure: unknown = null;
  for (const form of likelyForms(block, roots, parts.known.form)) {
    const root = roots[form];
    if (root === null) continue;
    try {
      const proven = await proveBlock(
        { name: path, number: header.number, root, proofs, items },
        { ...demands, mayProveLater },
        parts.proofs,
      );
      parts.known.form = form;
      const { proveLater } = proven;
      return proveLater === undefined
        ? { ...proven, root }
        : { ...proven, root, proveLater: () => proveLater().catch(forgetForm) };
    } catch (error) {
      if (!(error instanceof IngestError) || error.code !== 'bad_block_proof') throw error;
      failure ??= error;
    }
  }
  throw failure;
}
