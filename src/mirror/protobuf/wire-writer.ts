const VARINT = 0;
const LENGTH_DELIMITED = 2;
const MORE = 0x80;
const SAFE = BigInt(Number.MAX_SAFE_INTEGER);
const FIRST_CHUNK_BYTES = 256;
const MAX_CHUNK_BYTES = 65_536;

/**
 * Writes the fields of a message one after the other, from bytes that were serialized before.
 *
 * What is copied keeps its original bytes, unknown members included. One writer makes many messages, which share
 * chunks of memory: one for each message would cost more than writing it.
 */
export class WireWriter {
  #bytes: Uint8Array = new Uint8Array(FIRST_CHUNK_BYTES);
  /** Where the message begins. */
  #start = 0;
  /** Where the next field begins. */
  #end = 0;

  /** A message, text or bytes; left out when it is null. */
  delimited(field: number, value: Uint8Array | null): this {
    if (value === null) return this;
    this.#room(value.length + 15);
    this.#varint(field * 8 + LENGTH_DELIMITED);
    this.#varint(value.length);
    this.#bytes.set(value, this.#end);
    this.#end += value.length;
    return this;
  }

  /** The bytes of a varint as they were read; left out when it is null. */
  rawVarint(field: number, value: Uint8Array | null): this {
    if (value === null) return this;
    this.#room(value.length + 5);
    this.#varint(field * 8 + VARINT);
    this.#bytes.set(value, this.#end);
    this.#end += value.length;
    return this;
  }

  /** A number of 64 bits at most; left out when it is null or the default 0. */
  varint(field: number, value: bigint | number | null): this {
    if (value === null || value === 0 || value === 0n) return this;
    return this.setVarint(field, value);
  }

  /** A number of 64 bits at most, also 0: for members of a oneof. */
  setVarint(field: number, value: bigint | number): this {
    this.#room(15);
    this.#varint(field * 8 + VARINT);
    const unsigned = BigInt.asUintN(64, BigInt(value));
    if (unsigned <= SAFE) this.#varint(Number(unsigned));
    else {
      let rest = unsigned;
      for (; rest > 0x7fn; rest >>= 7n) this.#bytes[this.#end++] = Number(rest & 0x7fn) | MORE;
      this.#bytes[this.#end++] = Number(rest);
    }
    return this;
  }

  /** The message, a view; the writer then begins the next one. */
  finish(): Uint8Array {
    const message = this.#bytes.subarray(this.#start, this.#end);
    this.#start = this.#end;
    return message;
  }

  #varint(value: number): void {
    let rest = value;
    while (rest > 0x7f) {
      this.#bytes[this.#end++] = (rest % 0x80) | MORE;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#end++] = rest;
  }

  #room(more: number): void {
    if (this.#end + more <= this.#bytes.length) return;
    const begun = this.#bytes.subarray(this.#start, this.#end);
    const chunk = Math.min(2 * this.#bytes.length, MAX_CHUNK_BYTES);
    this.#bytes = new Uint8Array(Math.max(2 * (begun.length + more), chunk));
    this.#bytes.set(begun);
    this.#start = 0;
    this.#end = begun.length;
  }
}
