import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bareHex } from '../../../values/hex.ts';
import { createCompilerCatalog, type WantedCompiler } from '../compiler-catalog.ts';
import { createPrivateCopies } from '../copies/private-copies.ts';
import { createNativeRunner } from '../native/native-runner.ts';
import { createPrivateFolders } from '../native/private-folder.ts';
import { createOutputReader } from '../output/output-reader.ts';
import { CompileSlots } from '../pool/compile-slots.ts';
import { CompilerPool } from '../pool/compiler-pool.ts';
import { createSolidityCompiler } from '../solidity/solidity-compiler.ts';
import { createDirectoryCompilers } from './directory-compilers.ts';

const NO_DOWNLOADS = expect.stringMatching(/^no downloads/);

const folders = createPrivateFolders(async () => tmpdir());

const SOLJSON = createRequire(import.meta.url).resolve('solc-0.8.30/soljson.js');
const VERSION = '0.8.30+commit.73712a01';
const FILE = `soljson-v${VERSION}.js`;
const VYPER = 'vyper.0.4.1b1+commit.039d3692.linux';
const SCRIPT = '#!/bin/sh\necho 0.4.1b1+commit.039d3692\n';

let base = '';
let folder = '';
const put = (name: string, content: string) => writeFileSync(join(folder, name), content);
const sha256 = (name: string) =>
  createHash('sha256')
    .update(readFileSync(join(folder, name)))
    .digest('hex');
const sums = (...names: string[]) =>
  put('SHA256SUMS', names.map((name) => `${sha256(name)}  ${name}\n`).join(''));
const linux = { os: 'linux', cpu: 'x64' };
const aSource = (platform = linux) =>
  createDirectoryCompilers({
    folder: () => folder,
    description: 'the folder F',
    copies: createPrivateCopies(async () => join(base, 'cache')),
    platform,
  });
const find = (wanted: WantedCompiler) => createCompilerCatalog([aSource()]).find(wanted);
const vyper = { language: 'vyper', version: '0.4.1b1' } as const;
const solc = { language: 'solc', version: VERSION } as const;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'ledgerlens-compilers-'));
  folder = join(base, 'given');
  mkdirSync(folder);
});
afterEach(() => rmSync(base, { recursive: true }));

describe('a folder of compilers', () => {
  test('offers nothing without a checksum, and says what is missing', async () => {
    put(FILE, 'x');
    expect(await find(solc)).toMatchObject({
      kind: 'missing',
      lookedIn: [
        expect.stringMatching(/^the folder F: .*soljson-v0.8.30.* is not run: neither SHA256SUMS/),
        NO_DOWNLOADS,
      ],
    });
    const { compilers, problems } = await aSource().list();
    expect([compilers, problems]).toEqual([[], [expect.stringContaining(`${FILE} is not run`)]]);
  });

  test.each([
    ['SHA256SUMS', () => sums(FILE)],
    ['list.json with SHA-256 alone', () => put('list.json', list({ sha256: `0x${sha256(FILE)}` }))],
    ['list.json', () => put('list.json', list({ sha256: sha256(FILE), keccak256: keccak(FILE) }))],
    ['a checksum file of its own', () => put(`${FILE}.sha256`, `${sha256(FILE)} *./${FILE}\n`)],
  ])('takes the checksum from %s', async (_, write) => {
    put(FILE, 'x');
    write();
    expect(await find({ language: 'solc', version: '0.8.30' })).toMatchObject({
      kind: 'found',
      executable: { kind: 'wasm', version: VERSION, path: join(folder, FILE), sha256: sha256(FILE) },
    });
    expect(await aSource().list()).toMatchObject({ compilers: [{ version: VERSION }], problems: [] });
  });

  test.each([
    [
      'the SHA-256 of one list is another',
      () => {
        sums(FILE);
        put(`${FILE}.sha256`, `${'0'.repeat(64)}  ${FILE}\n`);
      },
      /its SHA-256 is \w+, the list has 0{64}; the file is not run/,
    ],
    [
      'its keccak-256 is another',
      () => put('list.json', list({ sha256: sha256(FILE), keccak256: '0'.repeat(64) })),
      /its keccak-256 is \w+, the list has 0{64}; the file is not run/,
    ],
    ['a list is no JSON', () => put('list.json', '{'), /its list.json is not JSON/],
    ['a list has no builds', () => put('list.json', '[]'), /its list.json has no array "builds"/],
    ['a line is malformed', () => put('SHA256SUMS', '# ours\n\nabc\n'), /line 3 of its SHA256SUMS is not/],
    [
      'a list cannot be read',
      () => mkdirSync(join(folder, 'SHA256SUMS')),
      /its SHA256SUMS cannot be read \(EISDIR\)/,
    ],
    [
      'the file is a folder',
      () => {
        sums(FILE);
        rmSync(join(folder, FILE));
        mkdirSync(join(folder, FILE));
      },
      /soljson.* cannot be read \(EISDIR\)/,
    ],
    ['the folder is gone', () => rmSync(folder, { recursive: true }), /the folder cannot be read \(ENOENT\)/],
  ])('offers nothing when %s, and says so', async (_, write, reason) => {
    put(FILE, 'x');
    write();
    expect(await find(solc)).toMatchObject({
      kind: 'missing',
      lookedIn: [expect.stringMatching(reason), NO_DOWNLOADS],
    });
  });

  test('sees a file that is changed or put into place later', async () => {
    const source = aSource();
    const catalog = createCompilerCatalog([source]);
    expect(await catalog.find(vyper)).toMatchObject({ kind: 'missing' });
    put(VYPER, SCRIPT);
    sums(VYPER);
    expect(await catalog.find(vyper)).toMatchObject({ kind: 'found' });
    put(VYPER, `${SCRIPT}# changed`);
    expect(await catalog.find(vyper)).toMatchObject({ kind: 'missing' });
  });

  test('uses executables of solc from the first on that takes standard JSON', async () => {
    const [old, first] = ['0.4.10+commit.f0d539ae', '0.4.11+commit.68ef5810'] as const;
    const names = [old, first].map((version) => `solc-linux-amd64-v${version}`);
    for (const name of names) put(name, SCRIPT);
    sums(...names);
    expect(await find({ language: 'solc', version: old })).toMatchObject({ kind: 'missing' });
    expect(await find({ language: 'solc', version: first })).toMatchObject({
      kind: 'found',
      executable: { kind: 'native' },
    });
  });

  test('compiles with a checked file, and never loads one that was changed after the check', async () => {
    copyFileSync(SOLJSON, join(folder, FILE));
    sums(FILE);
    const catalog = createCompilerCatalog([aSource()]);
    const slots = new CompileSlots(1);
    const pool = new CompilerPool({ workers: 1, slots, memoryLimitMiB: 1024 });
    try {
      const compiler = createSolidityCompiler({
        catalog,
        pool,
        runner: createNativeRunner(slots, folders, 1024),
        reader: createOutputReader(1024),
        memoryLimitMiB: 1024,
        jobTimeoutMs: 60_000,
      });
      const request = {
        input: { language: 'Solidity', sources: { 'a.sol': { content: 'contract A {}' } } },
        version: VERSION,
        target: { path: 'a.sol', name: 'A' },
        scope: 'target',
        timeoutMs: 60_000,
        signal: new AbortController().signal,
      } as const;
      expect(await compiler.compile(request)).toMatchObject({ kind: 'compiled' });
      put(FILE, 'module.exports = {};');
      expect(await compiler.compile(request)).toMatchObject({
        kind: 'failed',
        failure: {
          code: 'compiler_error',
          data: { compilerErrorMessage: expect.stringContaining('the file is not run') },
        },
      });
    } finally {
      await pool.close();
    }
  });
});

describe('executables in a folder', () => {
  test('are run from a copy that only this user can change, also without the right to execute', async () => {
    put(VYPER, SCRIPT);
    sums(VYPER);
    const lookup = await find(vyper);
    if (lookup.kind !== 'found') throw new Error('missing');
    const { path, kind, version } = lookup.executable;
    expect([kind, version]).toEqual(['native', '0.4.1b1+commit.039d3692']);
    expect(path).toBe(join(base, 'cache', 'run', sha256(VYPER), VYPER));
    expect(statSync(path).mode & 0o777).toBe(0o500);
    expect(execFileSync(path, { encoding: 'utf8' })).toBe('0.4.1b1+commit.039d3692\n');
  });

  test('are copied again when the copy was damaged', async () => {
    put(VYPER, SCRIPT);
    sums(VYPER);
    const first = await find(vyper);
    if (first.kind !== 'found') throw new Error('missing');
    rmSync(first.executable.path);
    writeFileSync(first.executable.path, 'damaged');
    expect(await find(vyper)).toEqual(first);
    expect(readFileSync(first.executable.path, 'utf8')).toBe(SCRIPT);
  });

  test.each([
    ['linux', 'x64', 'solc', 'solc-linux-amd64-v0.8.30+commit.73712a01'],
    ['linux', 'arm64', 'solc', 'solc-linux-arm64-v0.8.30+commit.73712a01'],
    ['darwin', 'x64', 'solc', 'solc-macosx-amd64-v0.8.30+commit.73712a01'],
    ['win32', 'x64', 'solc', 'solc-windows-amd64-v0.8.30+commit.73712a01.exe'],
    ['linux', 'x64', 'vyper', 'vyper.0.8.30+commit.73712a01.linux'],
    ['win32', 'x64', 'vyper', 'vyper.0.8.30+commit.73712a01.windows.exe'],
    ['linux', 'x64', 'fe', 'fe_linux_amd64-v0.8.30+commit.73712a01'],
    ['darwin', 'arm64', 'fe', 'fe_mac_arm64-v0.8.30+commit.73712a01'],
  ] as const)('on %s %s: %s is %s', async (os, cpu, language, name) => {
    put(name, 'x');
    sums(name);
    expect((await aSource({ os, cpu }).list()).compilers).toMatchObject([
      { language, version: VERSION, kind: 'native' },
    ]);
    expect((await aSource({ os: 'aix', cpu: 'ppc64' }).list()).compilers).toEqual([]);
  });

  test('with another name are told to the operator', async () => {
    put('vyper', SCRIPT);
    expect((await aSource().list()).problems).toEqual([
      expect.stringMatching(/vyper is not used: its name is not one of .*vyper\.<version>/),
    ]);
  });

  test('of a solc that takes no standard JSON yet are not used', async () => {
    const old = '0.3.5+commit.5f97274a';
    put(`solc-linux-amd64-v${old}`, 'x');
    put(`soljson-v${old}.js`, 'x');
    sums(`solc-linux-amd64-v${old}`, `soljson-v${old}.js`);
    expect(await find({ ...solc, version: old })).toMatchObject({ executable: { kind: 'wasm' } });
    expect(await find({ ...solc, version: old, kind: 'native' })).toMatchObject({ kind: 'missing' });
  });

  test('go before wasm unless another kind is wanted', async () => {
    const native = `solc-linux-amd64-v${VERSION}`;
    put(FILE, 'x');
    put(native, 'x');
    sums(FILE, native);
    expect(await find(solc)).toMatchObject({ executable: { kind: 'native' } });
    expect(await find({ ...solc, kind: 'wasm' })).toMatchObject({ executable: { kind: 'wasm' } });
    rmSync(join(folder, native));
    expect(await find(solc)).toMatchObject({ executable: { kind: 'wasm' } });
    expect(await find({ ...solc, kind: 'native' })).toMatchObject({ kind: 'missing' });
  });
});

function list(build: object): string {
  return JSON.stringify({ builds: [{ path: FILE, ...build }] });
}

function keccak(name: string): string {
  return bareHex(keccak_256(readFileSync(join(folder, name))));
}
