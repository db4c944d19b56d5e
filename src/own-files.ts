/** Folder of the code: `src`, or `dist` once built, where every script lies directly in it. */
export const CODE_FOLDER = new URL('.', import.meta.url);

/** Whether the sources run, as under vitest and tsx. */
export const RUNS_SOURCES = import.meta.url.endsWith('.ts');

/**
 * URL of a data file of the product, the same place in the sources, the build and the package.
 *
 * @param path below `src`, or from there, such as `../migrations/`
 */
export function ownFile(path: string): URL {
  return new URL(path, CODE_FOLDER);
}
