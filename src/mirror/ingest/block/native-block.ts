import { IngestError } from '../errors.ts';
import { sha384 } from '../sha384.ts';
import { type ProofCheck, type ProofDemands, type ProvenBlock, proveBlock } from '../trust/prove-block.ts';
import type { BlockSource } from './block-source.ts';
import { EMPTY_TREE, leafHash, nodeHash, oneChildHash, rootOfLeaves } from './hash-tree.ts';
import { itemKind, type ParsedBlock, type Subtree } from './parse-block.ts';

/** How many places the tree under the root has: 8 in releases up to 0.73, else 16. */
type RootForm = 16 | 8;

/** The root of a block in each form that its items allow. */
export interface BlockRoots {
  readonly 16: Uint8Array;
  /** Null when it has items for which the smaller tree has no place. */
  readonly 8: Uint8Array | null;
}

const PLAIN: readonly Subtree[] = ['headers', 'input', 'output', 'state', 'trace'];
const EXTENSIONS: readonly Subtree[] = [0, 1, 2, 3, 4, 5, 6, 7];

/**
 * Recomputes the root over the items as they came.
 *
 * @see contracts/streams.md section 9.5
 */
export function blockRoots({ footer, header, items }: Omit<ParsedBlock, 'proofs'>): BlockRoots {
  const leaves = new Map<Subtree, Uint8Array[]>();
  for (const { field, leaf } of items) {
    const kind = itemKind(field);
    if (typeof kind === 'string') continue;
    const found = leaves.get(kind.subtree);
    if (found === undefined) leaves.set(kind.subtree, [leaf]);
    else found.push(leaf);
  }
  const rootOf = (subtree: Subtree): Uint8Array => {
    const found = leaves.get(subtree);
    return found === undefined ? EMPTY_TREE : rootOfLeaves(found);
  };
  const eight = joined([footer.previousRoot, footer.allBlocksRoot, footer.stateRoot, ...PLAIN.map(rootOf)]);
  const time = leafHash(header.timestampBytes);
  const hasExtensions = EXTENSIONS.some((subtree) => leaves.has(subtree));
  return {
    16: nodeHash(time, nodeHash(eight, joined(EXTENSIONS.map(rootOf)))),
    8: hasExtensions ? null : nodeHash(time, oneChildHash(eight)),
  };
}

/** Neighbours joined until one is left; the number of places is a power of two. */
function joined(places: readonly Uint8Array[]): Uint8Array {
  let level = places;
  while (level.length > 1) {
    const next: Uint8Array[] = [];
    for (let at = 0; at < level.length; at += 2) {
      next.push(nodeHash(level[at] ?? EMPTY_TREE, level[at + 1] ?? EMPTY_TREE));
    }
    level = next;
  }
  return level[0] ?? EMPTY_TREE;
}

/** A block whose root is the one that its proofs are about. */
interface ProvenRoot extends ProvenBlock {
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
function likelyForms(
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
