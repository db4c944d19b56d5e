import type { RandomSource } from '../../../../tools/network/seeded-random.ts';

/** Values that are edges in protobuf: ends of groups, long numbers, lengths beyond the end. */
const EDGES = [0x00, 0x01, 0x7f, 0x80, 0xff, 0x0a, 0x2a, 0x0b, 0x0c];

/** Changes, cuts, inserts, repeats or swaps pieces of bytes, one to four times. */
export function mutateBytes(original: Uint8Array, random: RandomSource): Buffer {
  let bytes: Buffer = Buffer.from(original);
  for (let times = 1 + random.below(4); times > 0; times -= 1) {
    const at = random.below(bytes.length + 1);
    const end = Math.min(bytes.length, at + random.below(40));
    const edge = EDGES[random.below(EDGES.length)] ?? 0;
    const kinds = [
      () => Buffer.concat([bytes.subarray(0, at), Buffer.from([edge]), bytes.subarray(at + 1)]),
      () => Buffer.concat([bytes.subarray(0, at), random.bytes(1), bytes.subarray(at + 1)]),
      () => bytes.subarray(0, at),
      () => Buffer.concat([bytes.subarray(0, at), bytes.subarray(end)]),
      () => Buffer.concat([bytes.subarray(0, end), bytes.subarray(at)]),
      () => Buffer.concat([bytes.subarray(0, at), random.bytes(random.below(8)), bytes.subarray(at)]),
      () => Buffer.concat([bytes.subarray(at), bytes.subarray(0, at)]),
    ];
    bytes = (kinds[random.below(kinds.length)] ?? (() => bytes))();
  }
  return bytes;
}
