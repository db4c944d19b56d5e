import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  putExecutables,
  putStandInCompilers,
  type Recording,
} from '../../../../test/kit/verify/stand-in-compilers.ts';
import { sharedJsonFiles } from '../../../../test/shared-data.ts';
import { describeShared } from '../../../../test/support/shared-suites.ts';
import type { Language } from '../../match/compiled-code.ts';
import type { CompileOutcome, CompileRequest, Compiler } from '../compiler.ts';
import { createCompilerCatalog } from '../compiler-catalog.ts';
import { compilerFileName, thisPlatform } from '../compiler-file-name.ts';
import { createPrivateCopies } from '../copies/private-copies.ts';
import { createFeCompiler } from '../fe/fe-compiler.ts';
import { createOutputReader } from '../output/output-reader.ts';
import { CompileSlots } from '../pool/compile-slots.ts';
import { CompilerPool } from '../pool/compiler-pool.ts';
import { createSolidityCompiler, selectOutput } from '../solidity/solidity-compiler.ts';
import { createDirectoryCompilers } from '../supply/directory-compilers.ts';
import { createVyperCompiler, vyperOutputs } from '../vyper/vyper-compiler.ts';
import { createNativeRunner } from './native-runner.ts';
import { createPrivateFolders } from './private-folder.ts';

const folders = createPrivateFolders(async () => join(folder, 'work'));

const slots = new CompileSlots(1);
const pool = new CompilerPool({ workers: 1, slots, memoryLimitMiB: 1024 });
afterAll(() => pool.close());

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'native-languages-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function compilers(): Readonly<Record<Exclude<Language, 'Yul'>, Compiler>> {
  const copies = createPrivateCopies(async () => join(folder, 'private'));
  const catalog = createCompilerCatalog([
    createDirectoryCompilers({ folder: () => folder, description: 'the folder', copies }),
  ]);
  const runner = createNativeRunner(slots, folders, 1024);
  const reader = createOutputReader(1024);
  const parts = { catalog, pool, runner, reader, memoryLimitMiB: 1024, jobTimeoutMs: 100_000 };
  return {
    Solidity: createSolidityCompiler(parts),
    Vyper: createVyperCompiler(parts),
    Fe: createFeCompiler(parts),
  };
}

const limits = { scope: 'target', timeoutMs: 60_000, signal: new AbortController().signal } as const;

function failureOf(outcome: CompileOutcome) {
  if (outcome.kind !== 'failed') throw new Error('compiled');
  return outcome.failure;
}

describe('the Vyper compiler', () => {
  const VERSION = '0.4.0+commit.e9db8d9f';
  const FILE = compilerFileName({ language: 'vyper', version: VERSION, kind: 'native' }, thisPlatform);
  const request = (change: Partial<CompileRequest> = {}): CompileRequest => ({
    input: { language: 'Vyper', sources: { 'a/b.vy': { content: 'x: uint256' } } },
    version: VERSION,
    target: { path: 'a/b.vy', name: 'b' },
    ...limits,
    ...change,
  });
  const answer = (contract: object) => ({
    contracts: { 'a/b.vy': { b: contract } },
    sources: { 'a/b.vy': { id: 0 } },
  });
  const prints = (text: string, rest = '') =>
    `#!${process.execPath}\nprocess.stdout.write(${JSON.stringify(text)});${rest}`;

  test('asks for the target file alone, passes everything else on, and reads code and documents', async () => {
    const input = {
      language: 'Vyper',
      sources: { 'a/b.vy': { content: 'x: uint256' }, 'c.vy': { content: '' } },
      settings: { evmVersion: 'london', optimize: 'codesize', search_paths: ['.'] },
      interfaces: { 'I.json': { abi: [] } },
      storage_layout_overrides: { 'a/b.vy': { x: { type: 'uint256', slot: 5 } } },
    } as const;
    const outputSelection = { 'a/b.vy': vyperOutputs(VERSION, true) };
    const contract = {
      abi: [],
      userdoc: {},
      devdoc: { title: 'B' },
      evm: {
        bytecode: { object: '0x6001' },
        deployedBytecode: { object: '0x6002', sourceMap: { breakpoints: [] } },
      },
    };
    putStandInCompilers(folder, [
      {
        language: 'vyper',
        version: VERSION,
        stdin: { ...input, settings: { ...input.settings, outputSelection } },
        stdout: answer(contract),
      },
    ]);
    const outcome = await compilers().Vyper.compile(request({ input }));
    expect(outcome).toMatchObject({
      kind: 'compiled',
      compilation: {
        compiler: { language: 'Vyper', version: VERSION },
        compilerName: 'vyper',
        input,
        creation: { object: '0x6001', sourceMap: null, linkReferences: null },
        runtime: { object: '0x6002', sourceMap: { breakpoints: [] }, immutableReferences: null },
        abi: [],
        userdoc: {},
        devdoc: { title: 'B' },
        metadata: null,
        storageLayout: null,
        sourceIds: { 'a/b.vy': { id: 0 } },
      },
    });
  });

  test.each([
    ['Warning: this version is old\n', 'contract_not_found_in_compiler_output'],
    ['Traceback (most recent call last)\n', 'compiler_error'],
  ])('a compiler that writes %j to stderr ends with %s', async (stderr, code) => {
    putExecutables(folder, { [FILE]: prints('{}', `process.stderr.write(${JSON.stringify(stderr)})`) });
    expect(failureOf(await compilers().Vyper.compile(request())).code).toBe(code);
  });

  test('takes an output that can be read, whatever stands on stderr', async () => {
    const code = { object: '0x6001' };
    const output = JSON.stringify(answer({ evm: { bytecode: code, deployedBytecode: code } }));
    const script = prints(
      output,
      "process.stderr.write('DeprecationWarning: soon\\n'); process.exitCode = 1",
    );
    putExecutables(folder, { [FILE]: script });
    expect(await compilers().Vyper.compile(request())).toMatchObject({ kind: 'compiled' });
  });

  test.each([
    [
      'as an error',
      "process.stdout.write(JSON.stringify({ errors: [{ severity: 'error', type: 'NatSpecSyntaxException' }] }))",
    ],
    ['as the end of the compiler', "process.stderr.write('Traceback'); process.exitCode = 1"],
  ])('compiles without documents when they fail %s', async (_, failing) => {
    const code = { object: '0x6001' };
    const output = JSON.stringify(answer({ evm: { bytecode: code, deployedBytecode: code } }));
    putExecutables(folder, {
      [FILE]: `#!${process.execPath}
        const asked = JSON.parse(require('node:fs').readFileSync(0, 'utf8')).settings.outputSelection['a/b.vy'];
        if (asked.includes('devdoc') || asked.includes('userdoc')) { ${failing} }
        else if (asked.includes('evm.bytecode.object')) process.stdout.write(${JSON.stringify(output)});`,
    });
    expect(await compilers().Vyper.compile(request())).toMatchObject({
      kind: 'compiled',
      compilation: { creation: code, userdoc: null, devdoc: null },
    });
  });

  test('tells what is wrong with the sources when they do not compile without documents either', async () => {
    const errors = [{ severity: 'error', message: 'x is not declared' }];
    putExecutables(folder, { [FILE]: prints(JSON.stringify({ errors })) });
    expect(failureOf(await compilers().Vyper.compile(request()))).toEqual({
      code: 'compiler_error',
      data: { compilerErrors: errors },
    });
  });

  test('names every source to a compiler before 0.4.0, which compiles them all', async () => {
    const version = '0.3.10+commit.91361694';
    const input = {
      language: 'Vyper',
      sources: { 'a/b.vy': { content: 'import c' }, 'c.vy': { content: '' } },
    } as const;
    const outputSelection = { 'a/b.vy': vyperOutputs(version, true), 'c.vy': ['abi'] };
    const code = { object: '0x6001' };
    const stdout = answer({ evm: { bytecode: code, deployedBytecode: code } });
    putStandInCompilers(folder, [
      { language: 'vyper', version, stdin: { ...input, settings: { outputSelection } }, stdout },
    ]);
    expect(await compilers().Vyper.compile(request({ version, input }))).toMatchObject({ kind: 'compiled' });
  });

  test('gives the compiler the paths that it prints, and gives the submitted ones back', async () => {
    const input = {
      language: 'Vyper',
      sources: { './a/./b.vy': { content: 'x: uint256' }, 'c.vy': { content: '' } },
      storage_layout_overrides: { './a/./b.vy': {} },
    } as const;
    const code = { object: '0x6001' };
    const stdin = {
      language: 'Vyper',
      sources: { 'a/b.vy': { content: 'x: uint256' }, 'c.vy': { content: '' } },
      storage_layout_overrides: { 'a/b.vy': {} },
      settings: { outputSelection: { 'a/b.vy': vyperOutputs(VERSION, true) } },
    };
    const stdout = answer({ evm: { bytecode: code, deployedBytecode: code } });
    putStandInCompilers(folder, [{ language: 'vyper', version: VERSION, stdin, stdout }]);
    const target = { path: './a/./b.vy', name: 'b' };
    const outcome = await compilers().Vyper.compile(request({ input, target }));
    if (outcome.kind !== 'compiled') throw new Error(JSON.stringify(outcome.failure));
    const { compilation } = outcome;
    expect(compilation).toMatchObject({ input, target, sourceIds: { './a/./b.vy': { id: 0 } } });
    expect(Object.keys(compilation.sourceHashes).sort()).toEqual(['./a/./b.vy', 'c.vy']);
  });

  test('takes an alpha of the next version', async () => {
    const version = '0.5.0a1+commit.01234567';
    const code = { object: '0x6001' };
    const output = JSON.stringify(answer({ evm: { bytecode: code, deployedBytecode: code } }));
    const file = compilerFileName({ language: 'vyper', version, kind: 'native' }, thisPlatform);
    putExecutables(folder, { [file]: prints(output) });
    expect(await compilers().Vyper.compile(request({ version }))).toMatchObject({
      kind: 'compiled',
      compilation: { compiler: { version } },
    });
  });

  test('says what a compiler printed that is no JSON, and how one ended that failed', async () => {
    putExecutables(folder, { [FILE]: prints('Segmentation fault') });
    expect(failureOf(await compilers().Vyper.compile(request())).data).toEqual({
      compilerErrorMessage: 'The compiler did not print JSON: "Segmentation fault"',
    });
    putExecutables(folder, { [FILE]: prints('', 'console.error("no such option");process.exitCode = 2') });
    expect(failureOf(await compilers().Vyper.compile(request())).data).toEqual({
      compilerErrorMessage: 'The compiler exited with code 2. no such option',
    });
  });

  test('reads a large output apart from the main thread', async () => {
    const abi = Array.from({ length: 20_000 }, (_, index) => ({ type: 'event', name: `E${index}` }));
    const output = answer({
      abi,
      evm: { bytecode: { object: '0x60' }, deployedBytecode: { object: '0x61' } },
    });
    putExecutables(folder, { [FILE]: prints(JSON.stringify(output)) });
    const outcome = await compilers().Vyper.compile(request());
    if (outcome.kind !== 'compiled') throw new Error(JSON.stringify(outcome.failure));
    expect(outcome.compilation.abi).toEqual(abi);
  });

  test('ends a job at its limits with the code of that limit', async () => {
    putExecutables(folder, { [FILE]: `#!${process.execPath}\nsetInterval(() => {}, 1000);` });
    const { Vyper } = compilers();
    expect(failureOf(await Vyper.compile(request({ timeoutMs: 200 })))).toEqual({
      code: 'compiler_timeout',
      data: { seconds: 100 },
    });
    expect(slots.waiting).toBe(0);
    const controller = new AbortController();
    const running = Vyper.compile(request({ signal: controller.signal }));
    controller.abort(new Error('cancelled'));
    await expect(running).rejects.toThrow('cancelled');
  });

  test('ends what runs and leaves no folder behind when it is closed', async () => {
    const runner = createNativeRunner(new CompileSlots(1), folders, 1024);
    const started = join(folder, 'started');
    const script = join(folder, 'script');
    writeFileSync(
      script,
      `#!${process.execPath}
      require('node:fs').writeFileSync(process.argv[2], process.cwd());setInterval(() => {}, 1000);`,
      { mode: 0o700 },
    );
    const read = async () => ({ kind: 'no_output' }) as const;
    const task = { path: script, arguments: () => [started], stdin: '', read };
    const running = runner.run(task, limits);
    running.catch(() => {});
    await expect.poll(() => readFileSync(started, 'utf8')).not.toBe('');
    await runner.close();
    await expect(running).rejects.toThrow('The compilers are closed');
    expect(existsSync(readFileSync(started, 'utf8'))).toBe(false);
    await expect(runner.run(task, limits)).rejects.toThrow('The compilers are closed');
  });

  test('refuses versions it does not understand and names where it looked for a missing one', async () => {
    const { Vyper } = compilers();
    expect(failureOf(await Vyper.compile(request({ version: '0.4.x' }))).code).toBe(
      'invalid_compiler_version',
    );
    expect(failureOf(await Vyper.compile(request({ version: '0.4.1b1' })))).toEqual({
      code: 'compiler_error',
      data: {
        compilerErrorMessage:
          'No compiler vyper 0.4.1b1 was found; the operator of this server must add its executable with "ledgerlens compilers add FILE". Looked in: the folder.',
      },
    });
  });

  describeShared('with recorded runs of real compilers', () => {
    test.each(sharedJsonFiles('cases', 'vyper-recordings'))('$name', async ({ path: recorded }) => {
      const { version, stdin, stdout, stderr, exitCode } = JSON.parse(readFileSync(recorded, 'utf8'));
      const { outputSelection, ...settings } = stdin.settings;
      const [path = ''] = Object.keys(outputSelection);
      // Recorded before the source map of creation code was selected.
      const selected = { ...settings, outputSelection: { [path]: vyperOutputs(version, true) } };
      const asked = { ...stdin, settings: selected };
      const recording: Recording = { language: 'vyper', version, stdin: asked, stdout, stderr, exitCode };
      putStandInCompilers(folder, [recording]);
      const name = path.replace(/^.*\//, '').replace('.vy', '');
      const outcome = await compilers().Vyper.compile(
        request({ version, input: { ...stdin, settings }, target: { path, name } }),
      );
      if (stdout.errors !== undefined) {
        expect(failureOf(outcome)).toEqual({
          code: 'compiler_error',
          data: { compilerErrors: stdout.errors },
        });
        return;
      }
      const contract = stdout.contracts[path][name];
      expect(outcome).toMatchObject({
        kind: 'compiled',
        compilation: {
          creation: { object: contract.evm.bytecode.object },
          runtime: {
            object: contract.evm.deployedBytecode.object,
            sourceMap: contract.evm.deployedBytecode.sourceMap,
          },
          abi: contract.abi,
          sourceIds: stdout.sources,
        },
      });
    });
  });
});

describe('the Fe compiler', () => {
  const VERSION = '26.0.0-alpha.12';
  const FILE = compilerFileName({ language: 'fe', version: VERSION, kind: 'native' }, thisPlatform);
  const sources = {
    'src/lib.fe': { content: 'use counter' },
    'src/parts/counter.fe': { content: 'pub contract Counter {\n}' },
  };
  const request = (change: Partial<CompileRequest> = {}): CompileRequest => ({
    input: { language: 'Fe', sources, settings: {} },
    version: VERSION,
    target: { path: 'src/parts/counter.fe', name: 'Counter' },
    ...limits,
    ...change,
  });
  const recording = {
    language: 'fe',
    version: VERSION,
    project: {
      'fe.toml': '[ingot]\nname = "sourcify_verification"\nversion = "0.1.0"\n',
      'src/lib.fe': 'use counter',
      'src/parts/counter.fe': 'pub contract Counter {\n}',
    },
    files: { 'Counter.bin': '6001\n', 'Counter.runtime.bin': '6002', 'Counter.abi.json': '[]' },
  } as const;

  test('builds a project and reads the code of the contract from the file that defines it', async () => {
    putStandInCompilers(folder, [recording]);
    expect(await compilers().Fe.compile(request())).toMatchObject({
      kind: 'compiled',
      compilation: {
        compilerName: 'fe',
        creation: { object: '6001', sourceMap: null, linkReferences: null },
        runtime: { object: '6002', immutableReferences: null },
        abi: [],
        userdoc: null,
        devdoc: null,
        metadata: null,
        sourceIds: null,
      },
    });
  });

  test.each([
    { path: 'src/lib.fe', name: 'Counter' },
    { path: 'src/parts/counter.fe', name: 'Other' },
    { path: 'src/parts/counter.fe', name: '../Counter' },
  ])('finds no contract $path:$name', async (target) => {
    putStandInCompilers(folder, [recording]);
    expect(failureOf(await compilers().Fe.compile(request({ target }))).code).toBe(
      'contract_not_found_in_compiler_output',
    );
  });

  test('tells the message of a failed build without the private folder', async () => {
    const script = `#!${process.execPath}\nconsole.error('error in ' + process.argv[3] + '/src/lib.fe');process.exitCode = 1;`;
    putExecutables(folder, { [FILE]: script });
    const text = 'error in src/lib.fe';
    expect(failureOf(await compilers().Fe.compile(request()))).toEqual({
      code: 'compiler_error',
      data: {
        compilerErrors: [
          {
            severity: 'error',
            type: 'CompilerError',
            component: 'general',
            message: text,
            formattedMessage: text,
          },
        ],
      },
    });
  });

  test.each([
    ['26.0.0-alpha.11', 'unsupported_compiler_version'],
    ['26', 'invalid_compiler_version'],
    ['27.0.0', 'compiler_error'],
  ])('version %s ends with %s', async (version, code) => {
    expect(failureOf(await compilers().Fe.compile(request({ version }))).code).toBe(code);
  });

  test.each([
    'src/../../etc/x.fe',
    '/etc/x.fe',
    'fe.toml',
    'src/a\\b.fe',
    'src/a\0.fe',
    'src//a.fe',
    `src/${'a'.repeat(300)}.fe`,
  ])('never writes the source path %j', async (path) => {
    putStandInCompilers(folder, [recording]);
    const input = { language: 'Fe', sources: { [path]: { content: '' } } } as const;
    const { code, data } = failureOf(await compilers().Fe.compile(request({ input })));
    expect(code).toBe('compiler_error');
    expect(data?.['compilerErrorMessage']).toContain('The Fe source path');
  });
});

describe('the Solidity compiler as an executable', () => {
  const VERSION = '0.8.30+commit.73712a01';
  const FILE = compilerFileName({ language: 'solc', version: VERSION, kind: 'native' }, thisPlatform);
  const input = { language: 'Solidity', sources: { 'a.sol': { content: 'contract A {}' } } } as const;
  const target = { path: 'a.sol', name: 'A' };
  const request: CompileRequest = { input, version: VERSION, target, ...limits };

  test('gets the same input as the one for WebAssembly and gives the same contract', async () => {
    const evm = {
      bytecode: { object: '6001', sourceMap: '1:2', linkReferences: {} },
      deployedBytecode: { object: '6002', sourceMap: '3:4', linkReferences: {}, immutableReferences: {} },
    };
    putStandInCompilers(folder, [
      {
        language: 'solc',
        version: VERSION,
        stdin: selectOutput(input, target, 'target'),
        stdout: {
          contracts: { 'a.sol': { A: { abi: [], metadata: '{}', evm } } },
          sources: { 'a.sol': { id: 0 } },
        },
      },
    ]);
    expect(await compilers().Solidity.compile(request)).toMatchObject({
      kind: 'compiled',
      compilation: {
        compiler: { language: 'Solidity', version: VERSION },
        compilerKind: 'native',
        creation: { object: '6001', sourceMap: '1:2' },
        runtime: { object: '6002', immutableReferences: {} },
        metadata: '{}',
      },
    });
  });

  test('reports a refused allocation as lack of memory, not as an error of the sources', async () => {
    const errors = [{ severity: 'error', message: 'Exception during compilation: std::bad_alloc' }];
    const script = `#!${process.execPath}\nprocess.stdout.write(${JSON.stringify(JSON.stringify({ errors }))})`;
    putExecutables(folder, { [FILE]: script });
    expect(failureOf(await compilers().Solidity.compile(request))).toEqual({
      code: 'compiler_out_of_memory',
      data: { mebibytes: 1024 },
    });
  });
});
