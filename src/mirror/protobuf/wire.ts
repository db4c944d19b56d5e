import { LedgerlensError } from '../../values/ledgerlens-error.ts';

/** One field of a serialized message, found without a schema. */
export interface WireField {
  readonly number: number;
  /** 0 varint, 1 eight bytes, 2 length-delimited, 5 four bytes. */
  readonly wireType: number;
  /** The original bytes of the value, without tag and length; a view, not a copy. */
  readonly bytes: Uint8Array;
}

const LENGTH_DELIMITED = 2;
/** Seven bits each; so many fit into a double. */
const EXACT_VARINT_BYTES = 7;
const MAX_FIELD_NUMBER = 0x1fff_ffff;

/**
 * Walks over the fields of a message in the order of its bytes, unknown ones included.
 *
 * @throws LedgerlensError `malformed` when the bytes are no protobuf message.
 */
export function wireFields(bytes: Uint8Array): readonly WireField[] {
  const fields: WireField[] = [];
  for (const walk = new FieldWalk(bytes); walk.next(); ) {
    fields.push({
      number: walk.number,
      wireType: walk.wireType,
      bytes: bytes.subarray(walk.start, walk.end),
    });
  }
  return fields;
}

/**
 * The same one by one: a block has hundreds of thousands of them.
 *
 * @throws LedgerlensError `malformed`, when it comes to the fault.
 */
export function* walkFields(bytes: Uint8Array): Generator<WireField, undefined> {
  for (const walk = new FieldWalk(bytes); walk.next(); ) {
    yield { number: walk.number, wireType: walk.wireType, bytes: bytes.subarray(walk.start, walk.end) };
  }
  return undefined;
}

/** The unsigned number that the value of a varint field tells, up to 64 bits. */
export function varintOf(bytes: Uint8Array): bigint {
  const value = bytes.reduceRight((sum, byte) => (sum << 7n) | BigInt(byte & 0x7f), 0n);
  return BigInt.asUintN(64, value);
}

/**
 * The bytes of the last length-delimited field with this number; null when there is none.
 *
 * @throws LedgerlensError `malformed` when the bytes are no protobuf message.
 */
export function rawField(bytes: Uint8Array, number: number): Uint8Array | null {
  // Walks are cheaper than lists of fields: an import asks for some members of every message.
  let [start, end] = [-1, -1];
  for (const walk = new FieldWalk(bytes); walk.next(); ) {
    if (walk.number === number && walk.wireType === LENGTH_DELIMITED) {
      start = walk.start;
      end = walk.end;
    }
  }
  return start < 0 ? null : bytes.subarray(start, end);
}

/**
 * Goes from field to field of a message; the members tell of the one it stands on.
 *
 * For hot code: it makes no object for a field, and a message inside another is walked by its bounds.
 */
export class FieldWalk {
  number = 0;
  wireType = 0;
  /** Of the value, without tag and length. */
  start = 0;
  end: number;
  readonly #bytes: Uint8Array;
  readonly #limit: number;

  constructor(bytes: Uint8Array, start = 0, end: number = bytes.length) {
    this.#bytes = bytes;
    this.end = start;
    this.#limit = end;
  }

  /** False after the last field. @throws LedgerlensError `malformed` */
  next(): boolean {
    if (this.end === this.#limit) return false;
    const tag = this.#varint();
    this.number = Math.floor(tag / 8);
    this.wireType = tag % 8;
    if (this.number < 1 || this.number > MAX_FIELD_NUMBER) throw malformed(`field number ${this.number}`);
    this.start = this.end;
    if (this.wireType === 0) this.#varint();
    else if (this.wireType === 1) this.end += 8;
    else if (this.wireType === 5) this.end += 4;
    else if (this.wireType === LENGTH_DELIMITED) {
      const length = this.#varint();
      this.start = this.end;
      this.end += length;
    } else throw malformed(`wire type ${this.wireType}`);
    if (this.end > this.#limit) throw malformed('a field is cut off');
    return true;
  }

  /** The bytes of the value; a view. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(this.start, this.end);
  }

  /** The value of a varint that a double holds, such as a number of an enumeration or an entity's number. */
  get int(): number {
    let value = 0;
    for (let index = this.end - 1; index >= this.start; index--) {
      value = value * 128 + ((this.#bytes[index] ?? 0) & 0x7f);
    }
    return value;
  }

  /** The value of a varint as int64. */
  get int64(): bigint {
    if (this.end - this.start <= EXACT_VARINT_BYTES) return BigInt(this.int);
    let value = 0n;
    for (let index = this.end - 1; index >= this.start; index--) {
      value = (value << 7n) | BigInt((this.#bytes[index] ?? 0) & 0x7f);
    }
    return BigInt.asIntN(64, value);
  }

  #varint(): number {
    let value = 0;
    let scale = 1;
    for (let index = 0; index < 10; index++) {
      const byte = this.#bytes[this.end++];
      if (byte === undefined) throw malformed('a field is cut off');
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
    throw malformed('a number has more than ten bytes');
  }
}

function malformed(reason: string): LedgerlensError {
  return new LedgerlensError('malformed', `not a protobuf message: ${reason}`);
}

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
