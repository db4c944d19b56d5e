import { Buffer, isUtf8 } from 'node:buffer';
import { LedgerlensError } from '../../../values/ledgerlens-error.ts';
import { type FieldKind, type FieldShape, type MessageShape, WIRE } from './message-shape.ts';

/** A value of a decoded field: 64-bit integers are bigint, other numbers number, enumerations their number. */
export type DecodedValue = bigint | number | boolean | string | Uint8Array | DecodedMessage | DecodedValue[];

/**
 * A decoded message by camelCase member names. A field that was not on the wire is absent.
 *
 * For each oneof that is set, a member with the oneof's name holds the name of the set field.
 */
export interface DecodedMessage {
  [member: string]: DecodedValue;
}

/** Deeper nesting is refused, as by the usual protobuf parsers: it only occurs in hostile input. */
const MAX_DEPTH = 100;

/**
 * Decodes a message and everything nested in it, once, without tolerance.
 *
 * protobufjs skips a known field of another wire type as if it were unknown; here it is an error, as are
 * truncated input, invalid UTF-8 in a string, and nesting deeper than 100. Unknown fields are dropped. A field
 * that occurs twice is merged (messages) or the last one wins, as protobuf demands. Fields that the shape drops are
 * checked as strictly and not kept.
 *
 * @throws LedgerlensError `malformed_protobuf`
 * @see contracts/fees-estimate.md section 8
 */
export function decodeStrictly(shape: MessageShape, bytes: Uint8Array): DecodedMessage {
  const message: DecodedMessage = {};
  decodeInto(message, shape, { bytes, at: 0, end: bytes.length }, 0);
  return message;
}

function decodeInto(message: DecodedMessage, shape: MessageShape, cursor: Cursor, depth: number): void {
  if (depth > MAX_DEPTH) throw malformed(`messages nested deeper than ${MAX_DEPTH}`);
  while (cursor.at < cursor.end) {
    const tag = readTag(cursor);
    const wireType = tag & 7;
    const field = shape.byNumber[tag >>> 3];
    if (field === undefined) skipField(cursor, tag, depth);
    else if (field.repeated) readRepeated(message, field, wireType, cursor, depth);
    else readSingle(message, shape, field, wireType, cursor, depth);
  }
}

function readSingle(
  message: DecodedMessage,
  shape: MessageShape,
  field: FieldShape,
  wireType: number,
  cursor: Cursor,
  depth: number,
): void {
  expectWireType(shape, field, wireType);
  if (field.isDropped) {
    checkValue(field, cursor, depth);
    return;
  }
  if (field.oneof !== null) chooseMember(message, field.oneof, field.name);
  if (field.message === undefined) message[field.name] = readScalar(field.kind, cursor);
  else {
    const earlier = message[field.name] as DecodedMessage | undefined;
    message[field.name] = readNested(field.message, earlier ?? {}, cursor, depth);
  }
}

function readRepeated(
  message: DecodedMessage,
  field: FieldShape,
  wireType: number,
  cursor: Cursor,
  depth: number,
): void {
  let list = message[field.name] as DecodedValue[] | undefined;
  if (list === undefined) {
    list = [];
    message[field.name] = list;
  }
  const own = field.wireType;
  if (field.isDropped && wireType === own) {
    checkValue(field, cursor, depth);
    list.push(DROPPED);
  } else if (field.message !== undefined && wireType === own) {
    list.push(readNested(field.message, {}, cursor, depth));
  } else if (wireType === own) {
    list.push(readScalar(field.kind, cursor));
  } else if (wireType === WIRE.delimited) {
    // Numbers may come packed or one by one, whatever the definition says.
    const length = readLength(cursor);
    const packed: Cursor = { bytes: cursor.bytes, at: cursor.at, end: cursor.at + length };
    while (packed.at < packed.end) list.push(readScalar(field.kind, packed));
    cursor.at = packed.end;
  } else throw malformed(`field ${field.name} has wire type ${wireType}`);
}

function readNested(
  shape: MessageShape,
  target: DecodedMessage,
  cursor: Cursor,
  depth: number,
): DecodedMessage {
  const length = readLength(cursor);
  const outerEnd = cursor.end;
  cursor.end = cursor.at + length;
  decodeInto(target, shape, cursor, depth + 1);
  cursor.end = outerEnd;
  return target;
}

/** Stands in a list for an entry that was checked and not kept. */
const DROPPED: DecodedMessage = {};

/** What reading a value would refuse is refused, and nothing is made. */
function checkValue(field: FieldShape, cursor: Cursor, depth: number): void {
  const { kind, message, wireType } = field;
  if (message !== undefined) checkMessage(message, cursor, depth + 1);
  else if (kind === 'string') checkText(cursor);
  else if (wireType === WIRE.delimited) skipBytes(cursor, readLength(cursor));
  else if (wireType === WIRE.varint) skipVarint(cursor);
  else skipBytes(cursor, wireType === WIRE.fixed32 ? 4 : 8);
}

function checkMessage(shape: MessageShape, cursor: Cursor, depth: number): void {
  if (depth > MAX_DEPTH) throw malformed(`messages nested deeper than ${MAX_DEPTH}`);
  const length = readLength(cursor);
  const outerEnd = cursor.end;
  cursor.end = cursor.at + length;
  while (cursor.at < cursor.end) {
    const tag = readTag(cursor);
    const wireType = tag & 7;
    const field = shape.byNumber[tag >>> 3];
    if (field === undefined) skipField(cursor, tag, depth);
    else if (wireType === field.wireType) checkValue(field, cursor, depth);
    else if (field.repeated && wireType === WIRE.delimited) checkPacked(field, cursor, depth);
    else expectWireType(shape, field, wireType);
  }
  cursor.end = outerEnd;
}

function checkPacked(field: FieldShape, cursor: Cursor, depth: number): void {
  const length = readLength(cursor);
  const packed: Cursor = { bytes: cursor.bytes, at: cursor.at, end: cursor.at + length };
  while (packed.at < packed.end) checkValue(field, packed, depth);
  cursor.at = packed.end;
}

function checkText(cursor: Cursor): void {
  if (!isUtf8(readBytes(cursor))) throw malformed('a string is not valid UTF-8');
}

function chooseMember(message: DecodedMessage, oneof: string, member: string): void {
  const earlier = message[oneof] as string | undefined;
  if (earlier === member) return;
  if (earlier !== undefined) delete message[earlier];
  message[oneof] = member;
}

function readScalar(kind: FieldKind, cursor: Cursor): DecodedValue {
  switch (kind) {
    case 'string':
      return readString(cursor);
    case 'bytes':
      return readBytes(cursor);
    case 'bool':
      return readVarint64(cursor) !== 0n;
    case 'uint64':
      return readVarint64(cursor);
    case 'int64':
      return BigInt.asIntN(64, readVarint64(cursor));
    case 'sint64':
      return unzigzag(readVarint64(cursor));
    case 'uint32':
      return Number(BigInt.asUintN(32, readVarint64(cursor)));
    case 'int32':
    case 'enum':
      return Number(BigInt.asIntN(32, readVarint64(cursor)));
    case 'sint32':
      return Number(unzigzag(BigInt.asUintN(32, readVarint64(cursor))));
    default:
      return readFixed(kind, cursor);
  }
}

function readFixed(kind: FieldKind, cursor: Cursor): bigint | number {
  const size = kind === 'fixed32' || kind === 'sfixed32' || kind === 'float' ? 4 : 8;
  const start = cursor.at;
  skipBytes(cursor, size);
  const view = new DataView(cursor.bytes.buffer, cursor.bytes.byteOffset + start, size);
  if (kind === 'fixed32') return view.getUint32(0, true);
  if (kind === 'sfixed32') return view.getInt32(0, true);
  if (kind === 'float') return view.getFloat32(0, true);
  if (kind === 'fixed64') return view.getBigUint64(0, true);
  if (kind === 'sfixed64') return view.getBigInt64(0, true);
  return view.getFloat64(0, true);
}

function readBytes(cursor: Cursor): Uint8Array {
  const length = readLength(cursor);
  const start = cursor.at;
  cursor.at += length;
  // A view of a Buffer would be a Buffer, which costs several times as much to make.
  return new Uint8Array(cursor.bytes.buffer, cursor.bytes.byteOffset + start, length);
}

function readString(cursor: Cursor): string {
  const bytes = readBytes(cursor);
  if (!isUtf8(bytes)) throw malformed('a string is not valid UTF-8');
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

function unzigzag(value: bigint): bigint {
  return (value >> 1n) ^ -(value & 1n);
}

function expectWireType(shape: MessageShape, field: FieldShape, wireType: number): void {
  if (wireType === field.wireType) return;
  throw malformed(`field ${shape.name}.${field.name} has wire type ${wireType}`);
}

function malformed(problem: string): LedgerlensError {
  return new LedgerlensError('malformed_protobuf', problem);
}

/** A reading position in bytes; nothing is read at or after `end`. */
interface Cursor {
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
function readVarint64(cursor: Cursor): bigint {
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
function skipVarint(cursor: Cursor): void {
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
function skipBytes(cursor: Cursor, count: number): void {
  if (count > cursor.end - cursor.at) throw malformed('the bytes end inside a field');
  cursor.at += count;
}

/** Moves past the value of an unknown field whose tag was just read. */
function skipField(cursor: Cursor, tag: number, depth: number): void {
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
