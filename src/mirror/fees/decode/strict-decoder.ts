import { Buffer, isUtf8 } from 'node:buffer';
import { LedgerlensError } from '../../../values/ledgerlens-error.ts';
import type { FieldKind, FieldShape, MessageShape } from './message-shape.ts';
import {
  type Cursor,
  readLength,
  readTag,
  readVarint64,
  skipBytes,
  skipField,
  skipVarint,
  WIRE,
} from './wire-cursor.ts';

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
