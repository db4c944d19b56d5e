/** How a worker is started: the file to run and, when that is a shim, the module it shall import. */
export interface WorkerEntry {
  readonly url: URL;
  readonly behindShim?: string;
}

const FIRST_NODE_WITH_TYPESCRIPT_WORKERS = 24;

/**
 * Finds a worker's file: `.js` in the build, `.ts` under vitest and tsx.
 *
 * A `.ts` worker needs a shim on Node below 24, and one that reads a few modules at a time when there are few files.
 *
 * @param name path from the module, without its ending
 * @param moduleUrl `import.meta.url` of the module that starts the worker
 */
export function workerEntry(
  name: string,
  moduleUrl: string,
  {
    hasFewFiles = false,
    nodeMajor = Number.parseInt(process.versions.node, 10),
  }: { readonly hasFewFiles?: boolean; readonly nodeMajor?: number } = {},
): WorkerEntry {
  if (!moduleUrl.endsWith('.ts')) {
    const built = new URL(`${name}.js`, moduleUrl);
    if (!hasFewFiles) return { url: built };
    return { url: new URL('./bounded-entry.js', import.meta.url), behindShim: built.href };
  }
  const source = new URL(`${name}.ts`, moduleUrl);
  if (nodeMajor >= FIRST_NODE_WITH_TYPESCRIPT_WORKERS) return { url: source };
  return { url: new URL('./boot.mjs', import.meta.url), behindShim: source.href };
}
