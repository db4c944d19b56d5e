import type { EntityId } from '../../values/entity-id.ts';
import { MAX_INT64 } from '../../values/int64.ts';
import type { FileRepository, FileVersion } from '../ledger/files/file-repository.ts';
import type { TimestampBounds } from './timestamp-bounds.ts';

/** A system file as it was understood. */
export interface ReadFile<T> {
  readonly value: T;
  /** Consensus time of the last piece of the version used. */
  readonly timestamp: bigint;
  /** Since when this is what is read, where that is later: a newer version was broken. */
  readonly since?: bigint;
}

/** Versions of a broken system file to try, unless the operator sets another number. */
export const DEFAULT_FILE_ATTEMPTS = 12;

/** Reads the contents; null when the bytes are broken. */
export type FileParser<T> = (contents: Uint8Array) => T | null;

/**
 * Reads the newest version within the bounds; broken versions are left out, newest first.
 *
 * @param maxAttempts versions to try before giving up.
 * @returns null when no version exists or none of those tried can be read.
 * @see contracts/mirror-network.md section 3, broken content
 */
export async function readSystemFile<T>(
  files: FileRepository,
  file: EntityId,
  bounds: TimestampBounds,
  parse: FileParser<T>,
  maxAttempts: number,
): Promise<ReadFile<T> | null> {
  let upper = bounds.upper ?? MAX_INT64;
  let since: bigint | null = null;
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const version: FileVersion | null = await files.newestVersion(file, bounds.lower ?? 0n, upper);
    if (version === null) return null;
    since ??= version.lastTimestamp;
    const value = parse(version.contents);
    if (value !== null) return { value, timestamp: version.lastTimestamp, since };
    upper = version.firstTimestamp - 1n;
  }
  return null;
}

/** Reads the oldest version that can be read, for questions about times before it. */
export async function readEarliestFile<T>(
  files: FileRepository,
  file: EntityId,
  parse: FileParser<T>,
  maxAttempts: number,
): Promise<ReadFile<T> | null> {
  let lower = 0n;
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const version: FileVersion | null = await files.firstVersion(file, lower);
    if (version === null) return null;
    const value = parse(version.contents);
    if (value !== null) return { value, timestamp: version.lastTimestamp };
    lower = version.firstTimestamp + 1n;
  }
  return null;
}
