import { bareHex } from '../../values/hex.ts';
import { ipfsMultihash } from './ipfs-hash.ts';
import { swarmHash } from './swarm-hash.ts';

/** The ways in which auxdata can name the metadata. */
const METADATA_HASH_KINDS = ['ipfs', 'bzzr1', 'bzzr0'] as const;

/** The hash of the metadata that auxdata carry. */
export interface MetadataHash {
  readonly kind: (typeof METADATA_HASH_KINDS)[number];
  /** Hex without 0x; for `ipfs` the whole multihash. */
  readonly hash: string;
}

/**
 * Reads the metadata hash out of decoded auxdata.
 *
 * @returns null when they carry none.
 * @see contracts/verification-engine.md section 6.1
 */
export function readMetadataHash(decoded: unknown): MetadataHash | null {
  if (!(decoded instanceof Map)) return null;
  for (const kind of METADATA_HASH_KINDS) {
    const hash: unknown = decoded.get(kind);
    if (hash instanceof Uint8Array) return { kind, hash: bareHex(hash) };
  }
  return null;
}

/** Hashes bytes as the compiler hashes metadata and sources; hex without 0x. */
export function contentHash(kind: MetadataHash['kind'], bytes: Uint8Array): string {
  return bareHex(kind === 'ipfs' ? ipfsMultihash(bytes) : swarmHash(bytes, kind));
}

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Prints bytes in the alphabet of IPFS addresses. */
export function base58(bytes: Uint8Array): string {
  let rest = BigInt(`0x0${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  for (; rest > 0n; rest /= 58n) text = `${ALPHABET[Number(rest % 58n)]}${text}`;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros < 0 ? bytes.length : zeros) + text;
}
