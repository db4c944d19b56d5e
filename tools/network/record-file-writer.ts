import { int32, runningHash } from '../../src/mirror/ingest/record-file/running-hash.ts';
import { sha384 } from '../../src/mirror/ingest/sha384.ts';
import type { StreamItem } from '../../src/mirror/items/stream-item.ts';
import { type MessageObject, messages, messageType } from '../../src/mirror/protobuf/messages.ts';
import { type LedgerEvent, timestamp } from './ledger-item.ts';
import type { NodeSigner } from './node-signer.ts';
import type { WrittenTrace } from './written-traces.ts';

const RecordStreamFile = messageType<unknown>('proto.RecordStreamFile');
const SHA_384 = 1;
const SHA_384_WITH_RSA = 1;
const CHECKSUM_BASE = 101;
const SIDECAR_ID = 1;
/** Of the enumeration SidecarType. */
const TYPES = { stateChanges: 1, actions: 2, bytecode: 3 } as const;

/** A version 6 record file and what its nodes sign. */
export interface WrittenRecordFile {
  /** Not compressed. */
  readonly bytes: Uint8Array;
  readonly fileHash: Uint8Array;
  readonly metadataHash: Uint8Array;
  /** Start hash of the next file. */
  readonly endHash: Uint8Array;
}

/** A sidecar, not compressed. */
export interface WrittenSidecar {
  /** Serialized `SidecarFile`. */
  readonly contents: Uint8Array;
  /** Numbers of the enumeration SidecarType. */
  readonly types: readonly number[];
}

/**
 * @param sidecar 1, which the file names by its hash
 * @see contracts/streams.md section 2.3
 */
export function writeRecordFile(
  items: readonly StreamItem[],
  startHash: Uint8Array,
  blockNumber: bigint,
  [major, minor, patch]: readonly [number, number, number],
  sidecar: WrittenSidecar | null = null,
): WrittenRecordFile {
  const endHash = runningHash(startHash, items);
  const head = RecordStreamFile.encode({
    hapiProtoVersion: { major, minor, patch },
    startObjectRunningHash: hashObject(startHash),
  });
  const sidecars =
    sidecar === null
      ? []
      : [{ hash: hashObject(sha384(sidecar.contents)), id: SIDECAR_ID, types: sidecar.types }];
  const tail = RecordStreamFile.encode({ endObjectRunningHash: hashObject(endHash), blockNumber, sidecars });
  // Items are joined as they are: the running hash is over exactly these bytes.
  const bytes = Buffer.concat([int32(6), head, ...items.map(encodeItem), tail]);
  const block = Buffer.alloc(8);
  block.writeBigInt64BE(blockNumber, 0);
  const numbers = [6, major, minor, patch].map(int32);
  return {
    bytes,
    fileHash: sha384(bytes),
    metadataHash: sha384(...numbers, startHash, endHash, block),
    endHash,
  };
}

/** What events tell beside their records; null when that is nothing. @see contracts/streams.md section 2.5 */
export function writeSidecar(events: readonly LedgerEvent[]): WrittenSidecar | null {
  const sidecarRecords = events.flatMap(({ consensus, bytecode, trace }) => {
    const members = [
      ...(trace == null ? [] : tracedMembers(trace)),
      ...(bytecode === undefined ? [] : [{ bytecode }]),
    ];
    return members.map((member) => ({ consensusTimestamp: timestamp(consensus), ...member }));
  });
  if (sidecarRecords.length === 0) return null;
  const names = ['stateChanges', 'actions', 'bytecode'] as const;
  return {
    contents: messages.SidecarFile.encode({ sidecarRecords }),
    types: names.filter((name) => sidecarRecords.some((record) => name in record)).map((name) => TYPES[name]),
  };
}

function tracedMembers({ actions, stateChanges }: WrittenTrace): readonly MessageObject[] {
  return [
    { stateChanges: { contractStateChanges: stateChanges } },
    { actions: { contractActions: actions } },
  ];
}

/** A version 6 signature file of one node. @see contracts/streams.md section 4 */
export function writeSignatureFile(
  { fileHash, metadataHash }: Pick<WrittenRecordFile, 'fileHash' | 'metadataHash'>,
  signer: NodeSigner,
): Uint8Array {
  const message = messages.SignatureFile.encode({
    fileSignature: signatureObject(fileHash, signer),
    metadataSignature: signatureObject(metadataHash, signer),
  });
  return Buffer.concat([Uint8Array.of(6), message]);
}

function encodeItem({ transaction, record }: StreamItem): Uint8Array {
  const item = Buffer.concat([delimited(1, transaction), delimited(2, record)]);
  return delimited(3, item);
}

function delimited(field: number, bytes: Uint8Array): Uint8Array {
  return Buffer.concat([Uint8Array.of((field << 3) | 2), varint(bytes.length), bytes]);
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  return Uint8Array.from([...bytes, rest]);
}

function hashObject(hash: Uint8Array): MessageObject {
  return { algorithm: SHA_384, length: hash.length, hash };
}

function signatureObject(hash: Uint8Array, signer: NodeSigner): MessageObject {
  const signature = signer.sign(hash);
  return {
    type: SHA_384_WITH_RSA,
    length: signature.length,
    checksum: CHECKSUM_BASE - signature.length,
    signature,
    hashObject: hashObject(hash),
  };
}
