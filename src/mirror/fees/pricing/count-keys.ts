import type { KeyFields, KeyListFields } from '../decode/transaction-fields.ts';

/**
 * Counts the primitive keys of a key structure.
 *
 * ed25519, ECDSA secp256k1 and ECDSA 384 count 1 each; lists and threshold keys count all nested keys, whatever
 * the threshold; contract ids and RSA count 0, as does an absent key.
 *
 * @see contracts/fees-estimate.md section 4.1
 */
export function countKeys(...keys: readonly (KeyFields | undefined)[]): number {
  let count = 0;
  for (const key of keys) {
    if (key === undefined) continue;
    if (key.keyList !== undefined) count += countKeyList(key.keyList);
    else if (key.thresholdKey !== undefined) count += countKeyList(key.thresholdKey.keys);
    else if (key.ed25519 ?? key.ECDSASecp256k1 ?? key.ECDSA_384) count += 1;
  }
  return count;
}

/** Counts the primitive keys of a key list; 0 when it is absent or empty. */
export function countKeyList(list: KeyListFields | undefined): number {
  return countKeys(...(list?.keys ?? []));
}
