import { stat } from 'node:fs/promises';

/** Remembers what was made of a file as long as the file stays the same. */
export interface FileMemory<T> {
  /** @throws what `make` throws, and errors of the file system when there is no such file; neither is remembered. */
  get(path: string, make: () => Promise<T>): Promise<T>;
}

/** A file counts as the same while its number, size and times of change, down to the nanosecond, are. */
export function createFileMemory<T>(): FileMemory<T> {
  const known = new Map<string, { readonly stamp: string; readonly value: Promise<T> }>();
  return {
    async get(path, make) {
      const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
      const stamp = [ino, size, mtimeNs, ctimeNs].join('/');
      const before = known.get(path);
      if (before?.stamp === stamp) return before.value;
      const entry = { stamp, value: make() };
      known.set(path, entry);
      entry.value.catch(() => {
        if (known.get(path) === entry) known.delete(path);
      });
      return entry.value;
    },
  };
}
