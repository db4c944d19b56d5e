import { statSync } from 'node:fs';

/** Which file a path means; another one may stand there later under the same name. */
export interface FileIdentity {
  readonly device: bigint;
  readonly inode: bigint;
}

/** @returns null when there is none, or none that can be looked at. */
export function fileIdentity(path: string): FileIdentity | null {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found === undefined ? null : { device: found.dev, inode: found.ino };
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
  readonly #companions = new Map<string, FileIdentity>();

  /** @param identity of the file that was opened. */
  constructor(path: string, identity: FileIdentity | null) {
    this.#path = path;
    this.#identity = identity;
  }

  /** Why nothing may be written now, in words; null: all is well. */
  objection(): string | null {
    const now = fileIdentity(this.#path);
    if (now === null) return 'the database file was deleted';
    if (!isSame(now, this.#identity)) return 'the database file was replaced by another';
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
