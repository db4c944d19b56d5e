import { AbiParameters } from 'ox';
import { expect, test } from 'vitest';
import * as fc from '../../../test/support/properties.ts';
import { parseHex, toHex } from '../../values/hex.ts';
import { type AbiParameter, isCanonicalEncoding } from './canonical-arguments.ts';

const bytesOf = (hex: string) => parseHex(hex) ?? expect.fail(hex);

/** As a codec decides: what was decoded is encoded again. */
function isKept(types: readonly AbiParameter[], bytes: Uint8Array): boolean {
  try {
    const data = toHex(bytes);
    const values = AbiParameters.decode(types as readonly AbiParameters.Parameter[], data);
    return AbiParameters.encode(types as readonly AbiParameters.Parameter[], values as never) === data;
  } catch {
    return false;
  }
}

/** Types whose every byte that codec keeps, each with a value. */
type Sample = readonly [AbiParameter, unknown];
const hexOf = (size: number) =>
  fc.uint8Array({ minLength: size, maxLength: size }).map((bytes) => toHex(bytes));
const leaf: fc.Arbitrary<Sample> = fc.oneof(
  fc.bigInt(0n, 255n).map((value): Sample => [{ type: 'uint8' }, Number(value)]),
  fc.bigInt(0n, 2n ** 256n - 1n).map((value): Sample => [{ type: 'uint256' }, value]),
  fc.bigInt(-(2n ** 127n), 2n ** 127n - 1n).map((value): Sample => [{ type: 'int128' }, value]),
  fc.boolean().map((value): Sample => [{ type: 'bool' }, value]),
  hexOf(20).map((value): Sample => [{ type: 'address' }, value]),
  hexOf(4).map((value): Sample => [{ type: 'bytes4' }, value]),
  hexOf(32).map((value): Sample => [{ type: 'bytes32' }, value]),
  fc.uint8Array({ maxLength: 70 }).map((bytes): Sample => [{ type: 'bytes' }, toHex(bytes)]),
);
const nested = (inner: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> =>
  fc.oneof(
    // Equal values: those of one type of their own would need another generator.
    fc
      .tuple(inner, fc.integer({ min: 0, max: 3 }))
      .map(
        ([[{ type, ...rest }, value], count]): Sample => [
          { type: `${type}[]`, ...rest },
          Array.from({ length: count }, () => value),
        ],
      ),
    fc
      .tuple(inner, fc.integer({ min: 1, max: 3 }))
      .map(
        ([[{ type, ...rest }, value], count]): Sample => [
          { type: `${type}[${count}]`, ...rest },
          Array.from({ length: count }, () => value),
        ],
      ),
    fc
      .array(inner, { minLength: 1, maxLength: 3 })
      .map(
        (members): Sample => [
          { type: 'tuple', components: members.map(([type]) => type) },
          members.map(([, value]) => value),
        ],
      ),
  );
const sample = fc.oneof(leaf, nested(leaf), nested(nested(leaf)));
const samples = fc.array(sample, { minLength: 1, maxLength: 3 });
const encoded = (all: readonly Sample[]) =>
  bytesOf(
    AbiParameters.encode(
      all.map(([type]) => type) as readonly AbiParameters.Parameter[],
      all.map(([, value]) => value) as never,
    ),
  );

test('what a codec encodes is canonical, and one changed byte is what that codec says of it', () => {
  fc.assert(
    fc.property(samples, fc.nat(), fc.integer({ min: 1, max: 255 }), (all, place, change) => {
      const types = all.map(([type]) => type);
      const bytes = encoded(all);
      expect(isCanonicalEncoding(types, bytes)).toBe(true);
      const changed = Uint8Array.from(bytes);
      if (changed.length === 0) return;
      const at = place % changed.length;
      changed[at] = (changed[at] ?? 0) ^ change;
      expect([toHex(changed), isCanonicalEncoding(types, changed)]).toEqual([
        toHex(changed),
        isKept(types, changed),
      ]);
      expect(isCanonicalEncoding(types, Uint8Array.from([...bytes, 0]))).toBe(false);
      expect(isCanonicalEncoding(types, bytes.subarray(0, -1))).toBe(false);
    }),
    { numRuns: 500 },
  );
});

test.each<[string, string, boolean]>([
  ['function', `${'11'.repeat(24)}${'00'.repeat(8)}`, true],
  ['function', '11'.repeat(32), false],
  ['fixed168x10', `${'ff'.repeat(12)}${'80'.padEnd(40, '0')}`, true],
  ['ufixed8x1', `${'00'.repeat(31)}ff`, true],
  ['string', `${'20'.padStart(64, '0')}${'1'.padStart(64, '0')}${'ff'.padEnd(64, '0')}`, true],
  ['uint7', '00'.repeat(32), false],
  ['bytes33', '00'.repeat(32), false],
  ['uint256[0]', '', true],
  ['uint256[0][]', `${'20'.padStart(64, '0')}${'ff'.padStart(64, '0')}`, false],
  ['uint256[]]', '00'.repeat(32), false],
  ['mapping', '00'.repeat(32), false],
])('%s of %s: %s', (type, hex, isCanonical) => {
  expect(isCanonicalEncoding([{ type }], bytesOf(hex))).toBe(isCanonical);
});

test('places that point to the same bytes cost nothing', () => {
  const word = (number: number) => number.toString(16).padStart(64, '0');
  const count = 58;
  const pointers = (length: number) => word(32 * length).repeat(length);
  const inner = `${word(count)}${pointers(count)}${word(40_000)}${'11'.repeat(40_000)}`;
  const bytes = bytesOf(`${word(32)}${word(count)}${pointers(count)}${inner}`);
  const started = process.cpuUsage().user;
  expect(isCanonicalEncoding([{ type: 'bytes[][]' }], bytes)).toBe(false);
  const deep = `uint256${'[]'.repeat(100_000)}`;
  expect(isCanonicalEncoding([{ type: deep }], bytes)).toBe(false);
  // Microseconds; a codec takes seconds, and gigabytes.
  expect(process.cpuUsage().user - started).toBeLessThan(500_000);
});
