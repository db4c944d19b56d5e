import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createBundledCompilers } from './bundled-compilers.ts';

let folder = '';
const put = (name: string, version: string, file = 'soljson.js') => {
  mkdirSync(dirname(join(folder, name, file)), { recursive: true });
  writeFileSync(join(folder, name, 'package.json'), JSON.stringify({ version }));
  writeFileSync(join(folder, name, file), '');
};
const wanted = { language: 'solc', version: '0.8.30', kind: 'wasm' } as const;
const aSource = (reported = '0.8.30+commit.73712a01.Emscripten.clang') =>
  createBundledCompilers(folder, async () => reported);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerlens-bundled-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the compilers installed from npm', () => {
  test('are the packages that hold a soljson file', async () => {
    put('solc', '0.8.30');
    put('solc-0.1.6', '0.1.6', 'bin/soljson-latest.js');
    put('solc-0.2.2', '0.2.2-2', 'bin/soljson-latest.js');
    put('solc-other', '1.0.0', 'index.js');
    put('other', '0.8.30');
    const { compilers } = await aSource().list();
    expect(compilers.map(({ version, path }) => [version, path])).toEqual([
      ['0.8.30', join(folder, 'solc', 'soljson.js')],
      ['0.1.6', join(folder, 'solc-0.1.6', 'bin', 'soljson-latest.js')],
      ['0.2.2', join(folder, 'solc-0.2.2', 'bin', 'soljson-latest.js')],
    ]);
  });

  test('have the version that they tell when they are started', async () => {
    put('solc', '0.8.30');
    expect(await aSource().find(wanted)).toMatchObject({ version: '0.8.30+commit.73712a01' });
    expect(await aSource().find({ ...wanted, version: '0.8.30+commit.00000000' })).toBeNull();
    expect(await aSource('nonsense').find(wanted)).toBeNull();
    put('solc-0.2.2', '0.2.2-2', 'bin/soljson-latest.js');
    const old = aSource('0.2.2-37381072/.-Emscripten/clang/int');
    expect(await old.find({ ...wanted, version: '0.2.2' })).toMatchObject({
      version: '0.2.2+commit.37381072',
    });
    expect(await aSource().find({ ...wanted, kind: 'native' })).toBeNull();
    expect(await aSource().find({ ...wanted, language: 'vyper' })).toBeNull();
  });

  test('are no reason to fail when a package is broken, but it is told', async () => {
    put('solc', '0.8.30');
    writeFileSync(join(folder, 'solc', 'package.json'), '{');
    await expect(aSource().find(wanted)).rejects.toThrow(/the packages in .* cannot be read/);
  });
});

describe('packed compilers', () => {
  const packed = {
    package: 'solc-0.8.30',
    version: '0.8.30+commit.73712a01',
    sha256: 'ab',
    path: '/packed/soljson.js.br',
  };
  const source = () =>
    createBundledCompilers(folder, async () => {
      throw new Error('nobody has to start it');
    }, [packed]);

  test('are given with version and checksum, by full and by short version', async () => {
    const executable = { kind: 'wasm', path: packed.path, sha256: 'ab', version: packed.version };
    expect(await source().find({ ...wanted, version: packed.version })).toEqual(executable);
    expect(await source().find(wanted)).toEqual(executable);
  });

  test('are not given for another commit, release or language', async () => {
    for (const version of ['0.8.30+commit.00000000', '0.8.3', '0.8.30-nightly.2025.5.7+commit.73712a01']) {
      expect(await source().find({ ...wanted, version })).toBeNull();
    }
    expect(await source().find({ ...wanted, kind: 'native' })).toBeNull();
  });

  test('are listed once, beside packages of other releases', async () => {
    put('solc', '0.8.37');
    put('solc-0.8.30', '0.8.30');
    expect((await source().list()).compilers.map(({ version, source: from }) => [version, from])).toEqual([
      ['0.8.37', 'npm package solc'],
      ['0.8.30+commit.73712a01', 'npm package solc-0.8.30, packed'],
    ]);
  });
});
