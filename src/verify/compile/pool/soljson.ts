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

interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

const WASM_PAGE_BYTES = 65_536;
/** A smaller buffer is no heap of asm.js. */
const MIN_HEAP_BYTES = 16_777_216;

/**
 * Bounds the heap of the compiler that this thread loads afterwards: the engine's own limit counts neither WebAssembly nor
 * the buffer in which a compiler of asm.js has its heap. One that grows takes a new buffer, with the old one beside it
 * until it is copied.
 *
 * @returns what a compiler in this thread has taken and was refused, each since it was last set back.
 */
export function limitCompilerMemory(limitBytes: number) {
  const memory = { bytes: 0, hasRefused: false };
  const allow = (bytes: number): void => {
    if (bytes <= limitBytes) return;
    memory.hasRefused = true;
    throw new RangeError('The memory limit of the compiler is reached: out of memory');
  };
  const taken = (bytes: number): void => {
    memory.bytes = Math.max(memory.bytes, bytes);
  };
  // The Node types know WebAssembly only as a namespace of types.
  const { WebAssembly } = globalThis as unknown as { WebAssembly: { Memory: { prototype: WasmMemory } } };
  const { prototype } = WebAssembly.Memory;
  const { grow } = prototype;
  prototype.grow = function limited(this: WasmMemory, pages: number): number {
    allow(this.buffer.byteLength + pages * WASM_PAGE_BYTES);
    const previousPages = grow.call(this, pages);
    taken(this.buffer.byteLength);
    return previousPages;
  };
  globalThis.ArrayBuffer = new Proxy(ArrayBuffer, {
    construct(target, parameters, newTarget) {
      const bytes = Number(parameters[0]);
      allow(bytes);
      const made = Reflect.construct(target, parameters, newTarget);
      if (bytes >= MIN_HEAP_BYTES) taken(bytes);
      return made;
    },
  });
  return memory;
}

interface WasmTable {
  get(index: number): unknown;
  set(index: number, value?: unknown): void;
}

/**
 * Keeps what the tables of the compilers that this thread loads afterwards hold.
 *
 * Every call of solc that may throw asks its table for a function, which the engine answers slowly: a sixth of the time
 * of a compilation. Emscripten fills the table at the start and changes it by `set` alone.
 */
export function keepTableEntries(): void {
  // The Node types know WebAssembly only as a namespace of types.
  const { WebAssembly } = globalThis as unknown as { WebAssembly: { Table: { prototype: WasmTable } } };
  const { prototype } = WebAssembly.Table;
  const { get, set } = prototype;
  const kept = new WeakMap<WasmTable, unknown[]>();
  let latest: WasmTable | null = null;
  let entries: unknown[] = [];
  const use = (table: WasmTable): void => {
    latest = table;
    entries = kept.get(table) ?? [];
    kept.set(table, entries);
  };
  prototype.get = function fromMemory(this: WasmTable, index: number): unknown {
    if (this !== latest) use(this);
    const known = entries[index];
    // An empty place may be filled by code that nobody sees.
    if (known !== undefined && known !== null) return known;
    const found = get.call(this, index);
    entries[index] = found;
    return found;
  };
  prototype.set = function remembered(this: WasmTable, index: number, ...value: [unknown?]): void {
    set.call(this, index, ...value);
    if (this !== latest) use(this);
    entries[index] = undefined;
  };
}

/**
 * Reads what a compiler threw.
 *
 * @param hasRefusedMemory whether it was refused memory during the run: whatever it threw then is a consequence.
 */
export function compilerFault(error: unknown, hasRefusedMemory: boolean) {
  const message = error instanceof Error ? error.message : String(error);
  if (hasRefusedMemory || /cannot enlarge memory|out of memory|OOM/i.test(message)) {
    return { reason: 'out_of_memory', message } as const;
  }
  return { reason: 'crashed', message: explained(message) } as const;
}

/** The engine's words for the limits of a compiler say nothing to those who do not know how it is built. */
function explained(message: string): string {
  if (/call stack|memory access out of bounds|stack overflow/i.test(message)) {
    return `The compiler ran out of stack (${message}): its input is nested too deeply`;
  }
  if (message === 'undefined') return 'The compiler failed without a message';
  return message;
}
