import { ECDH } from 'node:crypto';
import { keccak256 } from '../../../values/keccak256.ts';
import { rawField } from '../../protobuf/wire.ts';

const ECDSA_FIELD = 7;
const COMPRESSED_LENGTH = 33;
const ADDRESS_LENGTH = 20;

/**
 * The EVM address of a serialized ECDSA key, which an account has whose alias is that key.
 *
 * @returns null for keys of other kinds, for bytes that are no key, and for a point that is not on the curve.
 */
export function addressOfKey(key: Uint8Array): Uint8Array | null {
  try {
    const point = rawField(key, ECDSA_FIELD);
    if (point?.length !== COMPRESSED_LENGTH) return null;
    const [, ...coordinates] = ECDH.convertKey(
      point,
      'secp256k1',
      undefined,
      undefined,
      'uncompressed',
    ) as Buffer;
    return keccak256(Uint8Array.from(coordinates)).slice(-ADDRESS_LENGTH);
  } catch {
    return null;
  }
}
