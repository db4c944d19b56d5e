import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { verifyToEnd } from '../../../test/kit/verify/await-job.ts';
import { MOCK_CHAINS, type MockContract, mockChainFetch } from '../../../test/kit/verify/mock-chain.ts';
import { type ServedArea, serveArea } from '../../../test/kit/verify/serve-area.ts';
import { putExecutables, putStandInCompilers } from '../../../test/kit/verify/stand-in-compilers.ts';
import { sharedPath } from '../../../test/shared-data.ts';
import { testShared } from '../../../test/support/shared-suites.ts';
import { compilerFileName, thisPlatform } from '../compile/compiler-file-name.ts';
import { runFolderPrefix, thisOwner } from '../compile/copies/run-owner.ts';
import { vyperOutputs } from '../compile/vyper/vyper-compiler.ts';

const ADDRESS = `0x${'7'.repeat(40)}`;
const HASH = `0x${'8'.repeat(64)}`;

let folder: string;
let served: ServedArea;
let contracts: Map<string, MockContract>;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'native-verification-'));
  contracts = new Map();
  served = await serveArea({
    chainsJson: MOCK_CHAINS,
    fetch: mockChainFetch(contracts),
    compilerDir: folder,
  });
});
afterEach(async () => {
  await served.close();
  rmSync(folder, { recursive: true });
});

const submit = (submission: object) => verifyToEnd(served.app, `31337/${ADDRESS}`, submission);
const lookup = async () => (await served.app.inject(`/v2/contract/31337/${ADDRESS}?fields=all`)).json();

describe('a verification of Vyper', () => {
  testShared('takes the size of immutables from the IR, and shows them with the arguments', async () => {
    const { version, stdin, stdout } = JSON.parse(
      readFileSync(sharedPath('cases', 'vyper-recordings', '0.3.7-immutables.json'), 'utf8'),
    );
    const contract = stdout.contracts['limits.vy'].limits;
    // The recording came without its IR, which is large.
    contract.ir = { seq: [{ seq: [] }, { deploy: [352, { seq: [] }, 128] }] };
    putStandInCompilers(folder, [{ language: 'vyper', version, stdin, stdout }]);
    const word = (text: string) => text.padStart(64, '0');
    const label = `${word('2')}${'6869'.padEnd(64, '0')}`;
    const immutables = `${word('5')}${word('ab')}${label}`;
    const args = `${word('5')}${word('ab')}${word('60')}${label}`;
    contracts.set(ADDRESS, {
      runtime: contract.evm.deployedBytecode.object + immutables,
      creation: contract.evm.bytecode.object + args,
      transactionHash: HASH,
    });
    const { outputSelection: _, ...settings } = stdin.settings;
    const { job } = await submit({
      stdJsonInput: { ...stdin, settings },
      compilerVersion: version,
      contractIdentifier: 'limits.vy:limits',
      creationTransactionHash: HASH,
    });
    expect(job.error).toBeUndefined();
    const offset = (contract.evm.deployedBytecode.object.length - 2) / 2;
    expect(await lookup()).toMatchObject({
      creationMatch: 'match',
      runtimeMatch: 'match',
      creationBytecode: { transformationValues: { constructorArguments: `0x${args}` } },
      runtimeBytecode: {
        immutableReferences: { '0': [{ start: offset, length: 128 }] },
        transformations: [{ type: 'insert', reason: 'immutable', id: '0', offset }],
        transformationValues: { immutables: { '0': `0x${immutables}` } },
      },
    });
  });

  testShared(
    'takes the auxdata of a compiler that was built from its sources and names one number',
    async () => {
      for (const name of ['0.3.10', '0.4.0', '0.4.1', '0.4.3']) {
        const { version, stdin, stdout } = JSON.parse(
          readFileSync(sharedPath('cases', 'vyper-recordings', `${name}-immutables.json`), 'utf8'),
        );
        const contract = stdout.contracts['limits.vy'].limits;
        const { outputSelection: _, ...settings } = stdin.settings;
        const asked = {
          ...stdin,
          settings: { ...settings, outputSelection: { 'limits.vy': vyperOutputs(version, true) } },
        };
        putStandInCompilers(folder, [{ language: 'vyper', version, stdin: asked, stdout }]);
        const word = (text: string) => text.padStart(64, '0');
        const label = `${word('2')}${'6869'.padEnd(64, '0')}`;
        const address = `0x${createHash('sha256').update(name).digest('hex').slice(0, 40)}`;
        const transactionHash = `0x${createHash('sha256').update(address).digest('hex')}`;
        contracts.set(address, {
          runtime: `${contract.evm.deployedBytecode.object}${word('5')}${word('ab')}${label}`,
          creation: `${contract.evm.bytecode.object}${word('5')}${word('ab')}${word('60')}${label}`,
          transactionHash,
        });
        const { job } = await verifyToEnd(served.app, `31337/${address}`, {
          stdJsonInput: { ...stdin, settings },
          compilerVersion: version,
          contractIdentifier: 'limits.vy:limits',
          creationTransactionHash: transactionHash,
        });
        expect(job.contract, name).toMatchObject({
          creationMatch: name < '0.4.1' ? 'match' : 'exact_match',
          runtimeMatch: 'match',
        });
        const offset = (contract.evm.deployedBytecode.object.length - 2) / 2;
        const shown = (await served.app.inject(`/v2/contract/31337/${address}?fields=all`)).json();
        expect(shown.runtimeBytecode.immutableReferences).toEqual({ '0': [{ start: offset, length: 128 }] });
        expect(Object.keys(shown.creationBytecode.cborAuxdata)).toEqual(['1']);
      }
    },
  );

  test('finds immutables in code that was compiled without the auxdata that tell them', async () => {
    const version = '0.4.3+commit.bff19ea2';
    const input = {
      language: 'Vyper',
      sources: { 'a.vy': { content: 'X: immutable(uint256)' } },
      settings: { bytecodeMetadata: false },
    };
    const evm = { bytecode: { object: '0x600160026003' }, deployedBytecode: { object: '0x60046005' } };
    const ir = { seq: [{ deploy: [64, { seq: ['stop'] }, 32] }] };
    putStandInCompilers(folder, [
      {
        language: 'vyper',
        version,
        stdin: {
          ...input,
          settings: { ...input.settings, outputSelection: { 'a.vy': vyperOutputs(version, true) } },
        },
        stdout: { contracts: { 'a.vy': { a: { abi: [], evm, ir } } }, sources: { 'a.vy': { id: 0 } } },
      },
    ]);
    const value = '2a'.padStart(64, '0');
    contracts.set(ADDRESS, { runtime: `0x60046005${value}` });
    const { job } = await submit({
      stdJsonInput: input,
      compilerVersion: version,
      contractIdentifier: 'a.vy:a',
    });
    expect(job.error).toBeUndefined();
    expect(await lookup()).toMatchObject({
      runtimeMatch: 'match',
      runtimeBytecode: { transformationValues: { immutables: { '0': `0x${value}` } } },
    });
  });

  test('keeps interfaces and storage overrides of the input', async () => {
    const input = {
      language: 'Vyper',
      sources: { 'a.vy': { content: 'x: uint256' } },
      settings: { evmVersion: 'paris' },
      interfaces: { 'I.json': { abi: [] } },
      storage_layout_overrides: { 'a.vy': { x: { type: 'uint256', slot: 5 } } },
    };
    const code = { object: '0x6001600260036004' };
    const evm = { bytecode: code, deployedBytecode: code };
    putStandInCompilers(folder, [
      {
        language: 'vyper',
        version: '0.4.0+commit.e9db8d9f',
        stdin: {
          ...input,
          settings: { ...input.settings, outputSelection: { 'a.vy': vyperOutputs('0.4.0', true) } },
        },
        stdout: { contracts: { 'a.vy': { a: { abi: [], evm } } }, sources: { 'a.vy': { id: 0 } } },
      },
    ]);
    contracts.set(ADDRESS, { runtime: code.object });
    const { job } = await submit({
      stdJsonInput: input,
      compilerVersion: '0.4.0',
      contractIdentifier: 'a.vy:a',
    });
    expect(job.error).toBeUndefined();
    expect(await lookup()).toMatchObject({ runtimeMatch: 'match', stdJsonInput: input });
  });

  test('needs no folder but that of the compilers, and says when another build of the version was used', async () => {
    const cache = mkdtempSync(join(tmpdir(), 'native-cache-'));
    const { TMPDIR } = process.env;
    // As with a root file system that is read-only.
    process.env['TMPDIR'] = join(cache, 'missing');
    // A server that was killed left the folder of a run.
    const gone = runFolderPrefix({ ...thisOwner(), pid: 2 ** 22 + 1 });
    mkdirSync(join(cache, 'run', `${gone}abcdef`), { recursive: true });
    const own = await serveArea({
      chainsJson: MOCK_CHAINS,
      fetch: mockChainFetch(contracts),
      compilerDir: folder,
      compilerCacheDir: cache,
    });
    expect(readdirSync(join(cache, 'run'))).toEqual([]);
    onTestFinished(async () => {
      if (TMPDIR === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = TMPDIR;
      await own.close();
      rmSync(cache, { recursive: true });
    });
    const input = { language: 'Vyper', sources: { 'a.vy': { content: 'x: uint256' } } };
    const code = { object: '0x6001600260036004' };
    putStandInCompilers(folder, [
      {
        language: 'vyper',
        version: '0.4.0+commit.e9db8d9f',
        stdin: { ...input, settings: { outputSelection: { 'a.vy': vyperOutputs('0.4.0', true) } } },
        stdout: {
          contracts: { 'a.vy': { a: { abi: [], evm: { bytecode: code, deployedBytecode: code } } } },
          sources: { 'a.vy': { id: 0 } },
        },
      },
    ]);
    contracts.set(ADDRESS, { runtime: code.object });
    const { job } = await verifyToEnd(own.app, `31337/${ADDRESS}`, {
      stdJsonInput: input,
      compilerVersion: '0.4.0+commit.00000000',
      contractIdentifier: 'a.vy:a',
    });
    expect(job).toMatchObject({
      contract: { runtimeMatch: 'match' },
      warnings: [
        'The compiler 0.4.0+commit.00000000 was not found; 0.4.0+commit.e9db8d9f, another build of it, was used.',
      ],
    });
  });

  test.each([
    ['0.3.7+commit.6020b8bb', undefined],
    ['0.3.9+commit.66b96705', 'no_match'],
  ])('%s with code that differs from run to run ends with error %s', async (compilerVersion, error) => {
    // Each run leaves a mark, so that the seventh gives the other code.
    const mark = JSON.stringify(join(folder, 'mark'));
    const file = compilerFileName(
      { language: 'vyper', version: compilerVersion, kind: 'native' },
      thisPlatform,
    );
    putExecutables(folder, {
      [file]: `#!${process.execPath}
        import('node:fs').then((fs) => {
          fs.appendFileSync(${mark}, '.');
          const code = { object: fs.readFileSync(${mark}).length === 7 ? '0x600160026003600455' : '0x600260016003600455' };
          const evm = { bytecode: code, deployedBytecode: code };
          process.stdout.write(JSON.stringify({ contracts: { 'a.vy': { a: { abi: [], evm } } }, sources: {} }));
        });`,
    });
    contracts.set(ADDRESS, { runtime: '0x600160026003600455' });
    const { job } = await submit({
      stdJsonInput: { language: 'Vyper', sources: { 'a.vy': { content: '' } } },
      compilerVersion,
      contractIdentifier: 'a.vy:a',
    });
    expect(job.error?.customCode).toBe(error);
  });
});

describe('a submission of Fe', () => {
  const body = (paths: readonly string[], contractIdentifier = 'src/lib.fe:Counter') => ({
    stdJsonInput: {
      language: 'Fe',
      sources: Object.fromEntries(paths.map((path) => [path, { content: '' }])),
    },
    compilerVersion: '26.0.0-alpha.12',
    contractIdentifier,
  });
  const EXAMPLES = '(e.g. "src/lib.fe:Counter" or "src/counter.fe:Counter")';

  test.each([
    [
      body(['src/lib.fe', 'b.fe']),
      'Fe sources must either all have a "src/" prefix or none. Mixed paths are not allowed.',
    ],
    [
      body(['lib.fe'], 'Counter'),
      'For Fe contracts, contractIdentifier must include the source file path, e.g. "src/lib.fe:Counter" or "src/counter.fe:Counter".',
    ],
    [
      body(['lib.fe'], 'lib:Counter'),
      `For Fe contracts, contractIdentifier path must be a "src/**/*.fe" path ${EXAMPLES}.`,
    ],
    [
      body(['src/../../x.fe']),
      'The Fe source path "src/../../x.fe" must not contain an empty name, "." or "..".',
    ],
    [body(['/x.fe']), 'The Fe source path "src//x.fe" must not contain an empty name, "." or "..".'],
  ])('is refused: %j', async (payload, message) => {
    const answer = await served.app.inject({ method: 'POST', url: `/v2/verify/31337/${ADDRESS}`, payload });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ customCode: 'invalid_parameter', message });
  });

  test('with settings is verified without them, and the job says so', async () => {
    const content = 'pub contract Counter {}';
    putStandInCompilers(folder, [
      {
        language: 'fe',
        version: '26.0.0-alpha.12',
        project: {
          'fe.toml': '[ingot]\nname = "sourcify_verification"\nversion = "0.1.0"\n',
          'src/lib.fe': content,
        },
        files: { 'Counter.bin': '60016002', 'Counter.runtime.bin': '60036004', 'Counter.abi.json': '[]' },
      },
    ]);
    contracts.set(ADDRESS, { runtime: '0x60036004' });
    const { job } = await submit({
      stdJsonInput: {
        language: 'Fe',
        sources: { 'lib.fe': { content } },
        settings: { optimizer: { level: 2 } },
      },
      compilerVersion: '26.0.0-alpha.12',
      contractIdentifier: 'lib.fe:Counter',
    });
    expect(job).toMatchObject({
      contract: { match: 'match' },
      warnings: ['The settings were ignored: the Fe compiler takes none.'],
    });
  });
});
