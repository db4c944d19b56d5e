import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type LoopbackServer, startLoopbackServer } from '../../../../../test/kit/verify/loopback-server.ts';
import { tarOf } from '../../../../../test/kit/verify/tar-of.ts';
import { ManualClock } from '../../../../values/clock.ts';
import { CompilerSourceError } from '../../compiler-catalog.ts';
import { CompilerCache } from '../compiler-cache.ts';
import { createDownloader } from './download.ts';
import { createRegistryDownload } from './registry-download.ts';

const VERSION = '0.8.29+commit.ab55807c';
const wanted = { language: 'solc', version: VERSION, kind: 'wasm' } as const;

let server: LoopbackServer;
let folder = '';
let clock: ManualClock;

/** The compilers of these tests are texts; what they say about themselves is their content. */
const aPlace = (registry?: () => Promise<never>) =>
  createRegistryDownload({
    registry:
      registry ??
      (async () => ({ url: new URL(`${server.url}/npm/`), headers: { authorization: 'Bearer t' } })),
    downloader: createDownloader(fetch, { timeoutsMs: [5000], restMs: 0, maxBytes: 100_000 }),
    cache: new CompilerCache(folder),
    clock,
    probe: async (path, sha256) => {
      const text = readFileSync(path, 'utf8');
      if (createHash('sha256').update(text).digest('hex') !== sha256) throw new Error('another checksum');
      if (text.startsWith('<')) throw new Error('Unexpected token');
      return text;
    },
  });

function publish(packages: Readonly<Record<string, { files: Record<string, string>; dist?: object }>>) {
  const versions = Object.entries(packages).map(([release, { files, dist }]) => {
    const tarball = gzipSync(tarOf(files));
    const path = `/npm/solc/-/solc-${release}.tgz`;
    server.answers.set(path, tarball);
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
    return [release, { dist: { tarball: `${server.url}${path}`, integrity, ...dist } }] as const;
  });
  server.answers.set('/npm/solc', JSON.stringify({ name: 'solc', versions: Object.fromEntries(versions) }));
}

const reported = (version: string) => `${version}.Emscripten.clang`;
const soljson = (text: string) => ({ 'package/package.json': '{}', 'package/soljson.js': text });

beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerlens-registry-'));
  server.answers.clear();
  server.requests.length = 0;
  clock = new ManualClock(0);
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a registry', () => {
  test('gives the compiler of a package under the version that it tells, and gets the credentials', async () => {
    publish({ '0.8.29': { files: soljson(reported(VERSION)) } });
    const path = join(folder, `soljson-v${VERSION}.js`);
    expect(await aPlace().fetch(wanted)).toMatchObject({ kind: 'wasm', version: VERSION, path });
    expect(await aPlace().fetch({ ...wanted, version: '0.8.29' })).toMatchObject({ version: VERSION });
    expect(new Set(server.requests.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer t']));
    expect(readFileSync(path, 'utf8')).toBe(reported(VERSION));
    expect(readdirSync(folder)).toHaveLength(2);
  });

  test('knows where 0.1.6 keeps its file and what 0.1.3 says about itself', async () => {
    publish({
      '0.1.5': {
        files: {
          ...soljson('0.1.3-4457170b/.-Emscripten/clang/int'),
          'package/bin/soljson-latest.js': '0.1.5-23865e39/.-Emscripten/clang/int',
        },
      },
      '0.1.6': { files: { 'package/bin/soljson-latest.js': '0.1.6-d41f8b7c/.-Emscripten/clang/int' } },
      '0.1.3': { files: soljson('0.1.3-4457170b/.-Emscripten/clang/int') },
    });
    const fetch = (version: string) => aPlace().fetch({ ...wanted, version });
    expect(await fetch('0.1.5')).toMatchObject({ version: '0.1.5+commit.23865e39' });
    expect(await fetch('0.1.6')).toMatchObject({ version: '0.1.6+commit.d41f8b7c' });
    expect(await fetch('0.1.3+commit.028f561d')).toMatchObject({ version: '0.1.3+commit.028f561d' });
  });

  test('finds a release that has numbered names only, the highest number first', async () => {
    const latest = (version: string) => ({
      files: { 'package/bin/soljson-latest.js': `${version}/.-Emscripten/clang/int` },
    });
    publish({ '0.2.2-1': latest('0.2.2-00000000'), '0.2.2-2': latest('0.2.2-37381072') });
    const place = aPlace();
    const fetch = (version: string) => place.fetch({ ...wanted, version });
    expect(await fetch('0.2.2')).toMatchObject({ version: '0.2.2+commit.37381072' });
    expect(await fetch('0.2.2+commit.00000000')).toMatchObject({ version: '0.2.2+commit.00000000' });
    expect((await place.offers()).map(({ version }) => version)).toEqual(['0.2.2']);
  });

  test('takes a release that was published again when the first does not start', async () => {
    publish({
      '0.8.29': { files: soljson('<html>') },
      '0.8.29-fixed': { files: soljson(reported(VERSION)) },
    });
    expect(await aPlace().fetch(wanted)).toMatchObject({ version: VERSION });
  });

  test.each([
    [
      'another SHA-512',
      { files: soljson(reported(VERSION)), dist: { integrity: 'sha512-AAAA' } },
      /was not unpacked: its SHA-512 is .*, the registry has AAAA/,
    ],
    [
      'no SHA-512',
      { files: soljson(reported(VERSION)), dist: { integrity: 'sha1-AAAA' } },
      /the registry has none/,
    ],
    ['no compiler inside', { files: { 'package/package.json': '{}' } }, /has no file package\/soljson.js/],
    ['a compiler that does not start', { files: soljson('<html>') }, /does not start: Unexpected token/],
    ['a compiler without version', { files: soljson('hello') }, /does not report its version/],
  ])('keeps nothing of a package with %s', async (_, published, reason) => {
    publish({ '0.8.29': published });
    await expect(aPlace().fetch(wanted)).rejects.toThrow(reason);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('keeps nothing of a package that cannot be unpacked', async () => {
    const bytes = Buffer.from('not packed');
    publish({
      '0.8.29': {
        files: {},
        dist: { integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}` },
      },
    });
    server.answers.set('/npm/solc/-/solc-0.8.29.tgz', bytes);
    await expect(aPlace().fetch(wanted)).rejects.toThrow('cannot be unpacked: incorrect header check');
  });

  test('does not download another commit again', async () => {
    publish({ '0.8.29': { files: soljson(reported(VERSION)) } });
    const place = aPlace();
    const other = { ...wanted, version: '0.8.29+commit.00000000' };
    for (let time = 0; time < 2; time++) {
      await expect(place.fetch(other)).rejects.toThrow(`its 0.8.29 is ${VERSION}`);
    }
    expect(server.requests.filter(({ path }) => path.endsWith('.tgz'))).toHaveLength(1);
  });

  test('sends credentials to no other host, whatever address the package has', async () => {
    publish({
      '0.8.29': { files: soljson(reported(VERSION)), dist: { tarball: 'http://other.example/x.tgz' } },
    });
    expect(await aPlace().fetch(wanted)).toMatchObject({ version: VERSION });
  });

  test.each(['0.8.28', '0.8.29-nightly.2025.3.1+commit.aaaaaaaa', '__proto__', '../x'])(
    'has no %s',
    async (version) => {
      publish({ '0.8.30': { files: soljson(reported(VERSION)) } });
      expect(await aPlace().fetch({ ...wanted, version })).toBeNull();
    },
  );

  test.each([
    ['an answer that is not JSON', '<html>', 'not JSON'],
    ['an answer without versions', '{}', 'not a list of versions'],
    ['no such package', null, 'has no package solc'],
  ])('is told of with %s', async (_, answer, reason) => {
    if (answer !== null) server.answers.set('/npm/solc', answer);
    await expect(aPlace().fetch(wanted)).rejects.toThrow(reason);
  });

  test('offers what is published', async () => {
    publish({ '0.8.29': { files: {} }, '0.8.29-fixed': { files: {} }, 'x.y': { files: {} } });
    expect((await aPlace().offers()).map(({ version }) => version)).toEqual(['0.8.29']);
  });

  test('is asked for again a minute after npm could not tell it', async () => {
    let times = 0;
    const place = aPlace(async () => {
      times++;
      throw new CompilerSourceError('npm is not installed');
    });
    await expect(place.fetch(wanted)).rejects.toThrow('npm is not installed');
    clock.advance(60_000);
    await expect(place.fetch(wanted)).rejects.toThrow('npm is not installed');
    expect(times).toBe(2);
  });
});
