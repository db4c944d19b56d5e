/** The part of a loaded soljson that passes texts; what an odd build lacks is absent. */
export interface Soljson {
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
export function passTextsByHeap(soljson: Soljson): void {
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
