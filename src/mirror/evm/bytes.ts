const WORD = 32;

/** Bytes behind one more. */
export function prefixed(first: number, bytes: Uint8Array): Uint8Array {
  const all = new Uint8Array(1 + bytes.length);
  all[0] = first;
  all.set(bytes, 1);
  return all;
}

/** So many bytes, with zeros on the left; more stay as they are. */
export function padded(bytes: Uint8Array, length: number): Uint8Array {
  if (bytes.length >= length) return bytes;
  const all = new Uint8Array(length);
  all.set(bytes, length - bytes.length);
  return all;
}

/** The last 32 bytes, with zeros on the left: words are ordered as numbers. */
export function wordOf(bytes: Uint8Array): Uint8Array {
  return padded(bytes.subarray(-WORD), WORD);
}

/** Without zeros on the left, as networks write slots and their values; topics of one value are equal so. */
export function trimmed(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (start < bytes.length && bytes[start] === 0) start++;
  return start === 0 ? bytes : bytes.subarray(start);
}
