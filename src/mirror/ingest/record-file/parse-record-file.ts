import type Long from 'long';
import type { StreamItem } from '../../items/stream-item.ts';
import type { HashObject } from '../../protobuf/message-types.ts';
import { messageType, toBigInt } from '../../protobuf/messages.ts';
import { FieldWalk, rawField } from '../../protobuf/wire.ts';
import { IngestError, inFile, malformedFile } from '../errors.ts';
import { gunzip } from '../gunzip.ts';
import { sha384 } from '../sha384.ts';
import { ByteReader, expectClassId, readHashObject } from './byte-reader.ts';
import { int32, RECORD_CLASS_ID } from './running-hash.ts';

/**
 * A record file as its bytes say, before any check against signatures or neighbours.
 *
 * All byte members are views of the file, never re-encoded.
 *
 * @see contracts/streams.md section 2
 */
export interface RecordFile {
  readonly name: string;
  readonly version: 1 | 2 | 5 | 6;
  /** `major.minor.patch`; null in versions 1 and 2, which have a single number. */
  readonly hapiVersion: string | null;
  readonly items: readonly StreamItem[];
  /** Hash of the previous file (1, 2) or start running hash (5, 6). */
  readonly previousHash: Uint8Array;
  /** What the next file names as previous: the file hash (1, 2) or the end running hash (5, 6). */
  readonly hash: Uint8Array;
  /** What the nodes signed. */
  readonly fileHash: Uint8Array;
  /** Versions 5 and 6, else null. */
  readonly metadataHash: Uint8Array | null;
  /** Version 6, int64 of any sign; else null. */
  readonly blockNumber: bigint | null;
  readonly sidecars: readonly SidecarMetadata[];
  /** Bytes after decompression. */
  readonly uncompressedSize: number;
}

export interface SidecarMetadata {
  readonly hash: Uint8Array;
  readonly id: number;
  /** Numbers of the enumeration SidecarType. */
  readonly types: readonly number[];
}

/** Bytes; far above any real file, it stops decompression bombs. */
const MAX_UNCOMPRESSED_SIZE = 256 * 1024 * 1024;

/**
 * Undoes gzip, which is told by its magic bytes and not by the file's name.
 *
 * @throws IngestError `malformed` when the compressed data is damaged.
 */
export function decompress(bytes: Uint8Array, name: string): Uint8Array {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzip(bytes, MAX_UNCOMPRESSED_SIZE);
  } catch (cause) {
    throw new IngestError('malformed', `Malformed file ${name}: ${(cause as Error).message}`, { cause });
  }
}

/**
 * Reads an uncompressed record file of any version.
 *
 * @param fileHash what {@link recordFileHash} found in it, where that is known
 * @throws IngestError `unsupported_version`, `malformed`, `no_items`.
 * @see contracts/streams.md section 2
 */
export function parseRecordFile(
  bytes: Uint8Array,
  name: string,
  fileHash = recordFileHash(bytes, name),
): RecordFile {
  switch (recordFileVersion(bytes, name)) {
    case 1:
    case 2:
      return parseRecordFileV1V2(bytes, name, fileHash);
    case 5:
      return parseRecordFileV5(bytes, name, fileHash);
    case 6:
      return parseRecordFileV6(bytes, name, fileHash);
  }
}

/**
 * The hash that nodes sign, found without parsing the file, so that damage is not taken for a bad format. Version 2
 * hashes its header and the hash of its body, the others the file in one pass.
 *
 * @throws IngestError `unsupported_version`, `malformed`.
 */
export function recordFileHash(bytes: Uint8Array, name: string): Uint8Array {
  if (recordFileVersion(bytes, name) !== 2) return sha384(bytes);
  return sha384(bytes.subarray(0, HEADER_LENGTH), sha384(bytes.subarray(HEADER_LENGTH)));
}

function recordFileVersion(bytes: Uint8Array, name: string): 1 | 2 | 5 | 6 {
  if (bytes.length < 4) throw malformedFile(name, 'the file is cut off');
  const version = new DataView(bytes.buffer, bytes.byteOffset).getInt32(0);
  if (version === 1 || version === 2 || version === 5 || version === 6) return version;
  throw new IngestError('unsupported_version', `Unsupported record file version ${version} in file ${name}`);
}

const PREVIOUS_HASH_MARKER = 1;
const RECORD_MARKER = 2;
/** Bytes before the body: version, HAPI version, marker, previous hash. */
const HEADER_LENGTH = 57;
/** Limit of one transaction or record in versions 1, 2 and 5. */
const MAX_ITEM_LENGTH = 64 * 1024;

/** @see contracts/streams.md section 2.1 */
function parseRecordFileV1V2(bytes: Uint8Array, name: string, fileHash: Uint8Array): RecordFile {
  const reader = new ByteReader(bytes, name);
  const version = reader.int32() === 1 ? 1 : 2;
  // The version of the API as a single number, which no client reads.
  reader.int32();
  reader.expect('the previous hash marker', reader.byte(), PREVIOUS_HASH_MARKER);
  const previousHash = reader.bytes(48);
  const items: StreamItem[] = [];
  while (!reader.atEnd) {
    reader.expect('the record marker', reader.byte(), RECORD_MARKER);
    const transaction = reader.lengthPrefixed(1, MAX_ITEM_LENGTH, 'transaction');
    const record = reader.lengthPrefixed(1, MAX_ITEM_LENGTH, 'record');
    items.push({ transaction, record });
  }
  return {
    name,
    version,
    hapiVersion: null,
    items,
    previousHash,
    hash: fileHash,
    fileHash,
    metadataHash: null,
    blockNumber: null,
    sidecars: [],
    uncompressedSize: bytes.length,
  };
}

/** @see contracts/streams.md section 2.2 */
function parseRecordFileV5(bytes: Uint8Array, name: string, fileHash: Uint8Array): RecordFile {
  const reader = new ByteReader(bytes, name);
  reader.int32();
  const hapiVersion = [reader.int32(), reader.int32(), reader.int32()].join('.');
  reader.expect('the object stream version', reader.int32(), 1);
  const previousHash = readHashObject(reader, 'the start running hash');
  const headerLength = reader.offset;
  const items: StreamItem[] = [];
  while (reader.peekUint64() === RECORD_CLASS_ID) {
    expectClassId(reader, 'a record', RECORD_CLASS_ID);
    reader.expect('the class version of a record', reader.int32(), 1);
    const record = reader.lengthPrefixed(1, MAX_ITEM_LENGTH, 'record');
    const transaction = reader.lengthPrefixed(1, MAX_ITEM_LENGTH, 'transaction');
    items.push({ transaction, record });
  }
  const itemsEnd = reader.offset;
  const hash = readHashObject(reader, 'the end running hash');
  reader.expectEnd();
  if (items.length === 0) throw new IngestError('no_items', `The record file ${name} has no items`);
  return {
    name,
    version: 5,
    hapiVersion,
    items,
    previousHash,
    hash,
    fileHash,
    metadataHash: sha384(bytes.subarray(0, headerLength), bytes.subarray(itemsEnd)),
    blockNumber: null,
    sidecars: [],
    uncompressedSize: bytes.length,
  };
}

const ITEMS_FIELD = 3;
const LENGTH_DELIMITED = 2;
/** As of a block: far above any real file, while a small one may unpack to a hundred times as many. */
const MAX_MEMBERS = 800_000;
const SHA_384 = 1;

interface RecordStreamFile {
  readonly hapiProtoVersion: {
    readonly major: number;
    readonly minor: number;
    readonly patch: number;
  } | null;
  readonly startObjectRunningHash: HashObject | null;
  readonly endObjectRunningHash: HashObject | null;
  readonly blockNumber: Long;
  readonly sidecars: readonly {
    readonly hash: HashObject | null;
    readonly id: number;
    readonly types: readonly number[];
  }[];
}

const RecordStreamFile = messageType<RecordStreamFile>('proto.RecordStreamFile');

/** @see contracts/streams.md section 2.3 */
function parseRecordFileV6(bytes: Uint8Array, name: string, fileHash: Uint8Array): RecordFile {
  return inFile(name, () => {
    const { items, others } = membersOf(bytes.subarray(4), name);
    if (items.length === 0) throw new IngestError('no_items', `The record file ${name} has no items`);
    const file = RecordStreamFile.decode(others);
    const { major, minor, patch } = file.hapiProtoVersion ?? { major: 0, minor: 0, patch: 0 };
    const previousHash = hashOf(file.startObjectRunningHash, name, 'start running hash');
    const hash = hashOf(file.endObjectRunningHash, name, 'end running hash');
    const blockNumber = toBigInt(file.blockNumber);
    const numbers = [6, major, minor, patch].map(int32);
    return {
      name,
      version: 6,
      hapiVersion: [major, minor, patch].join('.'),
      items,
      previousHash,
      hash,
      fileHash,
      metadataHash: sha384(...numbers, previousHash, hash, int64(blockNumber)),
      blockNumber,
      sidecars: sidecarsOf(file, name),
      uncompressedSize: bytes.length,
    };
  });
}

/** The running hash needs the original bytes, so items are cut out and not decoded here. */
function rawItem(bytes: Uint8Array, name: string): StreamItem {
  const transaction = rawField(bytes, 1);
  const record = rawField(bytes, 2);
  if (transaction === null || record === null) {
    throw malformedFile(name, 'an item lacks its transaction or record');
  }
  return { transaction, record };
}

/** The items of a message, and the message with its small members only. @throws IngestError `malformed` */
function membersOf(message: Uint8Array, name: string) {
  const items: StreamItem[] = [];
  const others: Uint8Array[] = [];
  let end = 0;
  for (const walk = new FieldWalk(message); walk.next(); end = walk.end) {
    if (walk.number !== ITEMS_FIELD) others.push(message.subarray(end, walk.end));
    else if (walk.wireType === LENGTH_DELIMITED) items.push(rawItem(walk.bytes, name));
    if (items.length + others.length > MAX_MEMBERS) {
      throw malformedFile(name, `it has more than ${MAX_MEMBERS} members`);
    }
  }
  return { items, others: Buffer.concat(others) };
}

/** A unit keeps one file of each number. */
function sidecarsOf({ sidecars }: RecordStreamFile, name: string): RecordFile['sidecars'] {
  const known = new Set<number>();
  return sidecars.map(({ hash, id, types }) => {
    if (known.has(id)) throw malformedFile(name, `it names sidecar ${id} twice`);
    known.add(id);
    return { hash: hashOf(hash, name, `sidecar ${id} hash`), id, types: [...types] };
  });
}

function hashOf(object: HashObject | null, name: string, what: string): Uint8Array {
  if (object === null || object.algorithm !== SHA_384 || object.length !== 48 || object.hash.length !== 48) {
    throw malformedFile(name, `the ${what} is not a SHA-384 hash`);
  }
  return object.hash;
}

function int64(value: bigint): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(value, 0);
  return bytes;
}
