import { pooledBytes } from '../../values/pooled-bytes.ts';

/** Bytes, or a list of items. */
export type RlpItem = Uint8Array | readonly RlpItem[];

/** The first byte of an item that is empty. */
const FIRST = { bytes: 0x80, list: 0xc0 };
/** The longest content whose length is told by the first byte. */
const SHORT = 55;
const BYTE = 256;
const INITIAL_CAPACITY = 4096;

/**
 * Writes RLP from its end to its beginning: what a list holds is written before its head, whose length it decides.
 *
 * An import encodes all receipts, for which the codec in `rlp.ts` takes many times as long.
 */
export class RlpWriter {
  #bytes = new Uint8Array(INITIAL_CAPACITY);
  #start = INITIAL_CAPACITY;

  /** How many bytes are written. */
  get length(): number {
    return this.#bytes.length - this.#start;
  }

  /** What is written, until the next byte is. */
  get written(): Uint8Array {
    return this.#bytes.subarray(this.#start);
  }

  clear(): void {
    this.#start = this.#bytes.length;
  }

  /** @param width zero bytes on the left make it so long */
  bytes(content: Uint8Array, width = content.length): void {
    const length = Math.max(content.length, width);
    this.#makeRoom(length);
    this.#start -= content.length;
    this.#bytes.set(content, this.#start);
    if (length > content.length) this.#bytes.fill(0, this.#start - length + content.length, this.#start);
    this.#start -= length - content.length;
    if (length !== 1 || (this.#bytes[this.#start] ?? 0) >= FIRST.bytes) this.#head(FIRST.bytes, length);
  }

  /** A whole number that is not negative, in the fewest bytes; 0 has none. */
  number(value: number): void {
    const before = this.length;
    for (let rest = value; rest > 0; rest = Math.floor(rest / BYTE)) this.byte(rest % BYTE);
    if (value === 0 || value >= FIRST.bytes) this.#head(FIRST.bytes, this.length - before);
  }

  /** As it is. */
  byte(value: number): void {
    this.#makeRoom(1);
    this.#bytes[--this.#start] = value;
  }

  /** Makes bytes of what was written since there were so many, more than one. */
  closeBytes(length: number): void {
    this.#head(FIRST.bytes, this.length - length);
  }

  /** Makes a list of it. */
  closeList(length: number): void {
    this.#head(FIRST.list, this.length - length);
  }

  #head(first: number, length: number): void {
    if (length <= SHORT) {
      this.byte(first + length);
      return;
    }
    const before = this.length;
    for (let rest = length; rest > 0; rest = Math.floor(rest / BYTE)) this.byte(rest % BYTE);
    this.byte(first + SHORT + this.length - before);
  }

  #makeRoom(length: number): void {
    if (length <= this.#start) return;
    const larger = new Uint8Array(2 * (this.#bytes.length + length));
    larger.set(this.written, larger.length - this.length);
    [this.#bytes, this.#start] = [larger, larger.length - this.length];
  }
}

/** Its memory is as large as the largest item so far. */
const itemWriter = new RlpWriter();

/** The bytes of an item. */
export function encodeRlpItem(item: RlpItem): Uint8Array {
  itemWriter.clear();
  write(item, itemWriter);
  const bytes = pooledBytes(itemWriter.length);
  bytes.set(itemWriter.written);
  return bytes;
}

function write(item: RlpItem, writer: RlpWriter): void {
  if (isBytes(item)) {
    writer.bytes(item);
    return;
  }
  const before = writer.length;
  for (let at = item.length - 1; at >= 0; at--) write(item[at] ?? [], writer);
  writer.closeList(before);
}

export function isBytes(item: RlpItem): item is Uint8Array {
  return item instanceof Uint8Array;
}
