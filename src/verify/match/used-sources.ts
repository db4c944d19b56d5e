import { isJsonObject } from '../json-object.ts';

/**
 * Picks the members of a map by path that belong to files which a compilation used.
 *
 * The metadata list every file that the contract's own file reaches. Others were only sent along, and nothing says
 * that they have to do with the contract.
 *
 * @param metadata as the compiler printed it; without it all members count as used.
 */
export function pickUsed<T>(
  byPath: Readonly<Record<string, T>>,
  metadata: string | null,
): Readonly<Record<string, T>> {
  const listed = metadata === null ? null : listedSources(metadata);
  if (listed === null) return byPath;
  return Object.fromEntries(Object.entries(byPath).filter(([path]) => Object.hasOwn(listed, path)));
}

function listedSources(metadata: string): Readonly<Record<string, unknown>> | null {
  try {
    const parsed: unknown = JSON.parse(metadata);
    const sources = isJsonObject(parsed) ? parsed['sources'] : null;
    return isJsonObject(sources) && Object.keys(sources).length > 0 ? sources : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
