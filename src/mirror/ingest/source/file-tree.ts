import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** An entry of a folder. */
export interface TreeEntry {
  readonly name: string;
  readonly isFolder: boolean;
}

/** The part of a file system that a directory source reads; tests pass one in memory. */
export interface FileTree {
  /** What a path is; null when there is nothing. */
  kindOf(path: string): Promise<'file' | 'folder' | null>;
  list(folder: string): Promise<readonly TreeEntry[]>;
  /** Bytes of a file. */
  size(path: string): Promise<number>;
  read(path: string): Promise<Uint8Array>;
}

/** The file system of the operating system; symbolic links are followed. */
export const systemFileTree: FileTree = {
  async kindOf(path) {
    try {
      const found = await stat(path);
      return found.isDirectory() ? 'folder' : 'file';
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  },
  async list(folder) {
    const entries = await readdir(folder, { withFileTypes: true });
    return Promise.all(
      entries.map(async (entry) => ({
        name: entry.name,
        isFolder: entry.isSymbolicLink()
          ? await stat(join(folder, entry.name)).then(
              (found) => found.isDirectory(),
              () => false,
            )
          : entry.isDirectory(),
      })),
    );
  },
  async size(path) {
    return (await stat(path)).size;
  },
  read: (path) => readFile(path),
};
