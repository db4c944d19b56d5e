/** A number as a protobuf varint. */
export function varint(value: bigint | number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = BigInt.asUintN(64, BigInt(value)); ; rest >>= 7n) {
    const low = Number(rest & 0x7fn);
    if (rest < 0x80n) return Uint8Array.from([...bytes, low]);
    bytes.push(low | 0x80);
  }
}

/** A field with a message or bytes. */
export function lengthField(number: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = joined(parts);
  return joined([varint(number * 8 + 2), varint(bytes.length), bytes]);
}

/** A field with a number; protobuf writers leave 0 out. */
export function numberField(number: number, value: bigint | number): Uint8Array {
  return BigInt(value) === 0n ? new Uint8Array() : joined([varint(number * 8), varint(value)]);
}

/** A serialized `Timestamp`. */
export function timestampMessage(at: bigint): Uint8Array {
  return joined([numberField(1, at / 1_000_000_000n), numberField(2, at % 1_000_000_000n)]);
}

/** A serialized `SemanticVersion`. */
export function versionMessage(major: number, minor: number, patch: number): Uint8Array {
  return joined([numberField(1, major), numberField(2, minor), numberField(3, patch)]);
}

/** A block made of items; each is given as the number of its member and the bytes of it. */
export function blockMessage(items: readonly (readonly [field: number, bytes: Uint8Array])[]): Uint8Array {
  return joined(items.map(([field, bytes]) => lengthField(1, lengthField(field, bytes))));
}

/** A serialized `BlockHeader`. */
export function headerMessage(number: bigint | number, at: bigint): Uint8Array {
  return joined([
    lengthField(1, versionMessage(0, 78, 0)),
    numberField(3, number),
    lengthField(4, timestampMessage(at)),
  ]);
}

/** A serialized `BlockFooter`. */
export function footerMessage(
  previousRoot: Uint8Array,
  allBlocksRoot: Uint8Array,
  stateRoot: Uint8Array,
): Uint8Array {
  return joined([lengthField(1, previousRoot), lengthField(2, allBlocksRoot), lengthField(3, stateRoot)]);
}

/** The parts one after the other; no Buffer, which tests would tell from the same bytes of a parser. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}
