import type { StreamItem } from '../../items/stream-item.ts';

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
