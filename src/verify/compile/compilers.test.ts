import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, describe, expect, test } from 'vitest';
import { sharedJsonFiles } from '../../../test/shared-data.ts';
import { describeShared } from '../../../test/support/shared-suites.ts';
import type { StandardJson } from '../standard-json.ts';
import type { CompileRequest } from './compiler.ts';
import { type CompilerSource, createCompilerCatalog } from './compiler-catalog.ts';
import { createNativeRunner } from './native/native-runner.ts';
import { createPrivateFolders } from './native/private-folder.ts';
import { createOutputReader } from './output/output-reader.ts';
import { CompileSlots } from './pool/compile-slots.ts';
import { CompilerPool } from './pool/compiler-pool.ts';
import { createSolidityCompiler } from './solidity/solidity-compiler.ts';
import { createBundledCompilers, installedPackagesFolder } from './supply/bundled-compilers.ts';

const folders = createPrivateFolders(async () => tmpdir());

const VERSION = '0.8.30+commit.73712a01';

const request = (change: Partial<CompileRequest> = {}, content = 'contract A {}'): CompileRequest => ({
  input: { language: 'Solidity', sources: { 'a.sol': { content } } },
  version: VERSION,
  target: { path: 'a.sol', name: 'A' },
  scope: 'target',
  timeoutMs: 60_000,
  signal: new AbortController().signal,
  ...change,
});

interface HostileCase {
  readonly input: {
    readonly stdJsonInput: StandardJson;
    readonly compilerVersion: string;
    readonly contractIdentifier: string;
  };
}

/** Cases whose solc is among the installed packages; the others get the newest of them. */
function scopeCases() {
  const installed = /^(0\.4\.26|0\.5\.17|0\.6\.12|0\.7\.6)\+/;
  return sharedJsonFiles('cases', 'verification-hostile')
    .filter(({ name }) => /^[89]-/.test(name))
    .map(({ name: file, path: casePath }) => {
      const text = readFileSync(casePath, 'utf8');
      const { stdJsonInput, compilerVersion, contractIdentifier } = (JSON.parse(text) as HostileCase).input;
      const [path = '', name = ''] = contractIdentifier.split(':');
      const version = installed.test(compilerVersion) ? compilerVersion : VERSION;
      return [file, version, stdJsonInput, { path, name }] as const;
    });
}

const pools: CompilerPool[] = [];
function aCompiler(sources: (pool: CompilerPool) => readonly CompilerSource[], memoryLimitMiB = 1024) {
  const slots = new CompileSlots(1);
  const pool = new CompilerPool({ workers: 1, memoryLimitMiB, slots });
  pools.push(pool);
  const catalog = createCompilerCatalog(sources(pool));
  const runner = createNativeRunner(slots, folders, memoryLimitMiB);
  const reader = createOutputReader(memoryLimitMiB);
  const parts = { catalog, pool, runner, reader, memoryLimitMiB, jobTimeoutMs: 100_000 };
  return { catalog, slots, ...createSolidityCompiler(parts) };
}
const bundled = (pool: CompilerPool) => [
  createBundledCompilers(installedPackagesFolder(), (path) => pool.version(path)),
];
afterAll(() => Promise.all(pools.map((pool) => pool.close())));

describe('the Solidity compiler', () => {
  const compiler = aCompiler(bundled);

  test('resolves a short version to the released build and keeps the compiler warm', async () => {
    const first = await compiler.compile(request({ version: 'v0.8.30' }));
    expect(first).toMatchObject({ kind: 'compiled', compilation: { compiler: { version: VERSION } } });
    const second = await compiler.compile(request());
    expect(second).toMatchObject({ kind: 'compiled' });
  });

  test.each([
    [
      { version: '0.8.30-garbage' },
      'compiler_error',
      /0\.8\.30-garbage was found\. Looked in: the bundled compilers.*; no downloads, because VERIFY_COMPILER_LIST_URL/,
    ],
    [
      { version: '0.8.31+commit.00000000' },
      'compiler_error',
      /can fetch it with "ledgerlens compilers fetch 0\.8\.31\+commit\.00000000"/,
    ],
    [{ version: '0.1.2' }, 'unsupported_compiler_version', /^$/],
    [{ target: { path: 'a.sol', name: 'B' } }, 'contract_not_found_in_compiler_output', /^$/],
    [{ target: { path: '__proto__', name: 'toString' } }, 'contract_not_found_in_compiler_output', /^$/],
  ])('ends %j with %s', async (change, code, text) => {
    const outcome = await compiler.compile(request(change));
    if (outcome.kind !== 'failed') throw new Error('compiled');
    expect(outcome.failure.code).toBe(code);
    expect(String(outcome.failure.data?.['compilerErrorMessage'] ?? '')).toMatch(text);
  });

  test.each(['contract B {}', '// nothing'])(
    'does not take a contract of the empty path for one of the named path: %s',
    async (content) => {
      const input = request().input;
      const sources = { '': { content: 'contract A { uint public x; }' }, 'a.sol': { content } };
      const outcome = await compiler.compile(request({ input: { ...input, sources }, scope: 'all' }));
      expect(outcome).toMatchObject({
        kind: 'failed',
        failure: { code: 'contract_not_found_in_compiler_output' },
      });
    },
  );

  test('ends Yul of a version that gives no runtime code with a reason', async () => {
    const content = 'object "A" { code { sstore(0, 1) } object "A_deployed" { code { stop() } } }';
    const input = { language: 'Yul', sources: { 'a.yul': { content } }, settings: {} } as const;
    const change = { version: '0.5.17+commit.d19bba13', input, target: { path: 'a.yul', name: 'A' } };
    expect(await compiler.compile(request(change))).toMatchObject({
      kind: 'failed',
      failure: { code: 'runtime_bytecode_not_found_in_compiler_output' },
    });
  });

  test('cuts a long version text in its message', async () => {
    const outcome = await compiler.compile(request({ version: `0.8.30+${'x'.repeat(100_000)}` }));
    if (outcome.kind !== 'failed') throw new Error('compiled');
    expect(String(outcome.failure.data?.['compilerErrorMessage']).length).toBeLessThan(500);
  });

  test('compiles a contract that is created in a library', async () => {
    const content = `contract Child { uint x; }
      library L { function make() internal { new Child(); } }
      contract A { function f() public { L.make(); } }`;
    const version = '0.4.26+commit.4563c3fc';
    expect(await compiler.compile(request({ version }, content))).toMatchObject({ kind: 'compiled' });
  });

  describeShared('compiles what fails with the target contract alone', () => {
    test.each(scopeCases())('%s with %s', async (_, version, input, target) => {
      expect(await compiler.compile(request({ version, input, target }))).toMatchObject({ kind: 'compiled' });
    });
  });

  test('no other build of the version stands in for a commit that no compiler has', async () => {
    const outcome = await compiler.compile(request({ version: '0.8.30+commit.00000000' }));
    expect(outcome).toMatchObject({ kind: 'failed', failure: { code: 'compiler_error' } });
    const wanted = { language: 'solc', version: '0.8.30+commit.00000000' } as const;
    expect(await compiler.catalog.find(wanted)).toMatchObject({ kind: 'missing' });
  });

  test("passes the compiler's own errors on, without warnings", async () => {
    const outcome = await compiler.compile(request({}, 'import "./missing.sol"; contract A { x }'));
    if (outcome.kind !== 'failed') throw new Error('compiled');
    const errors = outcome.failure.data?.['compilerErrors'] as readonly { severity: string }[];
    expect(errors.length).toBeGreaterThan(0);
    expect(new Set(errors.map(({ severity }) => severity))).toEqual(new Set(['error']));
  });

  test('ends a compilation at its time limit and works again afterwards', async () => {
    const names = Array.from({ length: 3000 }, (_, index) => `function f${index}() public {}`);
    const outcome = await compiler.compile(request({ timeoutMs: 5 }, `contract A { ${names.join('\n')} }`));
    expect(outcome).toMatchObject({
      kind: 'failed',
      failure: { code: 'compiler_timeout', data: { seconds: 100 } },
    });
    expect(await compiler.compile(request())).toMatchObject({ kind: 'compiled' });
  });

  test('stops a running compilation and takes a waiting one back when its signal fires', async () => {
    await compiler.compile(request());
    const stop = new AbortController();
    const functions = Array.from({ length: 3000 }, (_, index) => `function f${index}() public {}`);
    const long = `contract A { ${functions.join('\n')} }`;
    const stopped = Promise.allSettled([
      compiler.compile(request({ signal: stop.signal }, long)),
      compiler.compile(request({ signal: stop.signal })),
    ]);
    const behind = compiler.compile(request());
    await expect.poll(() => compiler.slots.waiting, { interval: 1 }).toBe(2);
    const reason = new Error('cancelled');
    stop.abort(reason);
    expect(await stopped).toEqual([
      { status: 'rejected', reason },
      { status: 'rejected', reason },
    ]);
    await expect(behind).resolves.toMatchObject({ kind: 'compiled' });
  });

  test.each([
    ['0.8.30', 6_000_000],
    ['0.7.6', 3_000_000],
    ['0.4.26', 3_000_000],
  ])(
    'solc %s takes a source of %i bytes',
    async (version, bytes) => {
      const long = `contract A {} /*${'x'.repeat(bytes)}*/`;
      const outcome = await aCompiler(bundled).compile(request({ version }, long));
      expect(outcome.kind === 'failed' ? outcome.failure : outcome.kind).toBe('compiled');
    },
    120_000,
  );

  test.each(['0.8.30', '0.4.26'])('solc %s follows long expressions to its own limit', async (version) => {
    const sum = Array(20_000).fill('x').join('+');
    const source = `contract A { function f(uint x) public returns (uint) { return ${sum}; } }`;
    const outcome = await aCompiler(bundled).compile(request({ version }, source));
    expect(JSON.stringify(outcome)).toContain('Stack too deep');
  });

  test('ends a compiler that wants more memory than it may have', async () => {
    const small = aCompiler(bundled, 64);
    const names = Array.from(
      { length: 2000 },
      (_, index) => `function f${index}(uint a) public pure returns (uint) { return a * ${index}; }`,
    );
    const outcome = await small.compile(request({}, `contract A { ${names.join('\n')} }`));
    expect(outcome).toMatchObject({
      kind: 'failed',
      failure: { code: 'compiler_out_of_memory', data: { mebibytes: 64 } },
    });
  });
});

test('a compiler that cannot be started gives a compiler_error', async () => {
  const outcome = await aCompiler(bundled, 8).compile(request());
  expect(outcome).toMatchObject({
    kind: 'failed',
    failure: {
      code: 'compiler_error',
      data: { compilerErrorMessage: expect.stringContaining('cannot be started') },
    },
  });
});
