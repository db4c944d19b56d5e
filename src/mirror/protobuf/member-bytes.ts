const NO_BYTES = new Uint8Array();

/**
 * A member of a decoded message as a view of the message: an import reads millions, and a copy of more than 64 bytes has memory
 * of its own.
 *
 * @param given an absent member need not be an array of bytes
 */
export function memberBytes(given: ArrayLike<number>): Uint8Array {
  if (!(given instanceof Uint8Array)) return NO_BYTES;
  return new Uint8Array(given.buffer, given.byteOffset, given.byteLength);
}
