const VARINT = 0;
const LENGTH_DELIMITED = 2;
const MORE = 0x80;
const SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Writes the fields of a message one after the other, from bytes that were serialized before.
 *
 * What is copied keeps its original bytes, unknown members included. One writer makes many messages.
 */
export class WireWriter {
  #bytes: Uint8Array = new Uint8Array(256);
  #length = 0;

  /** A message, text or bytes; left out when it is null. */
  delimited(field: number, value: Uint8Array | null): this {
    if (value === null) return this;
    this.#room(value.length + 15);
    this.#varint(field * 8 + LENGTH_DELIMITED);
    this.#varint(value.length);
    this.#bytes.set(value, this.#length);
    this.#length += value.length;
    return this;
  }

  /** The bytes of a varint as they were read; left out when it is null. */
  rawVarint(field: number, value: Uint8Array | null): this {
    if (value === null) return this;
    this.#room(value.length + 5);
    this.#varint(field * 8 + VARINT);
    this.#bytes.set(value, this.#length);
    this.#length += value.length;
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
      for (; rest > 0x7fn; rest >>= 7n) this.#bytes[this.#length++] = Number(rest & 0x7fn) | MORE;
      this.#bytes[this.#length++] = Number(rest);
    }
    return this;
  }

  /** The message; the writer then begins the next one. */
  finish(): Uint8Array {
    const message = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return message;
  }

  #varint(value: number): void {
    let rest = value;
    while (rest > 0x7f) {
      this.#bytes[this.#length++] = (rest % 0x80) | MORE;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }

  #room(more: number): void {
    const wanted = this.#length + more;
    if (wanted <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(wanted, 2 * this.#bytes.length));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}
