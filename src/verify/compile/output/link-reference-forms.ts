import { isJsonObject, type JsonObject } from '../../json-object.ts';
import type { CodeRange, LinkReferences } from '../../match/compiled-code.ts';
import { byFile } from '../../match/link-references.ts';

/**
 * Reads the link references of solc, in which up to 0.4.19 a path with a colon is cut there.
 *
 * @see contracts/verification-engine.md section 7.3
 */
export function readLinkReferences(references: JsonObject): LinkReferences {
  return byFile(
    Object.entries(references).flatMap(([key, libraries]) =>
      Object.entries(isJsonObject(libraries) ? libraries : {}).map(
        ([name, ranges]) => [`${key}:${name}`, ranges as readonly CodeRange[]] as const,
      ),
    ),
  );
}
