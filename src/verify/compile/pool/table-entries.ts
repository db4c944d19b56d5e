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
