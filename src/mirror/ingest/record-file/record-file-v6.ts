import type Long from 'long';
import type { StreamItem } from '../../items/stream-item.ts';
import type { HashObject } from '../../protobuf/message-types.ts';
import { messageType, toBigInt } from '../../protobuf/messages.ts';
import { rawField, type WireField, wireFields } from '../../protobuf/wire.ts';
import { IngestError, inFile, malformedFile } from '../errors.ts';
import { sha384 } from '../sha384.ts';
import type { RecordFile } from './record-file.ts';
import { int32 } from './running-hash.ts';

const ITEMS_FIELD = 3;
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
export function parseRecordFileV6(bytes: Uint8Array, name: string): RecordFile {
  return inFile(name, () => {
    const message = bytes.subarray(4);
    const fields = wireFields(message);
    const items = fields
      .filter(({ number, wireType }) => number === ITEMS_FIELD && wireType === 2)
      .map((field) => rawItem(field.bytes, name));
    if (items.length === 0) throw new IngestError('no_items', `The record file ${name} has no items`);
    const file = RecordStreamFile.decode(withoutItems(message, fields));
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
      fileHash: sha384(bytes),
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

/** The message with its small members only: they lie before and after one run of items. */
function withoutItems(message: Uint8Array, fields: readonly WireField[]): Uint8Array {
  const parts: Uint8Array[] = [];
  let end = 0;
  for (const { number, bytes } of fields) {
    const next = bytes.byteOffset - message.byteOffset + bytes.length;
    if (number !== ITEMS_FIELD) parts.push(message.subarray(end, next));
    end = next;
  }
  return Buffer.concat(parts);
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
