import { hasMetadataHash, splitTrailingAuxdata } from './auxdata/auxdata.ts';

/**
 * True when equal metadata hashes go with different optimised code: unrelated input files changed the code.
 *
 * @see contracts/verification-engine.md section 9.1
 */
export function hasExtraFileBug(
  recompiled: Uint8Array,
  onchain: Uint8Array,
  settings: Readonly<Record<string, unknown>>,
): boolean {
  const optimizer = settings['optimizer'];
  const isOptimised =
    typeof optimizer === 'object' &&
    optimizer !== null &&
    'enabled' in optimizer &&
    optimizer.enabled === true;
  if (
    !isOptimised ||
    Buffer.compare(recompiled, onchain) === 0 ||
    !isNear(recompiled.length, onchain.length)
  ) {
    return false;
  }
  const ours = splitTrailingAuxdata(recompiled);
  return ours !== null && hasSameMetadata(recompiled, onchain) && hasMetadataHash(ours.decoded);
}

/** True when both codes end with the same metadata, or with none, as by way of the IR below 0.8.6. */
export function hasSameMetadata(recompiled: Uint8Array, onchain: Uint8Array): boolean {
  return splitTrailingAuxdata(recompiled)?.value === splitTrailingAuxdata(onchain)?.value;
}

/** What only wraps or holds the code has the same end, and another length. */
function isNear(left: number, right: number): boolean {
  return 8 * Math.abs(left - right) <= Math.max(left, right);
}
