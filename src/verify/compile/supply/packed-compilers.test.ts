import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packCompilers } from '../../../../scripts/pack-compilers.ts';
import { CompilerPool } from '../pool/compiler-pool.ts';
import { PACKED_COMPILERS, readPackedCompilers } from './packed-compilers.ts';

let folder = '';
let pool: CompilerPool;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerlens-packed-'));
  pool = new CompilerPool({
    workers: 1,
    memoryLimitMiB: 1024,
    recycling: { threadBytes: 1e12, runs: 1000, processBytes: 1e12, processPauseMs: 0 },
  });
  await packCompilers(folder);
});
afterAll(async () => {
  await pool.close();
  rmSync(folder, { recursive: true });
});

describe('the compilers that the build packs', () => {
  test('are none where nothing was built', () => {
    expect(readPackedCompilers(join(folder, 'nowhere'))).toEqual([]);
  });

  test.each(PACKED_COMPILERS)('start and tell the version of the list: $version', async (compiler) => {
    const { path, sha256 } = packedFile(compiler.version);
    expect(readFileSync(path).length).toBeLessThan(7_000_000);
    expect(await pool.version(path, sha256)).toContain(compiler.version);
  });

  test('are not run when they were exchanged or cut', async () => {
    const { path, sha256 } = packedFile('0.4.26+commit.4563c3fc');
    await expect(pool.version(packedFile('0.5.17+commit.d19bba13').path, sha256)).rejects.toThrow(
      'the file is not run',
    );
    const cut = join(folder, 'cut.js.br');
    writeFileSync(cut, readFileSync(path).subarray(0, 1000));
    await expect(pool.version(cut, sha256)).rejects.toThrow('cannot be unpacked');
  });

  test('are not packed from a package of another release', async () => {
    const other = { package: 'solc', version: '0.8.30+commit.73712a01', sha256: '0'.repeat(64) };
    const target = mkdtempSync(join(folder, 'other-'));
    await expect(packCompilers(target, [other])).rejects.toThrow(/solc has the SHA-256 .*: not packed/);
    expect(readdirSync(target)).toEqual([]);
  });
});

function packedFile(version: string) {
  const found = readPackedCompilers(folder).find((each) => each.version === version);
  if (found === undefined) throw new Error(`${version} was not packed`);
  return found;
}
