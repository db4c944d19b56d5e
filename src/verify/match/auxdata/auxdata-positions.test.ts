import { encode } from 'cborg';
import { describe, expect, test } from 'vitest';
import { bareHex, toHex } from '../../../values/hex.ts';
import { type AssemblyAuxdata, readAssemblyAuxdata } from './assembly-auxdata.ts';
import {
  type AuxdataInput,
  placeByEditedSource,
  placeByForm,
  planAuxdataPositions,
} from './auxdata-positions.ts';

const compiler = { language: 'Solidity', version: '0.8.30+commit.73712a01' } as const;

/** Metadata trailer with an IPFS hash made of one byte. */
function anAuxdata(fill: number): Uint8Array {
  const cbor = encode({ ipfs: new Uint8Array(34).fill(fill), solc: new Uint8Array([0, 8, 30]) });
  return Uint8Array.from([...cbor, 0, cbor.length]);
}

const [own, child, other] = [anAuxdata(1), anAuxdata(2), anAuxdata(3)] as const;
const LENGTH = own.length;

/** A contract that creates one, as solc prints it; `isDead` leaves out the instruction that refers to it. */
function aFactory({ isDead = false }: { readonly isDead?: boolean }): readonly AssemblyAuxdata[] {
  const push = (id: number) => ({ name: 'PUSH [$]', value: id.toString(16).padStart(64, '0') });
  const created = { '.code': [push(0)], '.data': { 0: { '.auxdata': bareHex(child), '.code': [] } } };
  const runtime = {
    '.auxdata': bareHex(own),
    '.code': isDead ? [] : [push(0)],
    '.data': { 0: created, [`a${'0'.repeat(63)}`]: 'a literal' },
  };
  return readAssemblyAuxdata({ '.code': [push(0)], '.data': { 0: runtime } });
}

function anInput({ literal = [], isDead = false }: { literal?: readonly number[]; isDead?: boolean }) {
  const runtime = Uint8Array.from([0x60, ...(isDead ? [] : [0x61, ...child]), ...literal, ...own]);
  const input: AuxdataInput = {
    compiler,
    runtime,
    creation: Uint8Array.from([0x62, ...runtime]),
    assembly: aFactory({ isDead }),
  };
  return input;
}

describe('the plan of auxdata positions', () => {
  test('counts a value only where the assembler has put it', () => {
    const plan = planAuxdataPositions(anInput({}));
    expect(plan.edited).toEqual({ creation: 'before_masking', runtime: 'before_masking' });
    expect(plan.known.runtime).toEqual({
      '1': { value: toHex(own), offset: 2 + LENGTH },
      '2': { value: toHex(child), offset: 2 },
    });
    expect(plan.known.creation['2']).toEqual({ value: toHex(child), offset: 3 });
  });

  test('takes the only copy of a dead contract for the literal that it is (issue 13)', () => {
    const plan = planAuxdataPositions(anInput({ isDead: true, literal: [...child] }));
    expect(plan.known.runtime).toEqual({ '1': { value: toHex(own), offset: 1 + LENGTH } });
    expect(Object.keys(plan.known.creation)).toEqual(['1']);
  });

  test('lets nested values without a hash be masked by nobody', () => {
    const none = [...encode({ solc: new Uint8Array([0, 8, 30]) }), 0, 10];
    const entry = { value: bareHex(Uint8Array.from(none)), creation: 'once', runtime: 'once' } as const;
    const runtime = Uint8Array.from([0x60, ...none, 0x61, ...none]);
    const assembly = [
      { ...entry, isOwn: true },
      { ...entry, isOwn: false },
    ];
    const plan = planAuxdataPositions({ compiler, assembly, runtime, creation: runtime });
    expect(plan.edited.runtime).toBe('before_masking');
    const code = { original: runtime, edited: runtime, assembly, editedAssembly: assembly };
    expect(placeByEditedSource(code, 'runtime')).toEqual({});
  });

  test('leaves two copies of a value to edited sources', () => {
    const plan = planAuxdataPositions(anInput({ literal: [...child] }));
    expect(plan).toEqual({
      known: { creation: {}, runtime: {} },
      edited: { creation: 'always', runtime: 'always' },
    });
  });

  test('masks no end of creation code that the assembly does not name (issue 13)', () => {
    const assembly = aFactory({ isDead: true }).slice(0, 1);
    const runtime = Uint8Array.from([0x60, ...own]);
    const creation = Uint8Array.from([0x61, ...runtime, ...other]);
    const plan = planAuxdataPositions({ compiler, assembly, creation, runtime });
    expect(plan.known.creation).toEqual({ '1': { value: toHex(own), offset: 2 } });
    expect(planAuxdataPositions({ compiler, assembly: [], creation, runtime }).known.creation).toEqual({});
  });

  test('finds the auxdata of solc 0.4.10 by those of the runtime code', () => {
    const bzzr = (fill: number) => {
      const cbor = encode({ bzzr0: new Uint8Array(32).fill(fill) });
      return [...cbor, 0, cbor.length];
    };
    const runtime = Uint8Array.from([0x60, ...bzzr(1)]);
    const creation = Uint8Array.from([0x61, ...runtime, ...bzzr(2)]);
    const old = { language: 'Solidity', version: '0.4.10+commit.f0d539ae' } as const;
    const { known } = planAuxdataPositions({ compiler: old, assembly: [], creation, runtime });
    expect(known.creation['1']?.offset).toBe(2);
    expect(known.runtime['1']?.offset).toBe(1);
  });

  test('takes nothing for metadata that the settings leave out', () => {
    const vyper = { language: 'Vyper', version: '0.4.0+commit.e9db8d9f' } as const;
    const creation = Uint8Array.from(Buffer.from('600084188f8000a1657679706572830004000012', 'hex'));
    const input = { compiler: vyper, assembly: [], creation, runtime: Uint8Array.from([0x60]) };
    expect(planAuxdataPositions(input).known.creation['1']?.offset).toBe(2);
    expect(planAuxdataPositions({ ...input, hasNoAuxdata: true }).known.creation).toEqual({});
  });

  test('takes nothing of Yul for metadata, where even these are a literal', () => {
    const input = { ...anInput({}), compiler: { ...compiler, language: 'Yul' } as const };
    expect(planAuxdataPositions(input).known).toEqual({ creation: {}, runtime: {} });
  });
});

describe('edited sources', () => {
  test('number what the code holds more often than the assembly lists it on, literals left out', () => {
    const [ownEdited, childEdited] = [anAuxdata(4), anAuxdata(5)];
    const assembly = aFactory({});
    const editedAssembly = assembly.map((entry, index) => ({
      ...entry,
      value: bareHex(index === 0 ? ownEdited : childEdited),
    }));
    const code = (mine: Uint8Array, nested: Uint8Array) =>
      Uint8Array.from([0x60, ...child, 0x61, ...nested, 0x62, ...nested, 0x63, ...nested, 0x64, ...mine]);
    const given = {
      original: code(own, child),
      edited: code(ownEdited, childEdited),
      assembly,
      editedAssembly,
    };
    const at = (index: number) => 1 + index * (1 + LENGTH);
    expect(placeByEditedSource(given, 'runtime')).toEqual({
      '1': { value: toHex(own), offset: at(4) },
      '2': { value: toHex(child), offset: at(1) },
      '3': { value: toHex(child), offset: at(2) },
      '4': { value: toHex(child), offset: at(3) },
    });
  });

  test('find those of factories of solc 0.4.11 by their form, literals left out', () => {
    const bzzr = (fill: number) => [...encode({ bzzr0: new Uint8Array(32).fill(fill) }), 0, 41];
    const old = { language: 'Solidity', version: '0.4.11+commit.68ef5810' } as const;
    const code = (nested: number, mine: number) =>
      Uint8Array.from([0x60, ...bzzr(9), 0x61, ...bzzr(nested), 0x62, ...bzzr(mine)]);
    const codes = (bytes: Uint8Array) => ({ compiler: old, creation: bytes, runtime: bytes });
    const found = placeByForm(codes(code(1, 2)), codes(code(3, 4)), 'runtime');
    expect(Object.entries(found).map(([key, { offset }]) => [key, offset])).toEqual([
      ['1', 89],
      ['2', 45],
    ]);
    const runtime = code(1, 2);
    expect(planAuxdataPositions({ compiler: old, assembly: [], creation: runtime, runtime }).edited).toEqual({
      creation: 'without_match',
      runtime: 'without_match',
    });
    // The head before the true one takes it for a part of its hash, whose end is at hand in both hashes.
    const hash = (fill: number) => [
      ...new Uint8Array(12).fill(fill),
      0,
      41,
      ...new Uint8Array(18).fill(fill),
    ];
    const deceiving = (fill: number) => {
      const real = [...bzzr(0).slice(0, 9), ...hash(fill), 0, 41];
      return Uint8Array.from([0x60, ...bzzr(0).slice(0, 9), ...new Uint8Array(11).fill(0x5b), ...real]);
    };
    expect(placeByForm(codes(deceiving(1)), codes(deceiving(2)), 'runtime')).toEqual({});
  });

  test('tell the compiler’s auxdata from equal literals', () => {
    const [ownEdited, childEdited] = [anAuxdata(4), anAuxdata(5)];
    const assembly = aFactory({});
    const editedAssembly = assembly.map((entry, index) => ({
      ...entry,
      value: bareHex(index === 0 ? ownEdited : childEdited),
    }));
    const original = Uint8Array.from([0x60, ...child, 0x61, ...child, 0x62, ...own]);
    const edited = Uint8Array.from([0x60, ...child, 0x61, ...childEdited, 0x62, ...ownEdited]);
    expect(placeByEditedSource({ original, edited, assembly, editedAssembly }, 'runtime')).toEqual({
      '1': { value: toHex(own), offset: 3 + 2 * LENGTH },
      '2': { value: toHex(child), offset: 2 + LENGTH },
    });
  });
});

describe('the assembly', () => {
  const push = (id: string) => ({ name: 'PUSH [$]', value: id });
  const leaf = (fill: number) => ({ '.auxdata': bareHex(anAuxdata(fill)), '.code': [] });

  test('is read beyond ten parts, whose numbers are hexadecimal', () => {
    const parts = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [index.toString(16).toUpperCase(), leaf(index)]),
    );
    const found = readAssemblyAuxdata({ '.code': [push('b')], '.data': parts });
    expect(found).toHaveLength(12);
    expect(found.map(({ creation }) => creation).lastIndexOf('once')).toBe(11);
  });

  test('says perhaps for parts that it names in another way, and for equal ones beside each other', () => {
    const named = readAssemblyAuxdata({ '.code': [push('f'.repeat(16))], '.data': { 0: leaf(1) } });
    expect(named).toMatchObject([{ creation: 'perhaps', runtime: 'once' }]);
    const equal = readAssemblyAuxdata({
      '.code': [push('1'), push('2')],
      '.data': { 0: leaf(1), 1: leaf(2), 2: leaf(2) },
    });
    expect(equal).toMatchObject([{ creation: 'never' }, { creation: 'once' }, { creation: 'perhaps' }]);
  });

  test('counts a created contract and the runtime code of it beside each other (issue 13)', () => {
    const at = (begin: number) => ({ ...push('0'), begin, end: begin + 1, source: 0 });
    const runtime = (fill: number, begin: number) => ({
      '.auxdata': bareHex(anAuxdata(fill)),
      '.code': [{ name: 'STOP', begin }],
    });
    const factoryOf = (created: number, named: number) => ({
      '.code': [push('0'), push('1')],
      '.data': { 0: runtime(named, 1), 1: { '.code': [at(2)], '.data': { 0: runtime(created, 3) } } },
    });
    expect(readAssemblyAuxdata(factoryOf(2, 2))).toMatchObject([{ creation: 'once' }, { creation: 'once' }]);
    // The same name for other code, and one that no instruction appends, may be the same bytes.
    const { '.data': parts, ...rest } = factoryOf(2, 2);
    const other = { ...parts, 0: { ...parts[0], '.code': [{ name: 'RETURN' }] } };
    expect(readAssemblyAuxdata({ ...rest, '.data': other })[1]).toMatchObject({ creation: 'perhaps' });
    const dead = { ...parts, 1: { ...parts[1], '.code': [] } };
    expect(readAssemblyAuxdata({ ...rest, '.data': dead })[1]).toMatchObject({ creation: 'never' });
  });
});
