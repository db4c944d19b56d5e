import type { StreamItem } from '../../items/stream-item.ts';
import { rawField, varintOf, walkFields } from '../../protobuf/wire.ts';
import { IngestError, malformedFile } from '../errors.ts';
import { HASH_CLASS_ID } from '../record-file/byte-reader.ts';
import { parseRecordFile, type RecordFile } from '../record-file/parse-record-file.ts';
import { int32, RECORD_CLASS_ID } from '../record-file/running-hash.ts';
import type { HapiVersion } from './parse-block.ts';

/** Members of `RecordStreamFile`. */
const FIELD = { startHash: 2, items: 3, endHash: 4 };
/** In `HashObject`. */
const HASH_FIELD = 3;
const HASH_BYTES = 48;
const FIRST_MINOR_OF_VERSION_6 = 27;
const DIGEST_TYPE = 0x58ff_811b;

/**
 * Writes a wrapped record file the way the nodes signed it, and reads it as any record file: what is not part of these
 * bytes is not part of the unit.
 *
 * @param version as the proof names it
 * @throws IngestError `unsupported_version`, `malformed`, `no_items`.
 * @see contracts/streams.md section 9.6
 */
export function rebuildRecordFile(
  contents: Uint8Array,
  version: number,
  hapiVersion: HapiVersion,
  name: string,
): RecordFile {
  switch (version) {
    case 2:
      return parseRecordFile(writeVersion2(contents, hapiVersion, name), name);
    case 5:
      return parseRecordFile(writeVersion5(contents, hapiVersion, name), name);
    case 6:
      return parseRecordFile(Buffer.concat([int32(6), contents]), name);
    default:
      throw new IngestError(
        'unsupported_version',
        `Unsupported record file version ${version} in block file ${name}`,
      );
  }
}

/**
 * The version of a record file that no signature names: the first ones have no end hash, the last one came with API 0.27.
 *
 * Only blocks that a threshold signature proves need it, and both later ones chain by the same hash.
 */
export function versionOfContents(contents: Uint8Array, { major, minor }: HapiVersion): number {
  if (rawField(contents, FIELD.endHash) === null) return 2;
  return major > 0 || minor >= FIRST_MINOR_OF_VERSION_6 ? 6 : 5;
}

function writeVersion2(contents: Uint8Array, { major, minor }: HapiVersion, name: string): Uint8Array {
  const file = partsOf(contents, name);
  // Those releases had one number, which is the minor one of 0.3.0.
  const hapi = major === 0 ? minor : major;
  return Buffer.concat([
    ...[int32(2), int32(hapi), Uint8Array.of(1), file.startHash],
    ...file.items.flatMap(({ record, transaction }) => [
      Uint8Array.of(2),
      ...[int32(transaction.length), transaction, int32(record.length), record],
    ]),
  ]);
}

function writeVersion5(contents: Uint8Array, hapi: HapiVersion, name: string): Uint8Array {
  const file = partsOf(contents, name);
  if (file.endHash === null) throw malformedFile(name, 'its record file has no end hash');
  return Buffer.concat([
    ...[5, hapi.major, hapi.minor, hapi.patch, 1].map(int32),
    hashObject(file.startHash),
    ...file.items.flatMap(({ record, transaction }) => [
      ...[classId(RECORD_CLASS_ID), int32(1)],
      ...[int32(record.length), record, int32(transaction.length), transaction],
    ]),
    hashObject(file.endHash),
  ]);
}

function hashObject(hash: Uint8Array): Uint8Array {
  return Buffer.concat([classId(HASH_CLASS_ID), int32(1), int32(DIGEST_TYPE), int32(HASH_BYTES), hash]);
}

function classId(id: bigint): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(id);
  return bytes;
}

interface RecordFileParts {
  readonly startHash: Uint8Array;
  readonly endHash: Uint8Array | null;
  readonly items: readonly StreamItem[];
}

function partsOf(contents: Uint8Array, name: string): RecordFileParts {
  const items: StreamItem[] = [];
  let startHash: Uint8Array | null = null;
  let endHash: Uint8Array | null = null;
  for (const { bytes, number, wireType } of walkFields(contents)) {
    if (wireType !== 2) continue;
    if (number === FIELD.startHash) startHash = hashOf(bytes, name);
    if (number === FIELD.endHash) endHash = hashOf(bytes, name);
    if (number !== FIELD.items) continue;
    const [transaction, record] = [rawField(bytes, 1), rawField(bytes, 2)];
    if (transaction === null || record === null) {
      throw malformedFile(name, 'an item lacks its transaction or record');
    }
    items.push({ transaction, record });
  }
  if (startHash === null) throw malformedFile(name, 'its record file has no start hash');
  return { startHash, endHash, items };
}

function hashOf(bytes: Uint8Array, name: string): Uint8Array {
  const hash = rawField(bytes, HASH_FIELD);
  if (hash?.length === HASH_BYTES) return hash;
  throw malformedFile(name, 'a hash of its record file is not of SHA-384');
}

/** A wrapped record file, taken apart. */
interface RecordFileItem {
  /** A serialized `Timestamp`; null where it is left out. */
  readonly creationTime: Uint8Array | null;
  /** A serialized `RecordStreamFile`. */
  readonly contents: Uint8Array;
  /** Serialized `SidecarFile` messages. */
  readonly sidecars: readonly Uint8Array[];
  /** Items that were added later and that no node signed. */
  readonly amendments: number;
}

const LENGTH_DELIMITED = 2;
/** Real files have a few. */
const MAX_SIDECARS = 1000;

/**
 * Reads the one `RecordFileItem` of a wrapped block, strictly.
 *
 * @throws IngestError `malformed`, `unsupported_item`.
 * @see contracts/streams.md section 9.2
 */
export function readRecordFileItem(bytes: Uint8Array, name: string): RecordFileItem {
  let contents: Uint8Array | null = null;
  const sidecars: Uint8Array[] = [];
  let amendments = 0;
  let creationTime: Uint8Array | null = null;
  for (const { bytes: value, number, wireType } of walkFields(bytes)) {
    const isRepeated = (number === 1 && creationTime !== null) || (number === 2 && contents !== null);
    if (wireType !== LENGTH_DELIMITED || isRepeated)
      throw malformedFile(name, `field ${number} of its record file is wrong`);
    if (number === 1) creationTime = value;
    else if (number === 2) contents = value;
    else if (number === 3) {
      if (sidecars.length === MAX_SIDECARS)
        throw malformedFile(name, `its record file has more than ${MAX_SIDECARS} sidecars`);
      sidecars.push(value);
    } else if (number === 4) amendments++;
    else {
      throw new IngestError(
        'unsupported_item',
        `The record file in block file ${name} has a field ${number}, which is not supported`,
      );
    }
  }
  if (contents === null) throw malformedFile(name, 'its record file has no contents');
  return { creationTime, contents, sidecars, amendments };
}

/** What nodes signed about a wrapped record file. */
export interface RecordFileProof {
  /** Version of the record file. */
  readonly version: number;
  readonly signatures: readonly NodeSignature[];
}

/** An RSA signature by one node. */
interface NodeSignature {
  readonly nodeId: bigint;
  readonly signature: Uint8Array;
}

/** Members of `BlockProof`. */
const PROOF_FIELD = { block: 1, signedRecordFile: 4 };
/** Of 16384 bits, far above what networks use. */
const MAX_SIGNATURE_BYTES = 2048;
/** Networks have some dozens of nodes. */
const MAX_SIGNATURES = 10_000;

/**
 * Reads a proof by the signatures of nodes over a record file, strictly.
 *
 * @param number of the block, which the proof repeats
 * @returns null for a proof of another form.
 * @throws IngestError `malformed`, `block_number_mismatch`.
 * @see contracts/streams.md sections 9.2 and 9.6
 */
export function readRecordFileProof(proof: Uint8Array, number: bigint, name: string): RecordFileProof | null {
  let found: Uint8Array | null = null;
  let block = 0n;
  let members = 0;
  for (const { bytes, number: field, wireType } of walkFields(proof)) {
    members++;
    if (field === PROOF_FIELD.block && wireType === 0) block = BigInt.asIntN(64, varintOf(bytes));
    if (field === PROOF_FIELD.signedRecordFile && wireType === LENGTH_DELIMITED) found = bytes;
  }
  if (found === null) return null;
  // The number of block 0 is left out by writers.
  if (members > 2) throw malformedFile(name, 'a proof has more than one form');
  if (block !== number) {
    throw new IngestError(
      'block_number_mismatch',
      `The proof in block file ${name} is of block ${block}, not of ${number}`,
    );
  }
  return readSigned(found, name);
}

function readSigned(bytes: Uint8Array, name: string): RecordFileProof {
  let version: number | null = null;
  const signatures: NodeSignature[] = [];
  for (const { bytes: value, number, wireType } of walkFields(bytes)) {
    if (number === 1 && wireType === 0 && version === null) version = Number(varintOf(value));
    else if (number === 2 && wireType === LENGTH_DELIMITED) signatures.push(readSignature(value, name));
    else throw malformedFile(name, `field ${number} of its proof is wrong`);
    if (signatures.length > MAX_SIGNATURES) throw malformedFile(name, 'its proof has too many signatures');
  }
  return { version: version ?? 0, signatures };
}

function readSignature(bytes: Uint8Array, name: string): NodeSignature {
  let signature: Uint8Array | null = null;
  let nodeId: bigint | null = null;
  for (const { bytes: value, number, wireType } of walkFields(bytes)) {
    if (number === 1 && wireType === LENGTH_DELIMITED && signature === null) signature = value;
    else if (number === 2 && wireType === 0 && nodeId === null) nodeId = BigInt.asIntN(64, varintOf(value));
    else throw malformedFile(name, `field ${number} of a signature is wrong`);
  }
  if (signature === null || signature.length > MAX_SIGNATURE_BYTES)
    throw malformedFile(name, 'a signature is empty or too long');
  return { nodeId: nodeId ?? 0n, signature };
}
