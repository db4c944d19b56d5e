import { afterEach, expect, test } from 'vitest';
import { keepTableEntries } from './soljson.ts';

/** Exports a table `t` of four places and `f0`, `f1`, which give 0 and 1; place 0 holds `f0`. */
const MODULE = Buffer.from(
  '0061736d010000000105016000017f0303020000040401700004070f0301740100026630000002663100010907010041000b01000a0b02040041000b040041010b',
  'hex',
);

interface Table {
  get(index: number): (() => number) | null;
  set(index: number, value: unknown): void;
  grow(by: number): number;
}
interface Wasm {
  readonly Table: { readonly prototype: Table };
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
  ) => {
    readonly exports: { readonly t: Table; readonly f0: () => number; readonly f1: () => number };
  };
}
const { WebAssembly: wasm } = globalThis as unknown as { WebAssembly: Wasm };
const { prototype } = wasm.Table;
const { get, set } = prototype;
afterEach(() => Object.assign(prototype, { get, set }));

test('a table answers what it holds, however often it is asked and changed', () => {
  keepTableEntries();
  const [one, other] = [0, 1].map(() => new wasm.Instance(new wasm.Module(MODULE)).exports);
  if (one === undefined || other === undefined) throw new Error('no instance');
  for (const { t, f0, f1 } of [one, other, one]) {
    for (let round = 0; round < 2; round++) {
      expect([t.get(0), t.get(1)]).toEqual([f0, null]);
      t.set(0, f1);
      expect([t.get(0), t.get(0)?.()]).toEqual([f1, 1]);
      t.set(1, f1);
      expect(t.get(1)).toBe(f1);
      t.set(1, null);
      t.set(0, f0);
    }
  }
  expect(() => one.t.get(4)).toThrow(RangeError);
  one.t.grow(1);
  expect(one.t.get(4)).toBeNull();
});

test('a table is not asked twice for the same function', () => {
  let asked = 0;
  prototype.get = function counted(this: Table, index: number) {
    asked += 1;
    return get.call(this, index);
  };
  keepTableEntries();
  const { t } = new wasm.Instance(new wasm.Module(MODULE)).exports;
  for (let round = 0; round < 3; round++) t.get(0);
  expect(asked).toBe(1);
});
