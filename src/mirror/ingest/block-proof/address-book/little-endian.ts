import { bytesToNumberLE, numberToBytesLE } from '@noble/curves/utils.js';
import { demand } from '../failed-check.ts';

/**
 * Reads a number below `limit`, lowest byte first.
 *
 * @throws FailedCheck `encoding` when it is not below: the same number would have a second form.
 */
export function readBelow(bytes: Uint8Array, limit: bigint, what: string): bigint {
  const value = bytesToNumberLE(bytes);
  demand(value < limit, 'encoding', `${what} is not below its limit`);
  return value;
}

/** 32 bytes, lowest first. */
export function toBytes32(value: bigint): Uint8Array {
  return numberToBytesLE(value, 32);
}
