import { shorten } from '../../errors.ts';

/** Folder of all sources in a project. */
export const FE_SOURCE_FOLDER = 'src/';

/** What common file systems take for one name, and comfortably less than they take for a path. Bytes. */
const MAX_NAME_BYTES = 255;
const MAX_PATH_BYTES = 1000;
const MAX_NAMES = 32;

/**
 * Says why source paths cannot be written below a project folder.
 *
 * @returns a sentence naming the first wrong path, or null when all are fine.
 * @see contracts/verification-engine.md section 5, "Safety"
 */
export function feSourcePathProblem(paths: readonly string[]): string | null {
  const describe = (path: string, reason: string) =>
    `The Fe source path ${JSON.stringify(shorten(path))} ${reason}.`;
  const files = new Set(paths);
  for (const path of paths) {
    const reason = pathProblem(path);
    if (reason !== null) return describe(path, reason);
    const folder = parentsOf(path).find((parent) => files.has(parent));
    if (folder !== undefined) return describe(folder, 'is a folder of another source too');
  }
  return null;
}

function pathProblem(path: string): string | null {
  if (!path.startsWith(FE_SOURCE_FOLDER)) return `must begin with "${FE_SOURCE_FOLDER}"`;
  if (path.includes('\\') || path.includes('\0')) return 'must not contain a backslash or a NUL';
  const names = path.split('/');
  if (names.some((name) => name === '' || name === '.' || name === '..')) {
    return 'must not contain an empty name, "." or ".."';
  }
  if (names.length > MAX_NAMES) return `must not have more than ${MAX_NAMES} names`;
  const isTooLong = names.some((name) => Buffer.byteLength(name) > MAX_NAME_BYTES);
  return isTooLong || Buffer.byteLength(path) > MAX_PATH_BYTES ? 'is too long' : null;
}

function parentsOf(path: string): readonly string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}
