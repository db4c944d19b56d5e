import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compileForTest } from '../../../test/kit/verify/compile-for-test.ts';
import { preparedCodeOf } from '../../../test/kit/verify/match-vector.ts';
import { sharedJsonFiles, sharedPath } from '../../../test/shared-data.ts';
import { describeShared } from '../../../test/support/shared-suites.ts';
import { parseHex } from '../../values/hex.ts';
import { compareCodes, excerptAround } from './compare-codes.ts';
import { compareSettings } from './compare-settings.ts';

const FOLDERS = ['verifier-alliance', 'verifier-alliance/vyper'];

/** What a transformation of the matcher is called here. */
const NAME_OF_REASON: Readonly<Record<string, string>> = {
  immutable: 'immutable',
  library: 'library',
  callProtection: 'call_protection',
  cborAuxdata: 'metadata',
  constructorArguments: 'constructor_arguments',
};

interface Transformation {
  readonly reason: string;
  readonly offset: number;
}

/** Both codes of a vector, and what the matcher recorded. */
function sidesOf(path: string) {
  const vector = JSON.parse(readFileSync(path, 'utf8'));
  const code = preparedCodeOf(vector);
  const bytes = (hex: string) => parseHex(hex as `0x${string}`) ?? new Uint8Array();
  const { verification } = vector;
  return [
    {
      side: 'runtime' as const,
      recompiled: code.runtime,
      onchain: bytes(vector.onchain.deployedBytecode),
      grade: verification?.runtimeMatch ?? null,
      transformations: (verification?.runtimeTransformations ?? []) as readonly Transformation[],
    },
    {
      side: 'creation' as const,
      recompiled: code.creation,
      onchain: bytes(vector.onchain.creationBytecode),
      grade: verification?.creationMatch ?? null,
      transformations: (verification?.creationTransformations ?? []) as readonly Transformation[],
    },
  ];
}

describeShared('compareCodes on real contracts', () => {
  const vectors = FOLDERS.flatMap((folder) =>
    sharedJsonFiles('cases', folder).map(({ name, path }) => ({ name: `${folder}/${name}`, path })),
  );
  test.each(vectors)('$name', ({ path }) => {
    for (const { grade, transformations, ...codes } of sidesOf(path)) {
      const { places, firstUnexplained } = compareCodes(codes);
      if (grade === null) continue;
      expect([codes.side, firstUnexplained]).toEqual([codes.side, null]);
      const differing = transformations.filter(({ offset }) => codes.recompiled[offset] !== undefined);
      for (const { name, start, end } of places) {
        // These stand behind the recompiled code.
        if (start >= codes.recompiled.length) continue;
        const [own] = differing.filter(({ offset }) => offset >= start && offset < end);
        expect([name, start]).toEqual([NAME_OF_REASON[own?.reason ?? ''], own?.offset]);
      }
    }
    expect(sidesOf(path)).toHaveLength(2);
  });

  test('other settings of the optimiser are a difference of code', () => {
    const path = sharedPath('cases', 'verification-own', 'optimizer_runs_differ.json');
    const { input, onchain } = JSON.parse(readFileSync(path, 'utf8'));
    const [file, name] = input.contractIdentifier.split(':');
    const release = input.compilerVersion.split('+')[0];
    const chain = parseHex(onchain.deployedBytecode) ?? new Uint8Array();
    const runtimeOf = (standardJson: object) =>
      parseHex(compileForTest(standardJson, file, name, `solc-${release}`).runtime) ?? new Uint8Array();
    // Another number of runs leaves this contract as it is, but for its metadata.
    const otherRuns = runtimeOf(input.stdJsonInput);
    const compared = compareCodes({ side: 'runtime', recompiled: otherRuns, onchain: chain });
    expect(compared.places.map((each) => each.name)).toEqual(expect.arrayContaining(['metadata']));
    expect(compared.firstUnexplained).toBeNull();
    const settings = compareSettings(otherRuns, chain);
    expect(settings.find((each) => each.name === 'Compiler version')).toMatchObject({ differs: false });
    expect(settings.find((each) => each.name === 'Metadata hash')).toMatchObject({ differs: true });
    const unoptimised = runtimeOf({ ...input.stdJsonInput, settings: { evmVersion: 'cancun' } });
    expect(
      compareCodes({ side: 'runtime', recompiled: unoptimised, onchain: chain }).firstUnexplained?.name,
    ).toBe('code');
  });
});

const bytes = (hex: string) => new Uint8Array(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
/** solc 0.8.30 with an IPFS hash of one digit. */
const metadata = (digit: string, release = '00081e') =>
  `a2 64 69706673 58 22 1220${digit.repeat(64)} 64 736f6c63 43 ${release} 0033`;
const runtime = (recompiled: string, onchain: string) =>
  compareCodes({ side: 'runtime', recompiled: bytes(recompiled), onchain: bytes(onchain) });
const Z = '00'.repeat(32);
const A = '00'.repeat(20);

describe('compareCodes', () => {
  test.each([
    ['an immutable', `7f ${Z} 01`, `7f ${'ab'.repeat(32)} 01`, 'immutable', 1, 33],
    ['the address of a library', `01 73 ${A} 01`, `01 73 ${'ab'.repeat(20)} 01`, 'library', 2, 22],
    ['the own address of a library', `73 ${A} 30`, `73 ${'ab'.repeat(20)} 30`, 'call_protection', 1, 21],
    ['a hash of the sources', `6001 fe ${metadata('1')}`, `6001 fe ${metadata('2')}`, 'metadata', 3, 56],
  ])('explains %s', (_what, recompiled, onchain, name, start, end) => {
    const { places, firstUnexplained } = runtime(recompiled, onchain);
    expect([places, firstUnexplained]).toEqual([[{ name, start, end }], null]);
  });

  test('what the compiler says is code is that, whatever its bytes look like (issue 40)', () => {
    const codes = {
      side: 'runtime',
      recompiled: bytes(`73 ${A} 30`),
      onchain: bytes(`73 ${'ab'.repeat(20)} 30`),
    } as const;
    expect(compareCodes({ ...codes, codeAt: 1 })).toMatchObject({
      places: [{ name: 'code', start: 1, end: 21 }],
      firstUnexplained: { name: 'code' },
    });
    expect(compareCodes({ ...codes, codeAt: 21 }).places).toMatchObject([{ name: 'call_protection' }]);
  });

  test('metadata left out on chain are no other difference', () => {
    const { places } = runtime(`6001 6002 fe ${metadata('1')}`, '6001 6002 fe');
    expect(places.map(({ name }) => name)).toEqual(['metadata']);
  });

  test('joins bytes that stand close together, and counts others by themselves', () => {
    const { places, firstUnexplained, equalStart, equalEnd } = runtime(
      `01 02 03 04 ${'05'.repeat(20)} 06 07`,
      `01 12 03 14 ${'05'.repeat(20)} 16 07`,
    );
    expect(places).toEqual([
      { name: 'code', start: 1, end: 4 },
      { name: 'code', start: 24, end: 25 },
    ]);
    expect([firstUnexplained?.start, equalStart, equalEnd]).toEqual([1, 1, 1]);
  });

  test('names what follows creation code', () => {
    const codes = { side: 'creation', recompiled: bytes('6001'), onchain: bytes(`6001 ${Z}`) } as const;
    expect(compareCodes(codes).places).toEqual([{ name: 'constructor_arguments', start: 2, end: 34 }]);
  });

  test('a longer code is a difference', () => {
    expect(runtime('6001', '6001 00').firstUnexplained).toEqual({ name: 'length', start: 2, end: 3 });
  });
});

test('compareSettings tells compilers apart', () => {
  const settings = compareSettings(
    bytes(`5f fe ${metadata('1')}`),
    bytes(`6000 fe ${metadata('1', '000813')}`),
  );
  expect(settings.filter(({ differs }) => differs).map(({ name }) => name)).toEqual([
    'Compiler version',
    'Length',
  ]);
  expect(settings[0]).toMatchObject({ recompiled: 'solc 0.8.30', onchain: 'solc 0.8.19' });
  expect(settings.find(({ name }) => name === 'Newest instruction')).toMatchObject({
    recompiled: 'PUSH0 (shanghai)',
    onchain: null,
  });
});

test('excerptAround begins two lines before and ends with the codes', () => {
  const { recompiled, onchain } = excerptAround(new Uint8Array(100), new Uint8Array(70), 50);
  expect(recompiled.map(({ offset }) => offset)).toEqual([16, 32, 48, 64, 80, 96]);
  expect(onchain.at(-1)?.bytes.every((byte) => byte === null)).toBe(true);
  expect(recompiled.at(-1)?.bytes.filter((byte) => byte !== null)).toHaveLength(4);
});
