import type { UnitHeader } from './rows.ts';

/**
 * True for a record file or block that does not follow the last one: units in between are missing, or the network began anew.
 *
 * @param expected hash of the last record file or block; null before the first
 */
export function isJump({ kind, previousHash }: UnitHeader, expected: Uint8Array | null): boolean {
  return kind !== 'fixture' && expected !== null && Buffer.compare(expected, previousHash) !== 0;
}
