import { hash } from 'node:crypto';

const OUTPUT_BYTES = 48;
/** RFC 9380 puts a block of the hash in front, 64 zero bytes; the library behind these proofs puts 48. */
const ZERO_BLOCK = new Uint8Array(48);

/**
 * Hashes bytes to an element of a field, as the proofs of blocks do.
 *
 * It is `expand_message_xmd` of RFC 9380 with SHA-256 to 48 bytes, read big-endian and reduced, but for the length of
 * the zero block in front.
 *
 * @param order of the field.
 * @param domain tag that separates one use from another, ASCII; may be empty.
 * @see contracts/streams.md section 18.5
 */
export function hashToField(order: bigint, domain: string, data: Uint8Array): bigint {
  const tag = Buffer.concat([Buffer.from(domain, 'latin1'), Uint8Array.of(domain.length)]);
  const first = sha256(ZERO_BLOCK, data, Uint8Array.of(0, OUTPUT_BYTES, 0), tag);
  const second = sha256(first, Uint8Array.of(1), tag);
  const third = sha256(
    second.map((byte, index) => byte ^ (first[index] ?? 0)),
    Uint8Array.of(2),
    tag,
  );
  const expanded = Buffer.concat([second, third]).subarray(0, OUTPUT_BYTES);
  return BigInt(`0x${expanded.toString('hex')}`) % order;
}

function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  return hash('sha256', Buffer.concat(parts), 'buffer');
}
