/** Number and value. */
export type WrittenMember = readonly [number, Uint8Array | bigint];

/** Writes members of a message in the order given: numbers as varints, the rest length-delimited. */
export function writtenMessage(...members: readonly WrittenMember[]): Uint8Array {
  const parts = members.flatMap(([number, value]) =>
    typeof value === 'bigint'
      ? [varint(BigInt(number) << 3n), varint(value)]
      : [varint((BigInt(number) << 3n) | 2n), varint(BigInt(value.length)), value],
  );
  return new Uint8Array(Buffer.concat(parts));
}

/** Also of more than 64 bits, which readers have to refuse. */
function varint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return Uint8Array.of(...bytes, Number(rest));
}
