import type { SignatureObject } from '../../protobuf/message-types.ts';
import { messages } from '../../protobuf/messages.ts';
import { IngestError, inFile, malformedFile } from '../errors.ts';
import { ByteReader, expectClassId, readHashObject } from '../record-file/byte-reader.ts';
import { sameBytes } from '../sha384.ts';

/** What one node signed about one record file. */
export interface SignatureFile {
  /** Of the signature format; format 2 begins with the byte 4. */
  readonly version: 2 | 5 | 6;
  readonly fileHash: Uint8Array;
  readonly fileSignature: Uint8Array;
  /** Null in format 2. */
  readonly metadataHash: Uint8Array | null;
  readonly metadataSignature: Uint8Array | null;
}

const SIGNATURE_CLASS_ID = 0x13dc_4b39_9b24_5c69n;
const SHA_384_WITH_RSA = 1;
/** A signature and its checksum add up to this. */
const CHECKSUM_BASE = 101;
const MAX_SIGNATURE_LENGTH = 384;
/** Longest RSA signature a strict reader takes in the formats that set no limit: 16384 bits. */
const MAX_OBJECT_LENGTH = 2048;

/**
 * Reads a signature file strictly: unknown fields, wrong lengths or checksums and trailing bytes are errors.
 *
 * @throws IngestError `unsupported_version`, `malformed`.
 * @see contracts/streams.md section 4
 */
export function parseSignatureFile(bytes: Uint8Array, name: string): SignatureFile {
  switch (bytes[0]) {
    case 4:
      return parseFormat2(bytes, name);
    case 5:
      return parseFormat5(bytes, name);
    case 6:
      return parseFormat6(bytes, name);
    case undefined:
      throw malformedFile(name, 'it is empty');
    default:
      throw new IngestError(
        'unsupported_version',
        `Unsupported signature file version: ${bytes[0]} in ${name}`,
      );
  }
}

function parseFormat2(bytes: Uint8Array, name: string): SignatureFile {
  const reader = new ByteReader(bytes, name);
  reader.byte();
  const fileHash = reader.bytes(48);
  reader.expect('the signature marker', reader.byte(), 3);
  const fileSignature = reader.lengthPrefixed(1, MAX_SIGNATURE_LENGTH, 'signature');
  reader.expectEnd();
  return { version: 2, fileHash, fileSignature, metadataHash: null, metadataSignature: null };
}

function parseFormat5(bytes: Uint8Array, name: string): SignatureFile {
  const reader = new ByteReader(bytes, name);
  reader.byte();
  reader.expect('the object stream signature version', reader.int32(), 1);
  const fileHash = readHashObject(reader, 'the file hash');
  const fileSignature = readSignatureObject(reader);
  const metadataHash = readHashObject(reader, 'the metadata hash');
  const metadataSignature = readSignatureObject(reader);
  reader.expectEnd();
  return { version: 5, fileHash, fileSignature, metadataHash, metadataSignature };
}

function readSignatureObject(reader: ByteReader): Uint8Array {
  expectClassId(reader, 'a signature', SIGNATURE_CLASS_ID);
  reader.expect('the class version of a signature', reader.int32(), 1);
  reader.expect('the signature type', reader.int32(), SHA_384_WITH_RSA);
  const length = reader.int32();
  if (length < 1 || length > MAX_OBJECT_LENGTH) throw reader.malformed(`signature length ${length}`);
  reader.expect('the signature checksum', reader.int32(), CHECKSUM_BASE - length);
  return reader.bytes(length);
}

function parseFormat6(bytes: Uint8Array, name: string): SignatureFile {
  return inFile(name, () => {
    const message = bytes.subarray(1);
    const file = messages.SignatureFile.decode(message);
    const ofFile = checkedObject(file.fileSignature, name, 'file signature');
    const ofMetadata = checkedObject(file.metadataSignature, name, 'metadata signature');
    // Every node writes fields once and in order, so another encoding is damage.
    const canonical = messages.SignatureFile.encode({
      fileSignature: ofFile.encoding,
      metadataSignature: ofMetadata.encoding,
    });
    if (!sameBytes(canonical, message)) {
      throw malformedFile(name, 'unknown or repeated fields');
    }
    return {
      version: 6,
      fileHash: ofFile.hash,
      fileSignature: ofFile.signature,
      metadataHash: ofMetadata.hash,
      metadataSignature: ofMetadata.signature,
    };
  });
}

function checkedObject(object: SignatureObject | null, name: string, what: string) {
  const hash = object?.hashObject ?? null;
  const isValid =
    object !== null &&
    hash !== null &&
    object.type === SHA_384_WITH_RSA &&
    object.signature.length > 0 &&
    object.length === object.signature.length &&
    object.checksum === CHECKSUM_BASE - object.length &&
    hash.algorithm === 1 &&
    hash.length === 48 &&
    hash.hash.length === 48;
  if (!isValid) throw malformedFile(name, `the ${what} is wrong`);
  const { type, length, checksum, signature } = object;
  const hashObject = { algorithm: hash.algorithm, length: hash.length, hash: hash.hash };
  return { hash: hash.hash, signature, encoding: { type, length, checksum, signature, hashObject } };
}
