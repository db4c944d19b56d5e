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

/**
 * Cuts a block signature into its parts, which its length tells.
 *
 * @returns a reason when it is of a form that cannot be checked.
 * @see contracts/streams.md section 18.2
 */
export function cutBlockSignature(bytes: Uint8Array): BlockSignature | string {
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

function unsupported(length: number): string {
  if (length === MOCK_BYTES)
    return 'the signature is the mock of a development network, which proves nothing';
  if (length === GENERATION_3_BYTES) return 'the signature is of generation 3, which cannot be checked yet';
  return `the signature has ${length} bytes, unlike any known form`;
}
