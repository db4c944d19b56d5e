import { closeSync, openSync, readSync, statSync } from 'node:fs';

const HEADER_BYTES = 100;

/** Which file a path means; another one may stand there later under the same name. */
export interface FileIdentity {
  readonly device: bigint;
  readonly inode: bigint;
  /** Bytes it had when it was looked at. */
  readonly size: bigint;
}

/** @returns null when there is none, or none that can be looked at. */
export function fileIdentity(path: string): FileIdentity | null {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found === undefined ? null : { device: found.dev, inode: found.ino, size: found.size };
  } catch {
    // A folder on the way was replaced or locked away: the file is not there for anybody else either.
    return null;
  }
}

/** Made by the first connection that reads or writes, and kept while one is open. */
const COMPANIONS = [
  ['-wal', 'the write-ahead log'],
  ['-shm', 'the index of the write-ahead log'],
] as const;

/**
 * Notices that an open database file is not the one of its path any more: what is written to a deleted file is lost
 * with the process.
 *
 * The write-ahead log and its index count as well: without the one the last commits are nowhere but in the open file, and
 * without the other the next process makes its own, and both write over each other.
 */
export class DatabaseFile {
  readonly #path: string;
  readonly #identity: FileIdentity | null;
  /** Bytes that it had while it was whole. */
  #size: bigint;
  readonly #companions = new Map<string, FileIdentity>();

  /** @param identity of the file that was opened. */
  constructor(path: string, identity: FileIdentity | null) {
    this.#path = path;
    this.#identity = identity;
    this.#size = identity?.size ?? 0n;
  }

  /** Why nothing may be written now, in words; null: all is well. */
  objection(): string | null {
    const now = fileIdentity(this.#path);
    if (now === null) return 'the database file was deleted';
    if (!isSame(now, this.#identity)) return 'the database file was replaced by another';
    // Packing makes it smaller too, and writes the number of its pages anew.
    if (now.size < this.#size && isCutOff(this.#path, now.size)) return 'the database file was truncated';
    this.#size = now.size;
    for (const [ending, name] of COMPANIONS) {
      const found = fileIdentity(this.#path + ending);
      const known = this.#companions.get(ending);
      if (known !== undefined && !isSame(found, known))
        return `${name} of the database was deleted or replaced`;
      if (found !== null) this.#companions.set(ending, found);
    }
    return null;
  }
}

function isSame(one: FileIdentity | null, other: FileIdentity | null): boolean {
  return one !== null && other !== null && one.device === other.device && one.inode === other.inode;
}

/** Whether pages are missing that the file says it has. @see https://www.sqlite.org/fileformat.html section 1.3 */
function isCutOff(path: string, size: bigint): boolean {
  const header = Buffer.alloc(HEADER_BYTES);
  try {
    const file = openSync(path, 'r');
    try {
      if (readSync(file, header, 0, HEADER_BYTES, 0) < HEADER_BYTES) return true;
    } finally {
      closeSync(file);
    }
  } catch {
    return true;
  }
  // One stands for the largest size, which does not fit.
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  return size < BigInt(pageSize) * BigInt(header.readUInt32BE(28));
}
