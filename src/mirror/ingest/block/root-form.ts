import { sha384 } from '../sha384.ts';
import type { BlockRoots, RootForm } from './block-root.ts';
import type { ParsedBlock } from './parsed-block.ts';

/** The form in which the last block of a stream was proven; shared by the blocks of one source. */
export interface KnownForm {
  form: RootForm | null;
}

/** The last release that is known to have the smaller tree. */
const LAST_SMALL = { major: 0, minor: 73 };

/**
 * The forms that a root may have, the likely one first: what the proof names, else that of the block before, else
 * that of the release.
 *
 * Only the proof, or the footer of the next block, decides.
 *
 * @see contracts/streams.md section 9.5
 */
export function likelyForms(
  { header, proofs }: Pick<ParsedBlock, 'header' | 'proofs'>,
  roots: BlockRoots,
  known: RootForm | null,
): readonly RootForm[] {
  if (roots[8] === null) return [16];
  const first = namedForm(proofs, roots) ?? known ?? formOfRelease(header);
  return first === 16 ? [16, 8] : [8, 16];
}

/** An indirect proof holds the root itself, that of a development network its hash. */
function namedForm(proofs: readonly Uint8Array[], roots: BlockRoots): RootForm | null {
  const names = (root: Uint8Array | null): boolean =>
    root !== null &&
    proofs.some((proof) => {
      const bytes = Buffer.from(proof.buffer, proof.byteOffset, proof.length);
      return [root, sha384(root)].some((hash) => bytes.includes(Buffer.from(hash)));
    });
  return names(roots[16]) ? 16 : names(roots[8]) ? 8 : null;
}

function formOfRelease({ hapiVersion: { major, minor } }: ParsedBlock['header']): RootForm {
  return major === LAST_SMALL.major && minor <= LAST_SMALL.minor ? 8 : 16;
}
