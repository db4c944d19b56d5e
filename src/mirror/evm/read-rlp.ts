import { decodeRlp } from './rlp.ts';
import { encodeRlpItem, type RlpItem } from './write-rlp.ts';

/**
 * Reads the list that bytes begin with; what follows it is left alone, as networks do.
 *
 * @returns null unless they begin with a list, each part of which is encoded in the one form that RLP allows.
 */
export function readRlpList(bytes: Uint8Array): readonly RlpItem[] | null {
  const source = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const read = decodeRlp(source) as RlpItem;
    // The codec takes other forms too, and lists whose last item ends behind them.
    return isList(read) && beginsWith(source, encodeRlpItem(read)) ? read : null;
  } catch {
    // Whatever it throws, the bytes are not readable: it has several errors, and RangeError for lists in thousands of lists.
    return null;
  }
}

export function isList(item: RlpItem): item is readonly RlpItem[] {
  return Array.isArray(item);
}

function beginsWith(bytes: Uint8Array, beginning: Uint8Array): boolean {
  return (
    beginning.length <= bytes.length && Buffer.compare(bytes.subarray(0, beginning.length), beginning) === 0
  );
}
