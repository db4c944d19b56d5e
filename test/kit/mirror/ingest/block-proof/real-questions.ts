import type { ProofQuestion } from '../../../../../src/mirror/ingest/block-proof/proof-verdict.ts';
import { realBlock } from './real-blocks.ts';
import { realProof } from './real-proofs.ts';

/** The blocks of the sets that carry a proof. */
export const REAL_BLOCKS = [
  ['blocks-0.73', 0],
  ['blocks-0.73', 1],
  ['blocks-0.73', 2],
  ['blocks-0.78', 0],
  ['blocks-0.78', 1],
  ['blocks-0.78', 2],
] as const;

/** The proof of a real block, with the trust that its ledger published. */
export function realQuestion(set: 'blocks-0.73' | 'blocks-0.78', number: number): ProofQuestion {
  const { number: blockNumber, proof, root } = realBlock(set, number);
  const { ledgerId, roster, wrapsKey } = realProof(set);
  return {
    blockNumber,
    proof,
    root,
    trust: { ledgerId, roster, wrapsKey, knownKeys: [], leastGeneration: 1 },
  };
}
