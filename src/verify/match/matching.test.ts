import { keccak_256 } from '@noble/hashes/sha3.js';
import { encode } from 'cborg';
import { describe, expect, test } from 'vitest';
import * as fc from '../../../test/support/properties.ts';
import { bareHex, type Hex, toHex } from '../../values/hex.ts';
import { splitTrailingAuxdata } from './auxdata/auxdata.ts';
import { NO_TRAITS } from './compiled-code.ts';
import { hasExtraFileBug } from './extra-file-bug.ts';
import { findLinkReferences, readLinkableCode } from './link-references.ts';
import { matchRuntime, type RuntimeSides } from './match-runtime.ts';
import { applyTransformations, MatchingError } from './transformations.ts';
import { areConstructorArguments, matchCreation } from './verify-bytecode.ts';

const compiler = { language: 'Solidity', version: '0.8.30+commit.73712a01' } as const;

/** Metadata trailer with an IPFS hash made of one byte. */
function anAuxdata(fill: number): Uint8Array {
  const cbor = encode({ ipfs: new Uint8Array(34).fill(fill), solc: new Uint8Array([0, 8, 30]) });
  return Uint8Array.from([...cbor, 0, cbor.length]);
}

const BODY_BYTES = 200;
const OWN_ADDRESS = `0x${'5a'.repeat(20)}` as Hex;

interface Layout {
  readonly body: Uint8Array;
  readonly immutable: Uint8Array;
  readonly library: Uint8Array;
  readonly isOtherSource: boolean;
}

/** Code of 200 bytes with an immutable at 10 and 50 and a library at 100, then auxdata; and its deployment. */
function aDeployment({ body, immutable, library, isOtherSource }: Layout) {
  const recompiled = Uint8Array.from([...body, 0xfe, ...anAuxdata(1)]);
  recompiled[0] = 0x60;
  for (const start of [10, 50]) recompiled.fill(0, start, start + 32);
  recompiled.fill(0, 100, 120);
  const onchain = Uint8Array.from(recompiled);
  for (const start of [10, 50]) onchain.set(immutable, start);
  onchain.set(library, 100);
  if (isOtherSource) onchain.set(anAuxdata(2), BODY_BYTES + 1);
  const sides: RuntimeSides = {
    compiler,
    recompiled,
    onchain,
    address: OWN_ADDRESS,
    traits: NO_TRAITS,
    immutableReferences: { '7': [10, 50].map((start) => ({ start, length: 32 })) },
    linkReferences: { 'a.sol': { Lib: [{ start: 100, length: 20 }] } },
    auxdata: { '1': { value: toHex(anAuxdata(1)), offset: BODY_BYTES + 1 } },
  };
  return sides;
}

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const layouts: fc.Arbitrary<Layout> = fc.record({
  body: bytes(BODY_BYTES),
  immutable: bytes(32),
  library: bytes(20),
  isOtherSource: fc.boolean(),
});

describe('matchRuntime', () => {
  test('finds every difference that a deployment makes, and its record gives the code on chain', () => {
    fc.assert(
      fc.property(layouts, (layout) => {
        const sides = aDeployment(layout);
        const match = matchRuntime(sides);
        expect(match?.grade).toBe(layout.isOtherSource ? 'match' : 'exact_match');
        const { transformations = [], values = {} } = match ?? {};
        expect(values.immutables).toEqual({ '7': toHex(layout.immutable) });
        expect(values.libraries).toEqual({ 'a.sol:Lib': toHex(layout.library) });
        expect(applyTransformations(sides.recompiled, transformations, values)).toEqual(sides.onchain);
      }),
    );
  });

  test('never matches when one byte of the code differs', () => {
    const isCode = (index: number) =>
      !(index >= 10 && index < 42) && !(index >= 50 && index < 82) && !(index >= 100 && index < 120);
    const places = fc.integer({ min: 1, max: BODY_BYTES }).filter(isCode);
    fc.assert(
      fc.property(layouts, places, fc.integer({ min: 1, max: 255 }), (layout, index, change) => {
        const sides = aDeployment(layout);
        sides.onchain[index] = (sides.onchain[index] ?? 0) ^ change;
        expect(matchRuntime(sides)).toBeNull();
      }),
    );
  });

  test('does not match when two places of one immutable or one library differ', () => {
    const sides = aDeployment({
      body: new Uint8Array(BODY_BYTES),
      immutable: new Uint8Array(32).fill(9),
      library: new Uint8Array(20),
      isOtherSource: false,
    });
    sides.onchain[50] = 8;
    expect(matchRuntime(sides)).toBeNull();
    const twice = { 'a.sol': { Lib: [100, 130].map((start) => ({ start, length: 20 })) } };
    sides.onchain[50] = 9;
    sides.onchain[130] = 1;
    expect(matchRuntime({ ...sides, linkReferences: twice })).toBeNull();
  });

  test('is exact for a library only with its own address (issue 13)', () => {
    const code = (address: string) =>
      Uint8Array.from([0x73, ...Buffer.from(address, 'hex'), 0x30, 0x14, 0xfe, ...anAuxdata(1)]);
    const sides: RuntimeSides = {
      compiler,
      recompiled: code('00'.repeat(20)),
      onchain: code('5a'.repeat(20)),
      address: OWN_ADDRESS,
      traits: { ...NO_TRAITS, isLibrary: true, hasCallProtection: true },
      immutableReferences: {},
      linkReferences: {},
      auxdata: { '1': { value: toHex(anAuxdata(1)), offset: 24 } },
    };
    expect(matchRuntime(sides)?.grade).toBe('exact_match');
    expect(matchRuntime({ ...sides, onchain: code('5b'.repeat(20)) })?.grade).toBe('match');
    expect(matchRuntime({ ...sides, onchain: sides.recompiled })?.grade).toBe('match');
    // The same bytes of a contract are a literal, or a library that the settings link at zero.
    expect(matchRuntime({ ...sides, traits: NO_TRAITS })).toBeNull();
  });

  test('is exact for a library with its guard in an immutable only with its own address', () => {
    const code = (word: string) =>
      Uint8Array.from([0x7f, ...Buffer.from(word, 'hex'), 0x30, 0x14, 0xfe, ...anAuxdata(1)]);
    const sides: RuntimeSides = {
      compiler,
      recompiled: code('00'.repeat(32)),
      onchain: code(`${'00'.repeat(12)}${'5a'.repeat(20)}`),
      address: OWN_ADDRESS,
      traits: { ...NO_TRAITS, isLibrary: true },
      immutableReferences: { library_deploy_address: [{ start: 1, length: 32 }] },
      linkReferences: {},
      auxdata: { '1': { value: toHex(anAuxdata(1)), offset: 36 } },
    };
    expect(matchRuntime(sides)?.grade).toBe('exact_match');
    for (const word of [`${'00'.repeat(12)}${'5b'.repeat(20)}`, `${'01'.repeat(12)}${'5a'.repeat(20)}`])
      expect(matchRuntime({ ...sides, onchain: code(word) })?.grade).toBe('match');
    expect(matchRuntime({ ...sides, onchain: sides.recompiled })?.grade).toBe('match');
  });

  test('does not match code on chain that ends inside an immutable', () => {
    const sides = aDeployment({
      body: new Uint8Array(BODY_BYTES),
      immutable: new Uint8Array(32),
      library: new Uint8Array(20),
      isOtherSource: false,
    });
    expect(matchRuntime({ ...sides, onchain: sides.onchain.subarray(0, 60) })).toBeNull();
  });
});

describe('matchCreation', () => {
  const abi = [{ type: 'constructor', inputs: [{ type: 'uint256' }, { type: 'string' }] }];
  const recompiled = Uint8Array.from([0x60, 0x01, 0x02]);
  const sides = { compiler, recompiled, linkReferences: {}, auxdata: {}, abi };

  test('takes nothing after the code as no arguments', () => {
    expect(matchCreation({ ...sides, onchain: recompiled })).toEqual({
      grade: 'match',
      transformations: [],
      values: {},
    });
  });

  test('records canonical arguments and refuses any other bytes', () => {
    const word = (last: number) => [...new Uint8Array(31), last];
    const canonical = Uint8Array.from([...word(7), ...word(64), ...word(1), 0x61, ...new Uint8Array(31)]);
    const onchain = Uint8Array.from([...recompiled, ...canonical]);
    expect(matchCreation({ ...sides, onchain })).toEqual({
      grade: 'match',
      transformations: [{ type: 'insert', reason: 'constructorArguments', offset: 3 }],
      values: { constructorArguments: toHex(canonical) },
    });
    expect(matchCreation({ ...sides, onchain: Uint8Array.from([...onchain, 0]) })).toBeNull();
    const dirty = Uint8Array.from(onchain);
    dirty[dirty.length - 1] = 1;
    expect(matchCreation({ ...sides, onchain: dirty })).toBeNull();
    expect(matchCreation({ ...sides, abi: [], onchain })).toBeNull();
  });
});

describe('areConstructorArguments', () => {
  test('knows external function pointers', () => {
    const abi = [{ type: 'constructor', inputs: [{ type: 'function' }] }];
    expect(
      areConstructorArguments(abi, Uint8Array.from([...new Uint8Array(24).fill(1), ...new Uint8Array(8)])),
    ).toBe(true);
    expect(areConstructorArguments(abi, new Uint8Array(32).fill(1))).toBe(false);
  });

  const least = [...new Uint8Array(11).fill(255), 128, ...new Uint8Array(20)];
  const tooSmall = [...new Uint8Array(11).fill(255), 127, ...new Uint8Array(20).fill(255)];
  const one = [...new Uint8Array(31), 1];
  test.each<[string, object, readonly number[], boolean]>([
    ['a decimal of Vyper', { type: 'fixed168x10' }, one, true],
    ['its least value', { type: 'fixed168x10' }, least, true],
    ['one below it', { type: 'fixed168x10' }, tooSmall, false],
    ['a list of decimals', { type: 'fixed168x10[2]' }, [...least, ...one], true],
    ['a list cut short', { type: 'fixed168x10[2]' }, least, false],
    ['one in a structure', { type: 'tuple', components: [{ type: 'fixed168x10' }] }, least, true],
    ['a number without a sign', { type: 'ufixed168x10' }, one, true],
    ['one with a sign', { type: 'ufixed168x10' }, least, false],
  ])('knows fixed-point numbers: %s', (_what, input, bytes, expected) => {
    const abi = [{ type: 'constructor', inputs: [input] }];
    expect(areConstructorArguments(abi, Uint8Array.from(bytes))).toBe(expected);
  });
});

describe('readLinkableCode', () => {
  const references = { 'contracts/Long.sol': { ALibraryWithAVeryLongName: [{ start: 1, length: 20 }] } };

  const id = 'contracts/Long.sol:ALibraryWithAVeryLongName';

  test.each([
    ['the hash of the library', `__$${bareHex(keccak_256(Buffer.from(id))).slice(0, 34)}$__`],
    ['its name before 0.5.0, cut at 36 characters', `__${id.slice(0, 36)}__`],
    ['zeros', '0'.repeat(40)],
  ])('takes a placeholder made of %s', (_, placeholder) => {
    expect(bareHex(readLinkableCode(`60${placeholder}00`, references))).toBe(`60${'0'.repeat(40)}00`);
  });

  // As solc 0.4.26 printed them.
  test.each([
    [34, 'é', 'é__6'],
    [35, 'é', 'ß_6'],
    [35, 'é', '\ufffd__6'],
    [33, '€', '€__6'],
    [34, '€', '₟_6'],
    [35, '€', '⟟6'],
    [33, '😀', '😟_6'],
    [34, '😀', '🟟6'],
    [35, '😀', '🟶'],
  ])('takes the name cut at 36 bytes: %i letters and %s are %s', (letters, character, shown) => {
    const file = `${'x'.repeat(letters)}${character}/C.sol`;
    const references = { [file]: { Calc: [1, 23].map((start) => ({ start, length: 20 })) } };
    const placeholder = `__${'x'.repeat(letters)}${shown}3`;
    const code = readLinkableCode(`60${placeholder}61${placeholder}00`, references);
    const zeros = '0'.repeat(40);
    expect(bareHex(code)).toBe(`60${zeros}6361${zeros}6300`);
  });

  test('refuses an address where a placeholder should be', () => {
    expect(() => readLinkableCode(`60${'1'.repeat(40)}00`, references)).toThrow(MatchingError);
  });

  test('refuses placeholders that no reference names', () => {
    expect(() => readLinkableCode(`60__${'a'.repeat(38)}`, {})).toThrow(MatchingError);
  });
});

describe('findLinkReferences', () => {
  const place = (start: number) => ({ start, length: 20 });

  // As solc 0.4.8, 0.4.9 and 0.4.10 printed them.
  test.each([
    ['L', '__L_____________________________________63', '', 'L'],
    ['_L', '___L____________________________________63', '', '_L'],
    ['src/é.sol:L', '__src/é.sol:L__________________________63', 'src/é.sol', 'L'],
    ['project:/a.sol:L', '__project:/a.sol:L______________________63', 'project:/a.sol', 'L'],
    [
      'src/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa漢字.sol:L',
      '__src/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa柟63',
      'src/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa漢字.sol',
      'L',
    ],
  ])('finds %s', (id, placeholder, file, library) => {
    const object = `6173${placeholder}b3${placeholder}b3`;
    const references = findLinkReferences(object, ['Other', id]);
    expect(references).toEqual({ [file]: { [library]: [place(2), place(24)] } });
    const code = `${'0'.repeat(40)}63b3`;
    expect(bareHex(readLinkableCode(object, references))).toBe(`6173${code}${code}`);
  });

  test('stops at a place that is none of theirs', () => {
    const one = '__L_____________________________________';
    expect(findLinkReferences(`60${one}60__${'M'.padEnd(38, '_')}${one}`, ['L'])).toEqual({
      '': { L: [place(1)] },
    });
  });
});

describe('auxdata', () => {
  test('are split off the end only when they decode', () => {
    const auxdata = anAuxdata(3);
    const code = Uint8Array.from([0x60, 0xfe, ...auxdata]);
    expect(splitTrailingAuxdata(code)).toMatchObject({ offset: 2, value: toHex(auxdata) });
    expect(splitTrailingAuxdata(auxdata)).toBeNull();
    expect(splitTrailingAuxdata(Uint8Array.from([0x60, 0xfe, 0, 1]))).toBeNull();
    expect(splitTrailingAuxdata(new Uint8Array())).toBeNull();
  });
});

describe('hasExtraFileBug', () => {
  test('needs metadata hashes that agree (issue 13)', () => {
    const optimised = { optimizer: { enabled: true } };
    const cbor = encode({ solc: new Uint8Array([0, 8, 30]) });
    const none = [...cbor, 0, cbor.length];
    const code = (first: number, auxdata: Iterable<number>) => Uint8Array.from([first, 0xfe, ...auxdata]);
    expect(hasExtraFileBug(code(1, anAuxdata(1)), code(2, anAuxdata(1)), optimised)).toBe(true);
    expect(hasExtraFileBug(code(1, anAuxdata(1)), code(2, anAuxdata(2)), optimised)).toBe(false);
    expect(hasExtraFileBug(code(1, none), code(2, none), optimised)).toBe(false);
    expect(hasExtraFileBug(code(1, anAuxdata(1)), code(2, anAuxdata(1)), {})).toBe(false);
  });

  test.each([
    [8, true],
    [9, false],
  ])('needs near lengths: %d bytes more than 56', (more, expected) => {
    const optimised = { optimizer: { enabled: true } };
    const auxdata = [...anAuxdata(1)];
    const code = (length: number) => Uint8Array.from([...Array(length - auxdata.length).fill(1), ...auxdata]);
    expect(hasExtraFileBug(code(56), code(56 + more), optimised)).toBe(expected);
    expect(hasExtraFileBug(code(56 + more), code(56), optimised)).toBe(expected);
  });
});

describe('applyTransformations', () => {
  test('refuses a record without its value', () => {
    const transformation = { type: 'replace', reason: 'library', offset: 0, id: 'a.sol:Lib' } as const;
    expect(() => applyTransformations(new Uint8Array(20), [transformation], {})).toThrow(MatchingError);
    const values = { libraries: { 'a.sol:Lib': `0x${'11'.repeat(20)}` as Hex } };
    expect(applyTransformations(new Uint8Array(20), [transformation], values)).toEqual(
      new Uint8Array(20).fill(0x11),
    );
  });
});
