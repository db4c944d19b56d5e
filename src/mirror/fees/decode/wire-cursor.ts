import { LedgerlensError } from '../../../values/ledgerlens-error.ts';

/** The wire types of protobuf; 3 and 4 enclose groups, which only unknown fields may still be. */
export const WIRE = {
  varint: 0,
  fixed64: 1,
  delimited: 2,
  groupStart: 3,
  groupEnd: 4,
  fixed32: 5,
} as const;

/** A reading position in bytes; nothing is read at or after `end`. */
export interface Cursor {
  readonly bytes: Uint8Array;
  at: number;
  end: number;
}

const MAX_GROUP_DEPTH = 100;
const MAX_VARINT_BYTES = 10;

/** Reads a field tag: `number << 3 | wire type`, unsigned 32 bits; field number 0 is refused. */
export function readTag(cursor: Cursor): number {
  const tag = readShortVarint(cursor) ?? Number(BigInt.asUintN(32, readVarint64(cursor)));
  if (tag >>> 3 === 0) throw malformed('field number 0');
  return tag;
}

/** Reads the length of a delimited field; never more than what is left. */
export function readLength(cursor: Cursor): number {
  // Rounding of numbers beyond 2^53 does not matter: no input is that long.
  const length = readShortVarint(cursor) ?? Number(readVarint64(cursor));
  if (length > cursor.end - cursor.at) throw malformed('a length goes beyond the end');
  return length;
}

/** Nearly all tags and lengths have one or two bytes, for which a bigint is not worth making; null for others. */
function readShortVarint(cursor: Cursor): number | null {
  const { bytes, at, end } = cursor;
  if (end - at < 2) return null;
  const low = bytes[at] ?? 0;
  if (low < 0x80) {
    cursor.at = at + 1;
    return low;
  }
  const high = bytes[at + 1] ?? 0;
  if (high >= 0x80) return null;
  cursor.at = at + 2;
  return (low & 0x7f) | (high << 7);
}

/** Reads a base-128 number of at most ten bytes, unsigned; bits beyond 64 are dropped. */
export function readVarint64(cursor: Cursor): bigint {
  const { bytes, end } = cursor;
  let small = 0;
  let factor = 1;
  // Seven groups fit a double exactly; hardly any number on the wire is longer.
  for (let group = 0; group < 7; group += 1) {
    if (cursor.at >= end) throw malformed('the bytes end inside a number');
    const byte = bytes[cursor.at] ?? 0;
    cursor.at += 1;
    small += (byte & 0x7f) * factor;
    if (byte < 0x80) return BigInt(small);
    factor *= 128;
  }
  let value = BigInt(small);
  for (let shift = 49n; shift < 70n; shift += 7n) {
    if (cursor.at >= end) throw malformed('the bytes end inside a number');
    const byte = bytes[cursor.at] ?? 0;
    cursor.at += 1;
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return BigInt.asUintN(64, value);
  }
  throw malformed('a number has more than ten bytes');
}

/** Moves past a number that {@link readVarint64} would read. */
export function skipVarint(cursor: Cursor): void {
  const { bytes, end } = cursor;
  const limit = Math.min(end, cursor.at + MAX_VARINT_BYTES);
  for (let at = cursor.at; at < limit; at += 1) {
    if ((bytes[at] ?? 0) < 0x80) {
      cursor.at = at + 1;
      return;
    }
  }
  throw malformed(limit === end ? 'the bytes end inside a number' : 'a number has more than ten bytes');
}

/** Moves on by `count` bytes. */
export function skipBytes(cursor: Cursor, count: number): void {
  if (count > cursor.end - cursor.at) throw malformed('the bytes end inside a field');
  cursor.at += count;
}

/** Moves past the value of an unknown field whose tag was just read. */
export function skipField(cursor: Cursor, tag: number, depth: number): void {
  const wireType = tag & 7;
  if (wireType === WIRE.varint) skipVarint(cursor);
  else if (wireType === WIRE.fixed64) skipBytes(cursor, 8);
  else if (wireType === WIRE.delimited) skipBytes(cursor, readLength(cursor));
  else if (wireType === WIRE.fixed32) skipBytes(cursor, 4);
  else if (wireType === WIRE.groupStart) skipGroup(cursor, tag >>> 3, depth + 1);
  else throw malformed(`wire type ${wireType}`);
}

function skipGroup(cursor: Cursor, fieldNumber: number, depth: number): void {
  if (depth > MAX_GROUP_DEPTH) throw malformed(`groups nested deeper than ${MAX_GROUP_DEPTH}`);
  for (;;) {
    const tag = readTag(cursor);
    if ((tag & 7) !== WIRE.groupEnd) skipField(cursor, tag, depth);
    else if (tag >>> 3 === fieldNumber) return;
    else throw malformed('a group ends with another number');
  }
}

function malformed(problem: string): LedgerlensError {
  return new LedgerlensError('malformed_protobuf', problem);
}
