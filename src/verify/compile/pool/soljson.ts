import Module, { createRequire } from 'node:module';
import { isJsonObject } from '../../json-object.ts';
import { readSoljson } from './soljson-file.ts';
import { passTextsByHeap, type Soljson } from './texts-by-heap.ts';

/** A loaded solc: takes and gives standard JSON text. */
interface LoadedSolc {
  version(): string;
  compile(input: string): string;
}

/**
 * Loads a soljson file and drives it through the wrapper of the newest solc package.
 *
 * @throws Error when the checksum differs; the file is not run then. Only to be called inside a worker: the
 * file is code, and old ones change the process they run in.
 */
export function loadSoljson(path: string, sha256: string | null): LoadedSolc {
  const require = createRequire(import.meta.url);
  const wrapper: unknown = require('solc/wrapper');
  if (typeof wrapper !== 'function') throw new Error('The package solc has no wrapper');
  const soljson: unknown = sha256 === null ? require(path) : loadChecked(path, sha256);
  if (isJsonObject(soljson) && typeof soljson['cwrap'] === 'function') {
    passTextsByHeap(soljson as unknown as Soljson);
  }
  const solc: unknown = wrapper(soljson);
  if (!isJsonObject(solc)) throw new Error(`${path} is not solc`);
  return solc as unknown as LoadedSolc;
}

/** The bytes that were checked are the bytes that run: the file is read once. */
function loadChecked(path: string, sha256: string): unknown {
  const module = new Module(path) as Module & { _compile(code: string, name: string): void };
  module._compile(readSoljson(path, sha256), path);
  return module.exports;
}
