import { sameBytes } from '../sha384.ts';
import { demandSchnorrProof } from './address-book/check-schnorr-proof.ts';
import { demandWrapsProof } from './address-book/check-wraps-proof.ts';
import { type CheckResult, checkResult, FailedCheck } from './failed-check.ts';
import { checkHints, type RandomBytes } from './hints/check-hints.ts';
import { parseHintsKey } from './hints/hints-key.ts';
import { parseHintsSignature } from './hints/hints-signature.ts';
import { cacheKey, type ProofCaches } from './proof-caches.ts';
import type { ProofGeneration, ProofQuestion, ProofTrust, ProofVerdict } from './proof-verdict.ts';
import { type BlockSignature, cutBlockSignature, readBlockProof, signedRootOf } from './read-block-proof.ts';

/** What checking needs besides the question. */
export interface ProofParts {
  readonly caches: ProofCaches;
  /** Unpredictable to who makes proofs. */
  readonly randomBytes: RandomBytes;
}

/**
 * Checks one proof of a block: the root is that of the block or leads to the signed one, more than half of the weight
 * signed it, and the ledger vouches for the key.
 *
 * @see contracts/streams.md section 18
 */
export function checkBlockProof(question: ProofQuestion, parts: ProofParts): ProofVerdict {
  try {
    return verdictOn(question, parts);
  } catch (error) {
    if (!(error instanceof FailedCheck)) throw error;
    return { kind: 'false', failure: error.failure, reason: error.message };
  }
}

function verdictOn({ blockNumber, proof, root, trust }: ProofQuestion, parts: ProofParts): ProofVerdict {
  const read = readBlockProof(proof);
  if ('reason' in read) return { kind: 'uncheckable', code: 'unsupported_proof', ...read };
  if (read.blockNumber !== blockNumber) {
    throw new FailedCheck('encoding', `the proof is of block ${read.blockNumber}, not of ${blockNumber}`);
  }
  const signedRoot = Uint8Array.from(read.paths === null ? root : signedRootOf(read.paths, root));
  const signature = cutBlockSignature(read.blockSignature);
  if ('reason' in signature) return { kind: 'uncheckable', code: 'unsupported_proof', ...signature };
  // Who keeps it does not keep the block that it is a view of.
  const verificationKey = Uint8Array.from(signature.verificationKey);
  const thresholdCheck = (generation: ProofGeneration) =>
    checkThreshold(signature, signedRoot, generation, parts);
  const bookCheck = addressBookCheck(signature, trust, parts.caches);
  if (typeof bookCheck !== 'string') {
    const generation = demandVouched(generationsOf(trust), bookCheck, thresholdCheck);
    return { kind: 'holds', generation, keyBy: 'ledger-id', verificationKey, signedRoot };
  }
  if (!trust.knownKeys.some((key) => sameBytes(key, verificationKey))) {
    return { kind: 'uncheckable', code: 'missing_ledger_id', reason: bookCheck, isNewer: true };
  }
  const generation = demandFirst(generationsOf(trust), thresholdCheck);
  return { kind: 'holds', generation, keyBy: 'chain', verificationKey, signedRoot };
}

/** Newest first. */
function generationsOf({ leastGeneration }: ProofTrust): readonly ProofGeneration[] {
  return ([2, 1] as const).filter((generation) => generation >= leastGeneration);
}

/**
 * The generation by whose rules the address book vouches for the key: a proof of one is false by those of others. The
 * signature must hold by the same.
 *
 * @throws FailedCheck
 */
function demandVouched(
  generations: readonly ProofGeneration[],
  bookCheck: AddressBookCheck,
  thresholdCheck: (generation: ProofGeneration) => CheckResult,
): ProofGeneration {
  const vouched = generations.find((generation) => bookCheck(generation) === null);
  if (vouched !== undefined) return demandFirst([vouched], thresholdCheck);
  // Named by the generation of the signature, where that is known.
  const signed = generations.find((generation) => thresholdCheck(generation) === null);
  return demandFirst([signed ?? oldest(generations)], bookCheck);
}

/** The first generation by whose rules the check holds. @throws FailedCheck of the oldest when there is none. */
function demandFirst(
  generations: readonly ProofGeneration[],
  check: (generation: ProofGeneration) => CheckResult,
): ProofGeneration {
  const found = generations.find((generation) => check(generation) === null);
  if (found !== undefined) return found;
  const failed = check(oldest(generations));
  throw new FailedCheck(failed?.failure ?? 'encoding', failed?.reason ?? 'no generation is allowed');
}

function oldest(generations: readonly ProofGeneration[]): ProofGeneration {
  return generations.at(-1) ?? 2;
}

/** Checks a threshold signature once for each root: state proofs of several blocks share it. */
function checkThreshold(
  { threshold, verificationKey }: BlockSignature,
  root: Uint8Array,
  generation: ProofGeneration,
  { caches, randomBytes }: ProofParts,
): CheckResult {
  return caches.signatures.getOrMake(cacheKey(generation, verificationKey, threshold, root), () =>
    checkResult(() => {
      const key = caches.keys.getOrMake(cacheKey(verificationKey), () => parseHintsKey(verificationKey));
      checkHints(key, parseHintsSignature(threshold), root, generation, randomBytes);
    }),
  );
}

/** Whether the address book of a ledger vouches for the verification key of a signature. */
type AddressBookCheck = (generation: ProofGeneration) => CheckResult;

/**
 * The check of an address book proof, made once for each key, proof and trust.
 *
 * @returns a reason when what it needs is not known.
 * @see contracts/streams.md sections 18.3, 18.6, 18.7
 */
function addressBookCheck(
  { addressBook: { form, proof }, verificationKey }: BlockSignature,
  { ledgerId, roster, wrapsKey }: ProofTrust,
  caches: ProofCaches,
): AddressBookCheck | string {
  if (ledgerId === null) return 'no ledger id is known; set MIRROR_LEDGER_ID';
  if (form === 'schnorr') {
    if (roster === null) return 'the roster of the ledger id is not known';
    const seats = roster.flatMap(({ key, nodeId, weight }) => [key, nodeId, weight]);
    return (generation) =>
      caches.addressBooks.getOrMake(
        cacheKey(form, generation, verificationKey, proof, ledgerId, ...seats),
        () => checkResult(() => demandSchnorrProof({ generation, ledgerId, proof, roster, verificationKey })),
      );
  }
  if (wrapsKey === null) return 'the key of WRAPS proofs, published with the ledger id, is not known';
  return (generation) =>
    caches.addressBooks.getOrMake(
      cacheKey(form, generation, verificationKey, proof, ledgerId, wrapsKey),
      () => checkResult(() => demandWrapsProof({ generation, ledgerId, proof, verificationKey, wrapsKey })),
    );
}
