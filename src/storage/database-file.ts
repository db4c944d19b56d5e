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

/**
 * Notices that an open database file is not the one of its path any more: what is written to a deleted file is lost
 * with the process.
 *
 * The write-ahead log counts as well: without it the last commits are nowhere but in the open file.
 */
export class DatabaseFile {
  readonly #path: string;
  readonly #identity: FileIdentity | null;
  #log: FileIdentity | null = null;

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
    // Made by the first connection that reads or writes, and kept while one is open.
    const log = fileIdentity(`${this.#path}-wal`);
    if (this.#log === null) this.#log = log;
    else if (!isSame(log, this.#log)) return 'the write-ahead log of the database was deleted or replaced';
    return null;
  }
}

function isSame(one: FileIdentity | null, other: FileIdentity | null): boolean {
  return one !== null && other !== null && one.device === other.device && one.inode === other.inode;
}
