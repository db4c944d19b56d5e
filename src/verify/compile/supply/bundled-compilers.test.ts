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
    put('solc-other', '1.0.0', 'index.js');
    put('other', '0.8.30');
    const { compilers } = await aSource().list();
    expect(compilers.map(({ version, path }) => [version, path])).toEqual([
      ['0.8.30', join(folder, 'solc', 'soljson.js')],
      ['0.1.6', join(folder, 'solc-0.1.6', 'bin', 'soljson-latest.js')],
    ]);
  });

  test('have the version that they tell when they are started', async () => {
    put('solc', '0.8.30');
    expect(await aSource().find(wanted)).toMatchObject({ version: '0.8.30+commit.73712a01' });
    expect(await aSource().find({ ...wanted, version: '0.8.30+commit.00000000' })).toBeNull();
    expect(await aSource('nonsense').find(wanted)).toBeNull();
    expect(await aSource().find({ ...wanted, kind: 'native' })).toBeNull();
    expect(await aSource().find({ ...wanted, language: 'vyper' })).toBeNull();
  });

  test('are no reason to fail when a package is broken, but it is told', async () => {
    put('solc', '0.8.30');
    writeFileSync(join(folder, 'solc', 'package.json'), '{');
    await expect(aSource().find(wanted)).rejects.toThrow(/the packages in .* cannot be read/);
  });
});
