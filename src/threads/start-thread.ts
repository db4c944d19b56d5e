import { basename } from 'node:path';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { CODE_FOLDER, RUNS_SOURCES } from '../own-files.ts';

type ThreadOptions = Omit<WorkerOptions, 'workerData' | 'env'> & {
  readonly data?: object;
  readonly env?: Record<string, string>;
};

/**
 * Starts a thread of the product, which sees no environment variables but those that it is given.
 *
 * @param name path of its module below `src`, without its ending.
 * @param options `data` is what the module reads as `workerData`.
 */
export function startThread(name: string, { data = {}, env = {}, ...options }: ThreadOptions = {}): Worker {
  const { behindShim, url } = workerEntry(name);
  const workerData = behindShim === undefined ? data : { ...data, entry: behindShim };
  return new Worker(url, { ...options, workerData, env });
}

/** How a worker is started: the file to run and, when that is a shim, the module it shall import. */
interface WorkerEntry {
  readonly url: URL;
  readonly behindShim?: string;
}

const FIRST_NODE_WITH_TYPESCRIPT_WORKERS = 24;

/**
 * Finds a worker's file: `.js` directly in `dist` (`scripts/bundle.ts`), `.ts` under vitest and tsx.
 *
 * A `.ts` worker needs a shim on Node below 24.
 *
 * @param name path of its module below `src`, without its ending
 */
export function workerEntry(
  name: string,
  {
    code = CODE_FOLDER,
    nodeMajor = Number.parseInt(process.versions.node, 10),
    runsSources = RUNS_SOURCES,
  }: {
    readonly code?: URL;
    readonly nodeMajor?: number;
    readonly runsSources?: boolean;
  } = {},
): WorkerEntry {
  if (!runsSources) return { url: new URL(`${basename(name)}.js`, code) };
  const source = new URL(`${name}.ts`, code);
  if (nodeMajor >= FIRST_NODE_WITH_TYPESCRIPT_WORKERS) return { url: source };
  return { url: new URL('threads/boot.mjs', code), behindShim: source.href };
}
