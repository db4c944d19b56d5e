const WORD = 32;

/** 32 bytes, with zeros on the left. */
export function word(bytes: Uint8Array): Uint8Array {
  if (bytes.length === WORD) return bytes;
  const padded = new Uint8Array(WORD);
  padded.set(bytes.subarray(0, WORD), Math.max(0, WORD - bytes.length));
  return padded;
}
