import { isJsonObject, type JsonObject } from '../../json-object.ts';
import type { LinkReferences } from '../../match/compiled-code.ts';

/**
 * Reads the link references of any solc: below 0.4.11 they are a flat list of libraries, named `Lib` or `file:Lib`; up to
 * 0.4.19 a path with a colon is cut there.
 *
 * @see contracts/verification-engine.md section 7.3
 */
export function readLinkReferences(references: JsonObject): LinkReferences {
  const byFile = new Map<string, Map<string, never>>();
  const add = (id: string, ranges: unknown) => {
    const colon = id.lastIndexOf(':');
    const [file, library] = [id.slice(0, Math.max(0, colon)), id.slice(colon + 1)];
    const libraries = byFile.get(file) ?? new Map<string, never>();
    byFile.set(file, libraries.set(library, ranges as never));
  };
  for (const [key, value] of Object.entries(references)) {
    if (Array.isArray(value)) add(key, value);
    else if (isJsonObject(value)) {
      for (const [library, ranges] of Object.entries(value)) add(`${key}:${library}`, ranges);
    }
  }
  return Object.fromEntries([...byFile].map(([file, libraries]) => [file, Object.fromEntries(libraries)]));
}
