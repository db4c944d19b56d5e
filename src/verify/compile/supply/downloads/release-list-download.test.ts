import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type LoopbackServer, startLoopbackServer } from '../../../../../test/kit/verify/loopback-server.ts';
import { ManualClock } from '../../../../values/clock.ts';
import { bareHex } from '../../../../values/hex.ts';
import { createCompilerCatalog, type WantedBuild } from '../../compiler-catalog.ts';
import { createPrivateCopies } from '../../copies/private-copies.ts';
import { createNativeRunner } from '../../native/native-runner.ts';
import { createPrivateFolders } from '../../native/private-folder.ts';
import { createOutputReader } from '../../output/output-reader.ts';
import { CompileSlots } from '../../pool/compile-slots.ts';
import { CompilerPool } from '../../pool/compiler-pool.ts';
import { createSolidityCompiler } from '../../solidity/solidity-compiler.ts';
import { CompilerCache } from '../compiler-cache.ts';
import { createDirectoryCompilers } from '../directory-compilers.ts';
import { createDownloader } from './download.ts';
import { createReleaseListDownload } from './release-list-download.ts';

const folders = createPrivateFolders(async () => tmpdir());

const VERSION = '0.8.29+commit.ab55807c';
const NIGHTLY = '0.8.29-nightly.2025.3.1+commit.aaaaaaaa';
const FILE = `solc-emscripten-wasm32-v${VERSION}.js`;
const wanted = { language: 'solc', version: VERSION, kind: 'wasm' } as const;
const limits = { timeoutsMs: [5000], restMs: 0, maxBytes: 50_000_000 };

let server: LoopbackServer;
let folder = '';
let clock: ManualClock;

function aPlace() {
  const cache = new CompilerCache(folder);
  const copies = createPrivateCopies(() => cache.folder());
  const platform = { os: 'linux', cpu: 'x64' };
  const downloader = createDownloader(fetch, limits);
  const download = createReleaseListDownload({
    baseUrl: `${server.url}/`,
    downloader,
    cache,
    copies,
    clock,
    platform,
  });
  const kept = createDirectoryCompilers({ folder: () => folder, description: 'kept', copies, platform });
  return { download, kept };
}

function entry(path: string, bytes: string | Uint8Array, change: object = {}) {
  const data = Buffer.from(bytes);
  return {
    path,
    longVersion: 'not used',
    sha256: `0x${createHash('sha256').update(data).digest('hex')}`,
    keccak256: `0x${bareHex(keccak_256(data))}`,
    ...change,
  };
}

const offer = (platform: string, ...builds: object[]) =>
  server.answers.set(`/${platform}/list.json`, JSON.stringify({ builds, releases: {} }));

beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerlens-list-'));
  clock = new ManualClock(1_000_000);
  server.answers.clear();
  server.requests.length = 0;
  offer('emscripten-wasm32', entry(FILE, 'the compiler'));
  offer('bin', entry(`soljson-v${NIGHTLY}.js`, 'nightly'), entry('soljson-v0.1.3+commit.028f561d.js', 'old'));
  server.answers.set(`/emscripten-wasm32/${FILE}`, 'the compiler');
  server.answers.set(`/bin/soljson-v${NIGHTLY}.js`, 'nightly');
  server.answers.set('/bin/soljson-v0.1.3+commit.028f561d.js', 'old');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a release list', () => {
  test('gives a file whose checksums agree, which is then present', async () => {
    const { download, kept } = aPlace();
    const path = join(folder, `soljson-v${VERSION}.js`);
    const executable = { kind: 'wasm', version: VERSION, path, sha256: sha256Of('the compiler') };
    expect(await kept.find(wanted)).toBeNull();
    expect(await download.fetch(wanted)).toEqual(executable);
    expect(await kept.find(wanted)).toEqual(executable);
    expect(readdirSync(folder).sort()).toEqual([`soljson-v${VERSION}.js`, `soljson-v${VERSION}.js.sha256`]);
  });

  test.each([
    ['0.8.29', VERSION],
    [NIGHTLY, NIGHTLY],
    ['0.1.3', '0.1.3+commit.028f561d'],
  ])('finds %s as %s', async (version, found) => {
    expect(await aPlace().download.fetch({ ...wanted, version })).toMatchObject({ version: found });
  });

  test.each(['0.8.28', '0.8.29+commit.00000000', '../../etc/passwd', `${VERSION}/..`, ''])(
    'has no %j',
    async (version) => {
      expect(await aPlace().download.fetch({ ...wanted, version })).toBeNull();
      expect(server.requests.map(({ path }) => path)).toEqual([
        '/emscripten-wasm32/list.json',
        '/bin/list.json',
      ]);
    },
  );

  test.each([
    ['damaged bytes', () => server.answers.set(`/emscripten-wasm32/${FILE}`, 'damaged'), /its SHA-256 is/],
    [
      'another keccak-256',
      () => offer('emscripten-wasm32', entry(FILE, 'the compiler', { keccak256: `0x${'0'.repeat(64)}` })),
      /its keccak-256 is \w+, the list has 0{64}/,
    ],
    [
      'no keccak-256 in the list',
      () => offer('emscripten-wasm32', entry(FILE, 'the compiler', { keccak256: undefined })),
      /the list has no keccak-256 of it/,
    ],
    [
      'no such file',
      () => server.answers.delete(`/emscripten-wasm32/${FILE}`),
      /the server has no such file/,
    ],
    [
      'a list that is no JSON',
      () => server.answers.set('/emscripten-wasm32/list.json', '<html>'),
      /not JSON/,
    ],
  ])('keeps nothing of %s', async (_, change, reason) => {
    change();
    const { download } = aPlace();
    await expect(download.fetch(wanted)).rejects.toThrow(reason);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('continues to the next list when one cannot be used', async () => {
    server.answers.delete('/emscripten-wasm32/list.json');
    expect(await aPlace().download.fetch({ ...wanted, version: NIGHTLY })).toMatchObject({
      version: NIGHTLY,
    });
    server.answers.set('/emscripten-wasm32/list.json', 'broken');
    expect(await aPlace().download.fetch({ ...wanted, version: NIGHTLY })).toMatchObject({
      version: NIGHTLY,
    });
  });

  test('says when there is no list at all, as below a wrong address', async () => {
    server.answers.clear();
    await expect(aPlace().download.fetch(wanted)).rejects.toThrow(
      'there is no list.json in emscripten-wasm32 or bin',
    );
  });

  test('does not look at file names that are paths', async () => {
    offer('emscripten-wasm32', entry(`../${FILE}`, 'the compiler'), entry(`/tmp/${FILE}`, 'the compiler'));
    expect(await aPlace().download.fetch(wanted)).toBeNull();
  });

  test('takes the file whose name a body holds, once and inside the list', async () => {
    const [first, second] = ['11111111', '22222222'].map(
      (commit) => `soljson-v0.8.29-nightly.2025.2.1+commit.${commit}.js`,
    ) as [string, string];
    offer('bin', entry(first, 'nightly'), entry(second, 'nightly'));
    server.answers.set(`/bin/${first}`, second);
    server.answers.set(`/bin/${second}`, 'nightly');
    const version = '0.8.29-nightly.2025.2.1+commit.11111111';
    expect(await aPlace().download.fetch({ ...wanted, version })).toMatchObject({
      version,
      sha256: sha256Of('nightly'),
    });
    server.answers.set(`/bin/${second}`, first);
    await expect(aPlace().download.fetch({ ...wanted, version })).rejects.toThrow(/its SHA-256 is/);
    server.answers.set(`/bin/${first}`, '../../secret.js');
    await expect(aPlace().download.fetch({ ...wanted, version })).rejects.toThrow(/its SHA-256 is/);
    expect(server.requests.map(({ path }) => path)).not.toContain('/bin/secret.js');
  });

  test('gives executables of this platform as private copies', async () => {
    const name = `solc-linux-amd64-v${VERSION}`;
    offer('linux-amd64', entry(name, '#!/bin/sh\n'));
    server.answers.set(`/linux-amd64/${name}`, '#!/bin/sh\n');
    const found = await aPlace().download.fetch({ ...wanted, kind: 'native' });
    expect(found).toMatchObject({ kind: 'native', path: expect.stringContaining(join(folder, 'run')) });
    expect(await aPlace().download.offers()).toEqual(
      expect.arrayContaining([
        { language: 'solc', version: VERSION, kind: 'native' },
        { language: 'solc', version: VERSION, kind: 'wasm' },
      ]),
    );
  });

  test('is asked again for a missing version after a minute, for others after ten', async () => {
    const { download } = aPlace();
    const lists = () => server.requests.filter(({ path }) => path === '/emscripten-wasm32/list.json').length;
    await download.fetch(wanted);
    clock.advance(61_000);
    await download.fetch(wanted);
    expect(lists()).toBe(1);
    await download.fetch({ ...wanted, version: '0.8.99' });
    await download.fetch({ ...wanted, version: '0.8.99' });
    expect(lists()).toBe(2);
    clock.advance(600_000);
    await download.fetch(wanted);
    expect(lists()).toBe(3);
  });

  test('may be used by two processes at once', async () => {
    const [left, right] = await Promise.all([
      aPlace().download.fetch(wanted),
      aPlace().download.fetch(wanted),
    ]);
    expect(left).toEqual(right);
    expect(await aPlace().kept.find(wanted)).toEqual(left);
  });

  test('offers releases, not nightlies', async () => {
    const versions = (await aPlace().download.offers()).map(({ version }) => version);
    expect(versions.sort()).toEqual(['0.1.3+commit.028f561d', VERSION]);
  });
});

describe('a catalog with a release list', () => {
  test('shares one download between look-ups, then has the compiler', async () => {
    const { download, kept } = aPlace();
    const catalog = createCompilerCatalog([kept], [download]);
    const lookups = await Promise.all([catalog.find(wanted), catalog.find(wanted), catalog.find(wanted)]);
    expect(lookups.map(({ kind }) => kind)).toEqual(['found', 'found', 'found']);
    await catalog.find(wanted);
    expect(server.requests.filter(({ path }) => path.endsWith('.js'))).toHaveLength(1);
  });

  test('names every place with its reason when none has the compiler', async () => {
    server.answers.set(`/emscripten-wasm32/${FILE}`, 'damaged');
    const { download, kept } = aPlace();
    const failing = { ...download, description: 'the second', fetch: async (_: WantedBuild) => null };
    const failures: string[] = [];
    const observer = {
      fetched: () => {},
      failed: (_: WantedBuild, place: string) => failures.push(place),
    };
    const lookup = await createCompilerCatalog([kept], [download, failing], observer).find(wanted);
    if (lookup.kind === 'found') throw new Error('found');
    expect(lookup.lookedIn).toEqual([
      'kept',
      expect.stringMatching(/^the release list http.*: .* was not kept: its SHA-256 is/),
      'the second',
    ]);
    expect(failures).toEqual([`the release list ${server.url}/`]);
  });

  test('gives up waiting after its patience, while the download continues', async () => {
    let answer = () => {};
    server.answers.set(`/emscripten-wasm32/${FILE}`, (_, response) => {
      answer = () => response.end('the compiler');
    });
    const { download, kept } = aPlace();
    const catalog = createCompilerCatalog([kept], [download]);
    const late = await catalog.find(wanted, { patienceMs: 50 });
    expect(late).toMatchObject({
      kind: 'missing',
      lookedIn: ['kept', expect.stringContaining('did not finish within 1 s and continues')],
    });
    const stopped = new AbortController();
    const cancelled = catalog.find(wanted, { signal: stopped.signal });
    stopped.abort(new Error('cancelled'));
    await expect(cancelled).rejects.toThrow('cancelled');
    const waiting = catalog.find(wanted);
    answer();
    expect(await waiting).toMatchObject({ kind: 'found' });
  });

  test('never downloads for Vyper, Fe or a native build', async () => {
    const { download, kept } = aPlace();
    const catalog = createCompilerCatalog([kept], [download]);
    for (const other of [
      { language: 'vyper', version: '0.4.0' },
      { language: 'fe', version: '26.0.0' },
      { ...wanted, kind: 'native' },
    ] as const) {
      expect(await catalog.find(other)).toEqual({ kind: 'missing', lookedIn: ['kept'] });
    }
    expect(server.requests).toEqual([]);
  });

  test('compiles with what it downloaded', async () => {
    const soljson = readFileSync(createRequire(import.meta.url).resolve('solc-0.8.30/soljson.js'));
    const version = '0.8.30+commit.73712a01';
    offer('bin', entry(`soljson-v${version}.js`, soljson));
    server.answers.set(`/bin/soljson-v${version}.js`, soljson);
    const { download, kept } = aPlace();
    const memoryLimitMiB = 1024;
    const slots = new CompileSlots(1);
    const pool = new CompilerPool({ workers: 1, slots, memoryLimitMiB });
    try {
      const catalog = createCompilerCatalog([kept], [download]);
      const compiler = createSolidityCompiler({
        catalog,
        pool,
        runner: createNativeRunner(slots, folders, memoryLimitMiB),
        reader: createOutputReader(memoryLimitMiB),
        memoryLimitMiB,
        jobTimeoutMs: 60_000,
      });
      expect(await catalog.find({ ...wanted, version }, { mayDownload: false })).toMatchObject({
        kind: 'missing',
      });
      const outcome = await compiler.compile({
        input: { language: 'Solidity', sources: { 'a.sol': { content: 'contract A {}' } } },
        version: '0.8.30',
        target: { path: 'a.sol', name: 'A' },
        scope: 'target',
        timeoutMs: 60_000,
        signal: new AbortController().signal,
      });
      expect(outcome).toMatchObject({ kind: 'compiled', compilation: { compiler: { version } } });
    } finally {
      await pool.close();
    }
  });
});

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
