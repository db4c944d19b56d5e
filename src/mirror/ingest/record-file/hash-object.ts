import type { ByteReader } from './byte-reader.ts';

export const HASH_CLASS_ID = 0xf422_da83_a251_741en;
const HASH_CLASS_VERSION = 1;
const SHA_384 = 0x58ff_811b;

/** Reads a hash object of the object stream formats, 68 bytes. @see contracts/streams.md section 2.2 */
export function readHashObject(reader: ByteReader, what: string): Uint8Array {
  expectClassId(reader, what, HASH_CLASS_ID);
  reader.expect(`the class version of ${what}`, reader.int32(), HASH_CLASS_VERSION);
  reader.expect(`the digest type of ${what}`, reader.int32(), SHA_384);
  reader.expect(`the length of ${what}`, reader.int32(), 48);
  return reader.bytes(48);
}

/** Reads a class id and compares it. */
export function expectClassId(reader: ByteReader, what: string, expected: bigint): void {
  const found = reader.uint64();
  if (found !== expected) throw reader.malformed(`${what} has class id 0x${found.toString(16)}`);
}
