import type { FileTree } from '../../../../src/mirror/ingest/source/file-tree.ts';
import {
  type StreamOptions,
  type WrittenStream,
  writeStream,
} from '../../../../tools/network/write-stream.ts';

/** A file tree in a map; keys are absolute paths. */
export interface MemoryFileTree extends FileTree {
  readonly files: Map<string, Uint8Array>;
}

export function memoryFileTree(files = new Map<string, Uint8Array>()): MemoryFileTree {
  return {
    files,
    async kindOf(path) {
      if (files.has(path)) return 'file';
      return [...files.keys()].some((name) => name.startsWith(`${path}/`)) ? 'folder' : null;
    },
    async list(folder) {
      const below = [...files.keys()].filter((name) => name.startsWith(`${folder}/`));
      const entries = new Map<string, boolean>();
      for (const name of below) {
        const [first = '', ...rest] = name.slice(folder.length + 1).split('/');
        entries.set(first, rest.length > 0);
      }
      return [...entries].map(([name, isFolder]) => ({ name, isFolder }));
    },
    async size(path) {
      return files.get(path)?.length ?? null;
    },
    async read(path) {
      const bytes = files.get(path);
      if (bytes === undefined) throw new Error('no such file');
      return bytes;
    },
  };
}

/** A small written stream below `/stream`. */
export async function writtenStream(
  options: StreamOptions = {},
): Promise<{ readonly tree: MemoryFileTree; readonly written: WrittenStream }> {
  const tree = memoryFileTree();
  const written = await writeStream(
    async (path, bytes) => {
      tree.files.set(`/stream/${path}`, bytes);
    },
    { files: 4, keyBits: 1024, ...options },
  );
  return { tree, written };
}
