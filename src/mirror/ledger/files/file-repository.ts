import type { EntityId } from '../../../values/entity-id.ts';

/** One version of a system file: a create or update and the appends after it. */
export interface FileVersion {
  readonly contents: Uint8Array;
  /** Consensus time of the piece that begins the version. */
  readonly firstTimestamp: bigint;
  /** The greatest consensus time of its pieces inside the bounds. */
  readonly lastTimestamp: bigint;
  /** Whether nothing vouches for a piece of it. */
  readonly isTold?: boolean;
}

/**
 * Reads system files as they were at a time. The order of the chain tells which pieces belong together, not their times.
 *
 * @see contracts/mirror-network.md section 3, file assembly
 */
export interface FileRepository {
  /** The newest version that begins within the bounds, both inclusive; pieces after `upper` are left out. */
  newestVersion(file: EntityId, lower: bigint, upper: bigint): Promise<FileVersion | null>;
  /** The first version that begins at or after `lower`, whole. */
  firstVersion(file: EntityId, lower: bigint): Promise<FileVersion | null>;
}

/** For what a unit does to files. */
export interface StoredFiles extends FileRepository {
  /** The version to which a unit at a place appends at a time. */
  versionBefore(file: EntityId, time: bigint, place: bigint): Promise<FileVersion | null>;
}
