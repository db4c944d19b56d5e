import { checkResult } from '../block-proof/failed-check.ts';
import { cacheKey } from '../block-proof/proof-caches.ts';
import type { ProofQuestion, ProofTrust } from '../block-proof/proof-verdict.ts';
import { readBlockProof } from '../block-proof/read-block-proof.ts';

/** Equal for questions that have the same answer. */
export function questionKey({ blockNumber, proof, root, trust }: ProofQuestion): string {
  return cacheKey(blockNumber, root, proof, ...trustParts(trust));
}

/** Equal for proofs that share a signature, as state proofs of neighbouring blocks do: only one of them costs. */
export function signatureKey({ proof }: ProofQuestion): string {
  let key = '';
  checkResult(() => {
    const read = readBlockProof(proof);
    if (!('reason' in read)) key = cacheKey(read.blockSignature);
  });
  return key;
}

/**
 * The question in memory of its own.
 *
 * A message to a thread copies the whole memory that lies under a view, here a block.
 */
export function ownQuestion({ blockNumber, proof, root, trust }: ProofQuestion): ProofQuestion {
  const { knownKeys, leastGeneration, ledgerId, roster, wrapsKey } = trust;
  return {
    blockNumber,
    root: Uint8Array.from(root),
    proof: Uint8Array.from(proof),
    trust: {
      ledgerId: ledgerId && Uint8Array.from(ledgerId),
      wrapsKey: wrapsKey && Uint8Array.from(wrapsKey),
      roster:
        roster?.map(({ key, nodeId, weight }) => ({ key: Uint8Array.from(key), nodeId, weight })) ?? null,
      knownKeys: knownKeys.map((key) => Uint8Array.from(key)),
      leastGeneration,
    },
  };
}

function trustParts({ knownKeys, leastGeneration, ledgerId, roster, wrapsKey }: ProofTrust) {
  const absent = 'none';
  return [
    leastGeneration,
    ledgerId ?? absent,
    wrapsKey ?? absent,
    knownKeys.length,
    ...knownKeys,
    ...(roster?.flatMap(({ key, nodeId, weight }) => [key, nodeId, weight]) ?? [absent]),
  ];
}
