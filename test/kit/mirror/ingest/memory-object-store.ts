import type { ObjectQuery, ObjectStore } from '../../../../src/mirror/ingest/source/bucket/object-store.ts';
import { afterFolder } from '../../../../src/mirror/ingest/source/bucket/object-store.ts';

/** A bucket in a map, with what it was asked for. */
export interface MemoryObjectStore extends ObjectStore {
  readonly objects: Map<string, Uint8Array>;
  readonly listed: ObjectQuery[];
  readonly got: string[];
}

/** Lists in the order of the keys' bytes; folders count as keys do. */
export function memoryObjectStore(objects = new Map<string, Uint8Array>()): MemoryObjectStore {
  const listed: ObjectQuery[] = [];
  const got: string[] = [];
  return {
    objects,
    listed,
    got,
    async list(query) {
      listed.push(query);
      const { after = null, maxKeys, prefix } = query;
      const entries = new Map<string, number | null>();
      const keys = [...objects.keys()]
        .filter((key) => key.startsWith(prefix) && (after === null || key > after))
        .sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
      for (const key of keys) {
        const slash = key.indexOf('/', prefix.length);
        if (slash < 0) entries.set(key, objects.get(key)?.length ?? 0);
        else entries.set(key.slice(0, slash + 1), null);
      }
      const page = [...entries].slice(0, maxKeys);
      const [last, size] = page.at(-1) ?? [];
      return {
        objects: page.flatMap(([key, each]) => (each === null ? [] : [{ key, size: each }])),
        folders: page.flatMap(([key, each]) => (each === null ? [key] : [])),
        next: last === undefined || entries.size <= maxKeys ? null : size === null ? afterFolder(last) : last,
      };
    },
    async get(key) {
      got.push(key);
      return objects.get(key) ?? null;
    },
    close() {},
  };
}
