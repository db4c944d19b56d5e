import type { OutputCache } from './output-cache.ts';
import { packOutput, unpackOutput } from './packed-output.ts';

/** Keeps outputs until the process ends, for servers whose database lives no longer either. */
export function createMemoryOutputCache({ maxBytes }: { readonly maxBytes: number }): OutputCache {
  /** Least recently used first. */
  const outputs = new Map<string, Buffer>();
  let totalBytes = 0;

  const remove = (key: string): void => {
    totalBytes -= outputs.get(key)?.length ?? 0;
    outputs.delete(key);
  };
  const add = (key: string, bytes: Buffer): void => {
    remove(key);
    outputs.set(key, bytes);
    totalBytes += bytes.length;
  };

  return {
    async read(key) {
      const bytes = outputs.get(key);
      if (bytes === undefined) return null;
      add(key, bytes);
      return unpackOutput(bytes);
    },
    async write(key, output) {
      add(key, await packOutput(output));
      for (const oldest of outputs.keys()) {
        if (totalBytes <= maxBytes) return;
        remove(oldest);
      }
    },
    async settled() {},
  };
}
