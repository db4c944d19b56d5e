import Module, { createRequire } from 'node:module';
import { isJsonObject } from '../../json-object.ts';
import { readSoljson } from './soljson-file.ts';

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

/** The part of a loaded soljson that passes texts; what an odd build lacks is absent. */
interface Soljson {
  cwrap: (name: string, result: string | null, parameters?: readonly string[], options?: unknown) => Callable;
  readonly lengthBytesUTF8?: (text: string) => number;
  readonly stringToUTF8?: (text: string, pointer: number, maxBytes: number) => void;
  readonly _malloc?: (bytes: number) => number;
  readonly _free?: (pointer: number) => void;
}

type Callable = (...parameters: unknown[]) => unknown;

/**
 * Makes a soljson take its texts from its heap.
 *
 * Its own `ccall` puts them on the compiler's stack, four bytes a character: from 5 MB on (2 MB with solc 0.7) that ran into
 * other memory, which ended as "memory access out of bounds" or, with solc 0.4, as garbled output.
 */
function passTextsByHeap(soljson: Soljson): void {
  const { cwrap, lengthBytesUTF8, stringToUTF8, _malloc: allocate, _free: free } = soljson;
  if (!lengthBytesUTF8 || !stringToUTF8 || !allocate || !free) return;

  const copy = (text: string): number => {
    const bytes = lengthBytesUTF8(text) + 1;
    const pointer = allocate(bytes);
    if (pointer === 0) throw new Error('The compiler is out of memory for its input');
    stringToUTF8(text, pointer, bytes);
    return pointer;
  };

  soljson.cwrap = (name, result, parameters = [], options) => {
    if (!parameters.includes('string')) return cwrap(name, result, parameters, options);
    const byPointer = parameters.map((type) => (type === 'string' ? 'number' : type));
    const call = cwrap(name, result, byPointer, options);
    return (...given) => {
      const copies: number[] = [];
      const passed = given.map((value, index) => {
        if (parameters[index] !== 'string' || typeof value !== 'string') return value;
        const pointer = copy(value);
        copies.push(pointer);
        return pointer;
      });
      try {
        return call(...passed);
      } finally {
        for (const pointer of copies) free(pointer);
      }
    };
  };
}
