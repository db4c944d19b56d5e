import { HINTS_KEY_BYTES } from './hints/hints-key.ts';
import { HINTS_SIGNATURE_BYTES } from './hints/hints-signature.ts';

/** A signature of generations 1 and 2 in its three parts. */
export interface BlockSignature {
  readonly verificationKey: Uint8Array;
  readonly threshold: Uint8Array;
  readonly addressBook: { readonly form: 'schnorr' | 'wraps'; readonly proof: Uint8Array };
}

const [SCHNORR_BYTES, WRAPS_BYTES] = [192, 704];
const BEFORE_ADDRESS_BOOK = HINTS_KEY_BYTES + HINTS_SIGNATURE_BYTES;
const MOCK_BYTES = 48;
const GENERATION_3_BYTES = 13_712;

/** Why a proof cannot be checked. */
export interface Uncheckable {
  readonly reason: string;
  /** Whether a later release of the network may sign so. */
  readonly isNewer: boolean;
}

/**
 * Cuts a block signature into its parts, which its length tells.
 *
 * @see contracts/streams.md section 18.2
 */
export function cutBlockSignature(bytes: Uint8Array): BlockSignature | Uncheckable {
  const form = formOf(bytes.length - BEFORE_ADDRESS_BOOK);
  if (form === null) return unsupported(bytes.length);
  return {
    verificationKey: bytes.subarray(0, HINTS_KEY_BYTES),
    threshold: bytes.subarray(HINTS_KEY_BYTES, BEFORE_ADDRESS_BOOK),
    addressBook: { form, proof: bytes.subarray(BEFORE_ADDRESS_BOOK) },
  };
}

function formOf(length: number): 'schnorr' | 'wraps' | null {
  if (length === SCHNORR_BYTES) return 'schnorr';
  return length === WRAPS_BYTES ? 'wraps' : null;
}

function unsupported(length: number): Uncheckable {
  if (length === GENERATION_3_BYTES) {
    return { reason: 'the signature is of generation 3, which cannot be checked yet', isNewer: true };
  }
  const reason =
    length === MOCK_BYTES
      ? 'the signature is the mock of a development network, which proves nothing'
      : `the signature has ${length} bytes, unlike any known form`;
  return { reason, isNewer: false };
}
