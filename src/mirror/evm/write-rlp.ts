import { pooledBytes } from '../../values/pooled-bytes.ts';

/** Bytes, or a list of items. */
export type RlpItem = Uint8Array | readonly RlpItem[];

/** The first byte of an item that is empty. */
const FIRST = { bytes: 0x80, list: 0xc0 };
/** The longest content whose length is told by the first byte. */
const SHORT = 55;
const BYTE = 256;

/** The bytes of an item. An import encodes all receipts, for which the codec in `rlp.ts` takes four times as long. */
export function encodeRlpItem(item: RlpItem): Uint8Array {
  const bytes = pooledBytes(encodedLength(item));
  writeBefore(bytes.length, item, bytes);
  return bytes;
}

export function isBytes(item: RlpItem): item is Uint8Array {
  return item instanceof Uint8Array;
}

/** Written from its end, so that the length of a list is known when its head is written. @returns where it begins */
function writeBefore(end: number, item: RlpItem, target: Uint8Array): number {
  if (isBytes(item)) {
    const start = end - item.length;
    target.set(item, start);
    return standsForItself(item) ? start : writeHead(start, FIRST.bytes, item.length, target);
  }
  let start = end;
  for (let at = item.length - 1; at >= 0; at--) start = writeBefore(start, item[at] ?? [], target);
  return writeHead(start, FIRST.list, end - start, target);
}

function writeHead(end: number, first: number, length: number, target: Uint8Array): number {
  const start = end - headLength(length);
  target[start] = first + (length > SHORT ? SHORT + end - start - 1 : length);
  for (let [at, rest] = [end - 1, length]; at > start; at--, rest = Math.floor(rest / BYTE)) {
    target[at] = rest % BYTE;
  }
  return start;
}

function encodedLength(item: RlpItem): number {
  if (isBytes(item)) return (standsForItself(item) ? 0 : headLength(item.length)) + item.length;
  let length = 0;
  for (const part of item) length += encodedLength(part);
  return headLength(length) + length;
}

/** The first byte, and the bytes of a length that does not fit into it. */
function headLength(length: number): number {
  let count = 1;
  if (length > SHORT) for (let rest = length; rest > 0; rest = Math.floor(rest / BYTE)) count++;
  return count;
}

function standsForItself(bytes: Uint8Array): boolean {
  return bytes.length === 1 && (bytes[0] ?? 0) < FIRST.bytes;
}
