import { demandSchnorrProof } from './address-book/check-schnorr-proof.ts';
import { demandWrapsProof } from './address-book/check-wraps-proof.ts';
import type { BlockSignature } from './block-signature.ts';
import { type CheckResult, checkResult } from './failed-check.ts';
import { cacheKey, type ProofCaches } from './proof-caches.ts';
import type { ProofGeneration, ProofTrust } from './proof-verdict.ts';

/** Whether the address book of a ledger vouches for the verification key of a signature. */
export type AddressBookCheck = (generation: ProofGeneration) => CheckResult;

/**
 * The check of an address book proof, made once for each key, proof and trust.
 *
 * @returns a reason when what it needs is not known.
 * @see contracts/streams.md sections 18.3, 18.6, 18.7
 */
export function addressBookCheck(
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
