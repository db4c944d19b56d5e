import { Worker, type WorkerOptions } from 'node:worker_threads';
import { workerEntry } from './worker-entry.ts';

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
