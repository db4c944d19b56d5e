import { isJsonObject, type JsonObject } from '../../json-object.ts';
import type { LinkReferences } from '../../match/compiled-code.ts';

/**
 * Reads the link references of any solc: below 0.4.11 they are a flat list of libraries, named `Lib` or `file:Lib`.
 *
 * @see contracts/verification-engine.md section 7.3
 */
export function readLinkReferences(references: JsonObject): LinkReferences {
  const byFile = new Map<string, Map<string, never>>();
  const add = (file: string, library: string, ranges: unknown) => {
    const libraries = byFile.get(file) ?? new Map<string, never>();
    byFile.set(file, libraries.set(library, ranges as never));
  };
  for (const [key, value] of Object.entries(references)) {
    if (Array.isArray(value)) {
      const colon = key.lastIndexOf(':');
      add(key.slice(0, Math.max(0, colon)), key.slice(colon + 1), value);
    } else if (isJsonObject(value)) {
      for (const [library, ranges] of Object.entries(value)) add(key, library, ranges);
    }
  }
  return Object.fromEntries([...byFile].map(([file, libraries]) => [file, Object.fromEntries(libraries)]));
}
