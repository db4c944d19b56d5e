import type { FieldKind, FieldShape, MessageShape } from './message-shape.ts';
import { WIRE } from './message-shape.ts';
import type { DecodedMessage, DecodedValue } from './strict-decoder.ts';

/**
 * Bytes of a decoded message in its canonical encoding: unknown fields gone, numbers minimal, default values
 * left out, repeated numbers packed.
 *
 * @see contracts/fees-estimate.md section 3, step 3
 */
export function canonicalLength(shape: MessageShape, message: DecodedMessage): number {
  let length = 0;
  for (const field of shape.fields.values()) {
    const value = message[field.name];
    if (value !== undefined) length += fieldLength(field, value);
  }
  return length;
}

function fieldLength(field: FieldShape, value: DecodedValue): number {
  const tag = lengthOfNumber(field.number * 8);
  if (!field.repeated) {
    // A oneof member shows by its presence which one is set, so it stays even with the default value.
    if (field.oneof === null && isDefault(field, value)) return 0;
    return tag + valueLength(field, value);
  }
  const values = value as DecodedValue[];
  if (values.length === 0) return 0;
  const sum = values.reduce((total: number, entry) => total + valueLength(field, entry), 0);
  return field.wireType === WIRE.delimited ? values.length * tag + sum : tag + delimited(sum);
}

function valueLength(field: FieldShape, value: DecodedValue): number {
  if (field.message !== undefined) return delimited(canonicalLength(field.message, value as DecodedMessage));
  switch (field.wireType) {
    case WIRE.fixed32:
      return 4;
    case WIRE.fixed64:
      return 8;
    case WIRE.varint:
      return varintLength(unsigned(field.kind, value as bigint | number | boolean));
    default:
      return delimited(typeof value === 'string' ? Buffer.byteLength(value) : (value as Uint8Array).length);
  }
}

function isDefault(field: FieldShape, value: DecodedValue): boolean {
  if (field.kind === 'message') return false;
  if (value instanceof Uint8Array) return value.length === 0;
  return value === 0 || value === 0n || value === false || value === '';
}

function delimited(length: number): number {
  return lengthOfNumber(length) + length;
}

function unsigned(kind: FieldKind, value: bigint | number | boolean): bigint {
  const exact = BigInt(value);
  if (kind === 'sint32' || kind === 'sint64') return exact < 0n ? -2n * exact - 1n : 2n * exact;
  return BigInt.asUintN(64, exact);
}

function varintLength(value: bigint): number {
  let length = 1;
  for (let rest = value >> 7n; rest > 0n; rest >>= 7n) length += 1;
  return length;
}

/** The same for tags and lengths, which are never large. */
function lengthOfNumber(value: number): number {
  let length = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) length += 1;
  return length;
}
