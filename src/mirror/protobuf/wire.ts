import { LedgerlensError } from '../../values/ledgerlens-error.ts';

/** One field of a serialized message, found without a schema. */
export interface WireField {
  readonly number: number;
  /** 0 varint, 1 eight bytes, 2 length-delimited, 5 four bytes. */
  readonly wireType: number;
  /** The original bytes of the value, without tag and length; a view, not a copy. */
  readonly bytes: Uint8Array;
}

/** Members of `TransactionBody` that lie outside the oneof `data`. */
const COMMON_BODY_FIELDS: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 6, 73, 1001, 1002]);

const LENGTH_DELIMITED = 2;
const MAX_FIELD_NUMBER = 0x1fff_ffff;

/**
 * Walks over the fields of a message in the order of its bytes, unknown ones included.
 *
 * @throws LedgerlensError `malformed` when the bytes are no protobuf message.
 */
export function wireFields(bytes: Uint8Array): readonly WireField[] {
  const fields: WireField[] = [];
  walk(bytes, (number, wireType, start, end) => {
    fields.push({ number, wireType, bytes: bytes.subarray(start, end) });
  });
  return fields;
}

/**
 * The bytes of the last length-delimited field with this number; null when there is none.
 *
 * @throws LedgerlensError `malformed` when the bytes are no protobuf message.
 */
export function rawField(bytes: Uint8Array, number: number): Uint8Array | null {
  // Walks are cheaper than lists of fields: an import asks for some members of every message.
  let [from, to] = [-1, -1];
  walk(bytes, (found, wireType, start, end) => {
    if (found === number && wireType === LENGTH_DELIMITED) [from, to] = [start, end];
  });
  return from < 0 ? null : bytes.subarray(from, to);
}

/**
 * The field number of the oneof `data` in a `TransactionBody`, also of types this build does not know.
 *
 * @returns 0 when no member of the oneof is set.
 * @see contracts/streams.md section 6, row Type
 */
export function dataFieldNumber(body: Uint8Array): number {
  let data = 0;
  walk(body, (number) => {
    if (!COMMON_BODY_FIELDS.has(number)) data = number;
  });
  return data;
}

/** Tells number, wire type and place of the value of every field. */
function walk(
  bytes: Uint8Array,
  onField: (number: number, wireType: number, start: number, end: number) => void,
): void {
  let offset = 0;
  const varint = (): number => {
    const first = bytes[offset];
    if (first !== undefined && first < 0x80) {
      offset++;
      return first;
    }
    let value = 0;
    for (let index = 0; index < 10; index++) {
      const byte = bytes[offset++];
      if (byte === undefined) throw malformed('a field is cut off');
      value += (byte & 0x7f) * 2 ** (7 * index);
      if (byte < 0x80) return value;
    }
    throw malformed('a number has more than ten bytes');
  };
  while (offset < bytes.length) {
    const tag = varint();
    const number = Math.floor(tag / 8);
    const wireType = tag % 8;
    if (number < 1 || number > MAX_FIELD_NUMBER) throw malformed(`field number ${number}`);
    let start = offset;
    if (wireType === 0) varint();
    else if (wireType === 1) offset += 8;
    else if (wireType === 5) offset += 4;
    else if (wireType === LENGTH_DELIMITED) {
      const length = varint();
      start = offset;
      offset += length;
    } else throw malformed(`wire type ${wireType}`);
    if (offset > bytes.length) throw malformed('a field is cut off');
    onField(number, wireType, start, offset);
  }
}

function malformed(reason: string): LedgerlensError {
  return new LedgerlensError('malformed', `not a protobuf message: ${reason}`);
}
