/** What a compiler in this thread has taken and was refused. */
interface CompilerMemory {
  /** Of its heap since this was last set to 0, which it stays until the heap grows. */
  bytes: number;
  /** Whether it was refused memory since this was last set to false. */
  hasRefused: boolean;
}

interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

const WASM_PAGE_BYTES = 65_536;
/** A smaller buffer is no heap of asm.js. */
const LEAST_HEAP_BYTES = 16_777_216;

/**
 * Bounds the heap of the compiler that this thread loads afterwards: the engine's own limit counts neither WebAssembly nor
 * the buffer in which a compiler of asm.js has its heap. One that grows takes a new buffer, with the old one beside it
 * until it is copied.
 */
export function limitCompilerMemory(limitBytes: number): CompilerMemory {
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
      if (bytes >= LEAST_HEAP_BYTES) taken(bytes);
      return made;
    },
  });
  return memory;
}
