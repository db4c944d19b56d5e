/** Kinds of signatures by their field number in `SignaturePair`. */
const KINDS: ReadonlyMap<number, string> = new Map([
  [2, 'CONTRACT'],
  [3, 'ED25519'],
  [4, 'RSA_3072'],
  [5, 'ECDSA_384'],
  [6, 'ECDSA_SECP256K1'],
]);
const UNKNOWN = 'UNKNOWN';

/** The name of a kind as answers show it. @see contracts/mirror-entities.md section 9.2 */
export function signatureKindName(type: number): string {
  return KINDS.get(type) ?? UNKNOWN;
}

/** The number of a kind, 0 for the unknown one; null for another text. */
export function signatureKind(name: string): number | null {
  if (name === UNKNOWN) return 0;
  return [...KINDS].find(([, each]) => each === name)?.[0] ?? null;
}
