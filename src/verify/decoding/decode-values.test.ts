import { encode, type Parameter } from 'ox/AbiParameters';
import { describe, expect, test } from 'vitest';
import * as fc from '../../../test/support/properties.ts';
import type { DecodedField, DecodedValue } from '../../values/decode-calls.ts';
import { parseHex, toHex } from '../../values/hex.ts';
import { decodeValues } from './explain.ts';
import { readParameters, readSignature } from './read-parameters.ts';

/** A JSON parameter, a value as the codec takes it, and the same as it shall be decoded. */
interface Sample {
  readonly parameter: Parameter;
  readonly given: unknown;
  readonly decoded: DecodedValue;
}

const bytesOf = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map(toHex);
const plain = (type: string, given: unknown, decoded: DecodedValue): Sample => ({
  parameter: { name: 'p', type },
  given,
  decoded,
});

const integer = fc.tuple(fc.integer({ min: 1, max: 32 }), fc.boolean()).chain(([size, isSigned]) => {
  const top = 2n ** BigInt(size * 8 - (isSigned ? 1 : 0));
  const type = `${isSigned ? 'int' : 'uint'}${size * 8}`;
  return fc
    .bigInt({ min: isSigned ? -top : 0n, max: top - 1n })
    .map((value) => plain(type, value, value.toString()));
});
const leaf = fc.oneof(
  integer,
  fc.boolean().map((value) => plain('bool', value, value)),
  bytesOf(20).map((value) => plain('address', value, value)),
  fc
    .integer({ min: 1, max: 32 })
    .chain((size) => bytesOf(size).map((value) => plain(`bytes${size}`, value, value))),
  fc.uint8Array({ maxLength: 80 }).map((value) => plain('bytes', toHex(value), toHex(value))),
  // The codec writes texts that are well-formed.
  fc.string({ unit: 'grapheme', maxLength: 40 }).map((value) => plain('string', value, value)),
);

const tupleOf = (parts: readonly Sample[]): Sample => ({
  parameter: {
    name: 'p',
    type: 'tuple',
    components: parts.map(({ parameter }, index) => ({ ...parameter, name: `c${index}` })),
  } as Parameter,
  given: Object.fromEntries(parts.map(({ given }, index) => [`c${index}`, given])),
  decoded: parts.map(({ parameter, decoded }, index) => field(parameter, `c${index}`, decoded)),
});

function field(parameter: Parameter, name: string, value: DecodedValue): DecodedField {
  const type = readParameters([parameter])?.[0]?.type.text ?? '';
  return { name, type, value };
}

const { sample } = fc.letrec<{ sample: Sample; tuple: Sample; array: Sample }>((tie) => ({
  sample: fc.oneof({ depthSize: 'small', withCrossShrink: true }, leaf, tie('tuple'), tie('array')),
  tuple: fc.array(tie('sample'), { minLength: 1, maxLength: 4 }).map(tupleOf),
  // Equal elements are of one type.
  array: fc
    .tuple(tie('sample'), fc.integer({ min: 0, max: 3 }), fc.boolean())
    .map(([part, count, isFixed]) => ({
      parameter: {
        ...part.parameter,
        type: `${part.parameter.type}[${isFixed && count > 0 ? count : ''}]`,
      },
      given: Array.from({ length: count }, () => part.given),
      decoded: Array.from({ length: count }, () => part.decoded),
    })),
}));
const samples = fc.array(sample, { maxLength: 5 });

const encodeAll = (parts: readonly Sample[]) =>
  encode(parts.map(({ parameter }) => parameter) as never, parts.map(({ given }) => given) as never);
const fieldsOf = (parts: readonly Sample[]) =>
  readParameters(parts.map(({ parameter }) => parameter)) ?? expect.fail('the types are known');
const decode = (parts: readonly Sample[], data: Uint8Array) => decodeValues(fieldsOf(parts), data);

/** Values as the codec takes them again. */
function again(value: DecodedValue, { type, ...rest }: Parameter): unknown {
  const element = /^(.*)\[\d*\]$/.exec(type)?.[1];
  if (element !== undefined) {
    return (value as readonly DecodedValue[]).map((part) =>
      again(part, { ...rest, type: element } as Parameter),
    );
  }
  if (type === 'tuple') {
    const { components } = rest as { readonly components: readonly Parameter[] };
    const parts = value as readonly DecodedField[];
    return Object.fromEntries(
      components.map((component, index) => [component.name, again(parts[index]?.value ?? '', component)]),
    );
  }
  return /^u?int/.test(type) ? BigInt(value as string) : value;
}

describe('decodeValues', () => {
  test('gives back what was encoded', () => {
    fc.assert(
      fc.property(samples, (parts) => {
        const data = parseHex(encodeAll(parts)) ?? new Uint8Array();
        expect(decode(parts, data)).toEqual(
          parts.map(({ parameter, decoded }) => field(parameter, 'p', decoded)),
        );
      }),
      { numRuns: 500 },
    );
  });

  test('takes no other bytes than those that the values are encoded in', () => {
    const mutation = fc.record({
      at: fc.nat(),
      byte: fc.oneof(fc.constantFrom(0, 1, 32, 64, 255), fc.nat(255)),
      length: fc.constantFrom(-32, -1, 0, 0, 0, 1, 32),
    });
    let kept = 0;
    let refused = 0;
    fc.assert(
      fc.property(
        fc.array(sample, { minLength: 1, maxLength: 4 }),
        mutation,
        (parts, { at, byte, length }) => {
          const whole = Buffer.from(encodeAll(parts).slice(2), 'hex');
          const data = Buffer.alloc(Math.max(0, whole.length + length));
          whole.copy(data);
          if (data.length > 0) data[at % data.length] = byte;
          const decoded = decode(parts, data);
          if (decoded === null) {
            refused += 1;
            return;
          }
          kept += 1;
          const given = decoded.map(({ value }, index) =>
            again(value, parts[index]?.parameter ?? expect.fail('as many as there were')),
          );
          expect(encode(parts.map(({ parameter }) => parameter) as never, given as never)).toBe(toHex(data));
        },
      ),
      { numRuns: 1000 },
    );
    expect(Math.min(kept, refused)).toBeGreaterThan(0);
  });

  const word = (hex: string) => hex.padStart(64, '0');
  const of = (types: string, ...words: readonly string[]) =>
    decodeValues(
      readSignature(`f(${types})`)?.inputs ?? expect.fail('a signature'),
      parseHex(words.join('')) ?? new Uint8Array(),
    );

  test.each([
    ['dirty bytes above an address', 'address', [`01${'0'.repeat(22)}${'11'.repeat(20)}`]],
    ['a number of more bits', 'uint8', [word('100')]],
    ['a sign that is not extended', 'int8', [word('80')]],
    ['a truth of 2', 'bool', [word('2')]],
    ['dirty bytes behind bytes4', 'bytes4', [`11223344${'0'.repeat(54)}01`]],
    ['dirty padding', 'bytes', [word('20'), word('1'), `ff01${'0'.repeat(60)}`]],
    ['missing padding', 'bytes', [word('20'), word('1'), 'ff']],
    ['trailing bytes', 'uint256', [word('1'), word('0')]],
    ['an offset beyond the data', 'bytes', [word('400')]],
    ['an offset of 2^255', 'bytes', [`80${'0'.repeat(62)}`, word('0')]],
    ['a gap before the content', 'bytes', [word('40'), word('0'), word('0')]],
    ['two that share their content', 'bytes,bytes', [word('40'), word('40'), word('0')]],
    ['a text that is no UTF-8', 'string', [word('20'), word('1'), `ff${'0'.repeat(62)}`]],
    ['more elements than bytes', 'uint256[]', [word('20'), word('ffffffff')]],
    ['more fixed elements than bytes', 'uint256[999999999][999999999][999999999]', [word('0')]],
    ['elements that take no bytes', 'uint256[0][]', [word('20'), word('ffffffff')]],
    ['an empty tuple', '()', []],
    ['fixed-point numbers', 'fixed128x18', [word('1')]],
    ['types of libraries', 'Lib.State storage', [word('1')]],
    ['a number of 257 bits', 'uint257', [word('1')]],
  ])('refuses %s', (_, types, words) => {
    expect(of(types, ...words)).toBeNull();
  });

  test('a text keeps its byte order mark', () => {
    expect(of('string', word('20'), word('3'), `efbbbf${'0'.repeat(58)}`)).toEqual([
      { name: null, type: 'string', value: '\u{feff}' },
    ]);
  });
});

describe('readSignature', () => {
  test.each(['f', '(uint8)', 'f(uint8', 'f(uint8))', 'f(uint8)x', 'f(uint8,)', 'f(,uint8)', 'f((uint8]', ''])(
    '%s is none',
    (text) => {
      expect(readSignature(text)).toBeNull();
    },
  );

  test('what is nested deeper than any that contracts have is refused, not read', () => {
    const nested = (depth: number) => `f${'('.repeat(depth)}uint8${')'.repeat(depth)}`;
    expect(readSignature(nested(16))).not.toBeNull();
    expect(readSignature(nested(17))).toBeNull();
    expect(readSignature(nested(100_000))).toBeNull();
    expect(readSignature(`f(${'uint8,'.repeat(600)}uint8)`)).toBeNull();
  });
});

test('parameters that are nested without end are refused', () => {
  const nest = (depth: number) => {
    let parameter: object = { name: 'x', type: 'uint8' };
    for (let index = 0; index < depth; index += 1) {
      parameter = { name: 'x', type: 'tuple', components: [parameter] };
    }
    return [parameter];
  };
  expect(readParameters(nest(15))).not.toBeNull();
  expect(readParameters(nest(16))).toBeNull();
  expect(readParameters(nest(100_000))).toBeNull();
  expect(readParameters('uint8')).toBeNull();
  expect(readParameters([{ type: `uint8${'[1]'.repeat(20)}` }])).toBeNull();
});
