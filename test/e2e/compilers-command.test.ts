import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type LoopbackServer, startLoopbackServer } from '../kit/verify/loopback-server.ts';
import { tarOf } from '../kit/verify/tar-of.ts';
import { isLeftOut } from '../support/left-out.ts';
import { runCommand, runCommandBeside } from '../support/serve-process.ts';

const SOLJSON = readFileSync(createRequire(import.meta.url).resolve('solc-0.8.28/soljson.js'));
const VERSION = '0.8.28+commit.7893614a';
/** Tells the version of its name, as a real compiler does. */
const VYPER = 'vyper.0.4.3+commit.bff19ea2.linux';
const VYPER_SCRIPT = '#!/bin/sh\necho 0.4.3+commit.bff19ea\n';

let folder = '';
let server: LoopbackServer;
const kept = (name: string) => join(folder, 'data', 'compilers', name);

beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerlens-compilers-'));
  server.answers.clear();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('ledgerlens compilers fetch', () => {
  test('keeps what a release list has, refuses what was damaged, and says what is present', async () => {
    const file = `solc-emscripten-wasm32-v${VERSION}.js`;
    const other = 'solc-emscripten-wasm32-v0.8.27+commit.40a35a09.js';
    const builds = [file, other].map((path) => ({
      path,
      sha256: `0x${createHash('sha256').update(SOLJSON).digest('hex')}`,
      keccak256: `0x${Buffer.from(keccak_256(SOLJSON)).toString('hex')}`,
    }));
    server.answers.set('/emscripten-wasm32/list.json', JSON.stringify({ builds }));
    server.answers.set(`/emscripten-wasm32/${file}`, SOLJSON);
    server.answers.set(`/emscripten-wasm32/${other}`, Buffer.concat([SOLJSON, Buffer.from(' ')]));
    const environment = { VERIFY_COMPILER_LIST_URL: server.url };
    const fetched = await runCommandBeside(
      // The full version, since the bundled packages may be of the same release.
      ['compilers', 'fetch', `v${VERSION}`, '0.8.27', '--from', 'list'],
      environment,
      folder,
    );
    expect(fetched.exitCode).toBe(1);
    expect(fetched.errors).toMatch(/solc 0\.8\.27: .* was not kept: its SHA-256 is/);
    expect(fetched.output).toMatch(
      /solc 0\.8\.28\+commit\.7893614a: (fetched from the release list|present in)/,
    );
    const available = await runCommandBeside(['compilers', 'list', '--available'], environment, folder);
    expect(available.output).toMatch(
      /solc +0\.8\.27\+commit\.40a35a09 +wasm +available from the release list/,
    );
  });

  test('fetches all of them when nobody reads what it tells', async () => {
    const file = `solc-emscripten-wasm32-v${VERSION}.js`;
    const sha256 = `0x${createHash('sha256').update(SOLJSON).digest('hex')}`;
    const keccak256 = `0x${Buffer.from(keccak_256(SOLJSON)).toString('hex')}`;
    server.answers.set(
      '/emscripten-wasm32/list.json',
      JSON.stringify({ builds: [{ path: file, sha256, keccak256 }] }),
    );
    server.answers.set(`/emscripten-wasm32/${file}`, SOLJSON);
    const fetch = (versions: readonly string[], closed: readonly ('stdout' | 'stderr')[]) =>
      runCommandBeside(
        ['compilers', 'fetch', ...versions, '--from', 'list'],
        { VERIFY_COMPILER_LIST_URL: server.url },
        folder,
        { closed },
      );
    const absent = ['0.9.97', '0.9.98', '0.9.99'];
    expect(await fetch(absent, ['stderr'])).toMatchObject({ exitCode: 1, output: '' });
    expect((await fetch([...absent, VERSION], ['stderr'])).output).toContain(`solc ${VERSION}: `);
    const present = await fetch([VERSION, VERSION, VERSION], ['stdout', 'stderr']);
    expect(present.exitCode).toBe(0);
  });

  test('keeps what the registry of the npm client has', async () => {
    const tarball = gzipSync(tarOf({ 'package/soljson.js': SOLJSON }), { level: 1 });
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
    const versions = { '0.8.99': { dist: { tarball: `${server.url}/solc/-/solc-0.8.99.tgz`, integrity } } };
    server.answers.set('/solc', JSON.stringify({ versions }));
    server.answers.set('/solc/-/solc-0.8.99.tgz', tarball);
    writeFileSync(join(folder, '.npmrc'), `//${new URL(server.url).host}/:_authToken=secret\n`);
    const environment = { npm_config_registry: server.url };
    const fetched = await runCommandBeside(
      ['compilers', 'fetch', '0.8.99', '--from', 'registry'],
      environment,
      folder,
    );
    // The package is not what it says, which only its compiler tells.
    expect(fetched).toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining(`its 0.8.99 is ${VERSION}`),
    });
    expect(existsSync(kept(`soljson-v${VERSION}.js`))).toBe(true);
    expect(server.requests.at(-1)).toEqual({
      path: '/solc/-/solc-0.8.99.tgz',
      authorization: 'Bearer secret',
    });
  });

  test('says what cannot be fetched and what to do', () => {
    const run = (...args: string[]) => runCommand(['compilers', 'fetch', ...args], {}, folder);
    expect(run()).toMatchObject({ exitCode: 2, errors: expect.stringContaining("argument 'version'") });
    expect(run('../x')).toMatchObject({ exitCode: 2, errors: expect.stringContaining('is not a version') });
    expect(run('0.4.3', '--language', 'vyper')).toMatchObject({
      exitCode: 2,
      errors: expect.stringContaining('ledgerlens compilers add FILE'),
    });
    expect(run('0.8.28', '--from', 'there').errors).toContain('Allowed choices are list, registry');
  });
});

const otherMachine =
  process.platform === 'linux' && process.arch === 'x64'
    ? null
    : `skipped: the executable is one of Linux on x64, this is ${process.platform} on ${process.arch}`;

describe.skipIf(isLeftOut(otherMachine))('ledgerlens compilers add (linux, x64)', () => {
  test('takes an executable, which is then present and right', () => {
    writeFileSync(join(folder, VYPER), VYPER_SCRIPT);
    // A compiler is started below the kept ones; with a root file system that is read-only nothing else is writable.
    const added = runCommand(['compilers', 'add', VYPER], { TMPDIR: join(folder, 'missing') }, folder);
    expect(added.errors).toBe('');
    expect(added).toMatchObject({
      exitCode: 0,
      output: expect.stringContaining('version 0.4.3+commit.bff19ea2'),
    });
    expect(runCommand(['compilers', 'list'], {}, folder).output).toMatch(
      /vyper +0\.4\.3\+commit\.bff19ea2 +native +the compilers stored in .*data\/compilers/,
    );
  });

  test('takes a file whose name tells nothing, when it is told', () => {
    writeFileSync(join(folder, 'fe_linux_amd64'), '#!/bin/sh\necho fe 26.0.0-alpha.12\n');
    const add = (...args: string[]) =>
      runCommand(['compilers', 'add', 'fe_linux_amd64', ...args], {}, folder);
    expect(add()).toMatchObject({ exitCode: 1, errors: expect.stringContaining('give --language') });
    expect(add('--language', 'fe', '--version', '26.0.0').errors).toContain(
      'reports that it is 26.0.0-alpha.12',
    );
    expect(add('--language', 'fe', '--version', '../../x').errors).toContain('give --language');
    expect(add('--language', 'fe', '--version', 'v26.0.0-alpha.12').exitCode).toBe(0);
    expect(existsSync(kept('fe_linux_amd64-v26.0.0-alpha.12'))).toBe(true);
  });

  test('wants the commit of a release, which jobs name', () => {
    writeFileSync(join(folder, 'my-vyper'), VYPER_SCRIPT);
    const add = (version: string) =>
      runCommand(['compilers', 'add', 'my-vyper', '--language', 'vyper', '--version', version], {}, folder);
    const refused = add('0.4.3');
    expect(refused).toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('give the full --version'),
    });
    expect(add('0.4.3+commit.bff19ea2').exitCode).toBe(0);
    expect(existsSync(kept(VYPER))).toBe(true);
  });

  test('refuses a file with another checksum, and one that does not run', () => {
    writeFileSync(join(folder, VYPER), '#!/bin/sh\nexit 3\n');
    const wrong = runCommand(['compilers', 'add', VYPER, '--sha256', '0'.repeat(64)], {}, folder);
    expect(wrong).toMatchObject({
      exitCode: 1,
      errors: expect.stringMatching(/SHA-256 of .* is \w+, not 0{64}/),
    });
    const broken = runCommand(['compilers', 'add', VYPER], {}, folder);
    expect(broken).toMatchObject({ exitCode: 1, errors: expect.stringContaining('exits with code 3') });
    expect(existsSync(kept(VYPER))).toBe(false);
    const absent = runCommand(['compilers', 'add', `x/${VYPER}`], {}, folder);
    expect(absent).toMatchObject({ exitCode: 1, errors: expect.stringContaining('cannot be read') });
    const nameless = runCommand(['compilers', 'add', 'x/nothing'], {}, folder);
    expect(nameless).toMatchObject({ exitCode: 1, errors: expect.stringContaining('cannot be read') });
  });
});

describe('ledgerlens compilers check', () => {
  test('starts every compiler, and tells which ones are wrong', () => {
    const given = join(folder, 'given');
    mkdirSync(given);
    writeFileSync(join(given, 'soljson-v0.8.28+commit.00000000.js'), SOLJSON);
    writeFileSync(join(given, 'soljson-v0.8.27+commit.40a35a09.js'), 'damaged');
    copyFileSync(
      join(given, 'soljson-v0.8.28+commit.00000000.js'),
      join(given, 'soljson-v0.8.26+commit.8a97fa7a.js'),
    );
    writeFileSync(join(given, 'vyper'), VYPER_SCRIPT);
    const sha256 = createHash('sha256').update(SOLJSON).digest('hex');
    const listed = ['soljson-v0.8.28+commit.00000000.js', 'soljson-v0.8.27+commit.40a35a09.js'];
    writeFileSync(join(given, 'SHA256SUMS'), listed.map((name) => `${sha256}  ${name}\n`).join(''));
    const { exitCode, output } = runCommand(['compilers', 'check'], { VERIFY_COMPILER_DIR: given }, folder);
    expect(exitCode).toBe(1);
    const bundled = output.split('\n').filter((line) => line.includes('npm package solc'));
    expect(bundled.length).toBeGreaterThan(5);
    for (const line of bundled) expect(line).toMatch(/wasm +ok/);
    expect(output).toMatch(
      /0\.8\.28\+commit\.00000000 +wasm +WRONG +it reports that it is 0\.8\.28\+commit\.7893614a/,
    );
    expect(output).toMatch(/0\.8\.27\+commit\.40a35a09 +wasm +WRONG +.*its SHA-256 is/);
    expect(output).toMatch(/WRONG: .*soljson-v0\.8\.26\+commit\.8a97fa7a\.js is not run: neither SHA256SUMS/);
    expect(output).toMatch(/WRONG: .*given\/vyper is not used: its name is not one of/);
    expect(runCommand(['check'], { VERIFY_COMPILER_DIR: given }, folder).output).toMatch(/compilers +WRONG/);
  }, 120_000);
});
