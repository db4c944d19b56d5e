import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyToEnd } from '../../../test/kit/verify/await-job.ts';
import { compileForTest } from '../../../test/kit/verify/compile-for-test.ts';
import { MOCK_CHAINS, type MockContract, mockChainFetch } from '../../../test/kit/verify/mock-chain.ts';
import { type ServedArea, serveArea } from '../../../test/kit/verify/serve-area.ts';
import { putVectorCompilers } from '../../../test/support/vector-compilers.ts';
import { filesThatDefine, readLinkReferences } from '../compile/output/solidity-output.ts';

const contracts = new Map<string, MockContract>();
let served: ServedArea;
let compilerDir: string;
beforeAll(async () => {
  compilerDir = mkdtempSync(join(tmpdir(), 'vector-compilers-'));
  putVectorCompilers(compilerDir);
  served = await serveArea({ chainsJson: MOCK_CHAINS, fetch: mockChainFetch(contracts), compilerDir });
});
afterAll(async () => {
  await served.close();
  rmSync(compilerDir, { recursive: true });
});

let count = 0;
const verify = async (onchain: MockContract, submission: object, form = '') => {
  count += 1;
  const address = `0x${count.toString(16).padStart(40, '0')}`;
  const transactionHash = `0x${count.toString(16).padStart(64, '0')}`;
  contracts.set(address, { ...onchain, transactionHash });
  return (await verifyToEnd(served.app, `${form}31337/${address}`, submission)).job;
};

describe('solc 0.4.7', () => {
  const compilerVersion = '0.4.7+commit.822622cf';
  const compile = (sources: object, path: string, name: string) => {
    const stdJsonInput = { language: 'Solidity', sources, settings: {} };
    const { bytecode, runtime } = compileForTest(stdJsonInput, path, name, 'solc-0.4.7');
    const submission = { stdJsonInput, compilerVersion, contractIdentifier: `${path}:${name}` };
    return { bytecode, runtime, submission };
  };

  test('links libraries that the sources leave open', async () => {
    const content =
      'library Lib { function f(uint a) returns (uint) { return a + 1; } }\ncontract U { function g(uint a) returns (uint) { return Lib.f(a) + Lib.f(2); } }';
    const { bytecode, runtime, submission } = compile({ 'U.sol': { content } }, 'U.sol', 'U');
    const link = (code: string) => code.replace(/__Lib_{35}/g, '12'.repeat(20));
    const job = await verify({ runtime: link(runtime), creation: link(bytecode) }, submission);
    expect(job.contract).toMatchObject({ creationMatch: 'exact_match', runtimeMatch: 'exact_match' });
  });

  const a = { content: 'contract C { function f() returns (uint256) { return 666; } }' };
  const b = { content: 'contract C { function f() returns (uint256) { return 2; } }' };

  test('is refused an input in which two files define the contract', async () => {
    const { runtime, bytecode, submission } = compile({ 'A.sol': a, 'B.sol': b }, 'B.sol', 'C');
    const job = await verify({ runtime, creation: bytecode }, submission);
    expect(job.error?.customCode).toBe('compiler_error');
    expect(job.error?.message).toContain('several files define C: A.sol, B.sol');
  });

  test('gives no contract of another file than the one that is named', async () => {
    const other = { content: 'contract D { }' };
    const { runtime, bytecode, submission } = compile({ 'A.sol': a, 'B.sol': other }, 'A.sol', 'C');
    const wrong = { ...submission, contractIdentifier: 'B.sol:C' };
    const job = await verify({ runtime, creation: bytecode }, wrong);
    expect(job.error?.customCode).toBe('contract_not_found_in_compiler_output');
    expect((await verify({ runtime, creation: bytecode }, submission)).contract).toMatchObject({
      runtimeMatch: 'exact_match',
    });
  });

  test('without syntax trees has its sources searched', () => {
    const input = { language: 'Solidity', sources: { 'A.sol': a, 'B.sol': b } } as const;
    expect(filesThatDefine('C', undefined, input)).toEqual(['A.sol', 'B.sol']);
    expect(filesThatDefine('f', {}, input)).toEqual([]);
    const tree = { children: [{ name: 'Contract', attributes: { name: 'E' } }] };
    expect(filesThatDefine('E', { 'A.sol': { legacyAST: tree } }, input)).toEqual(['A.sol']);
    // As 0.3.6 has it, whose next definition stands in the last node of the one before.
    const inner = { name: 'Contract', attributes: { name: 'D' }, children: [{ name: 'Function', ...tree }] };
    const nested = { children: [inner] };
    expect(filesThatDefine('E', { 'A.sol': { legacyAST: nested } }, input)).toEqual(['A.sol']);
    expect(filesThatDefine('F', { 'A.sol': { legacyAST: nested } }, input)).toEqual([]);
  });
});

test('link references of a path with a colon are put together where solc cut them', () => {
  const ranges = [{ start: 1, length: 20 }];
  expect(readLinkReferences({ a: { 'b.sol:Lib': ranges }, 'a.sol': { Lib: ranges } })).toEqual({
    'a:b.sol': { Lib: ranges },
    'a.sol': { Lib: ranges },
  });
});

describe('Yul', () => {
  const source = `object "Im" {
    code {
      datacopy(0, dataoffset("Im_deployed"), datasize("Im_deployed"))
      setimmutable(0, "owner", caller())
      setimmutable(0, "x", 7)
      return(0, datasize("Im_deployed"))
    }
    object "Im_deployed" {
      code { mstore(0, loadimmutable("owner")) mstore(32, loadimmutable("x")) return(0, add(64, mod(loadimmutable("owner"), 2))) }
      data ".metadata" hex"a264697066735822122000000000000000000000000000000000000000000000000000000000000000aa64736f6c634300081e0033"
    }
  }`;
  const stdJsonInput = { language: 'Yul', sources: { 'im.yul': { content: source } }, settings: {} };
  const submission = { stdJsonInput, compilerVersion: '0.8.30', contractIdentifier: 'im.yul:Im' };
  const { bytecode, runtime } = compileForTest(stdJsonInput, 'im.yul', 'Im');
  const word = (value: string) => value.padStart(64, '0');
  const fill = (values: readonly string[]) => {
    let index = 0;
    return runtime.replace(/7f0{64}/g, () => `7f${word(values[index++] ?? '')}`);
  };

  test('with immutables matches in both codes', async () => {
    const job = await verify({ runtime: fill(['d', '7', 'd']), creation: bytecode }, submission);
    expect(job.contract).toMatchObject({ creationMatch: 'match', runtimeMatch: 'match' });
  });

  test('does not match when one immutable has two values', async () => {
    const job = await verify({ runtime: fill(['d', '7', 'e']), creation: bytecode }, submission);
    expect(job.contract).toMatchObject({ creationMatch: 'match', runtimeMatch: null });
  });

  test('does not match other metadata, which are a literal of the source', async () => {
    const other = (code: string) => code.replace('aa64736f6c63', 'bb64736f6c63');
    const onchain = { runtime: other(fill(['d', '7', 'd'])), creation: other(bytecode) };
    expect((await verify(onchain, submission)).error?.customCode).toBe('no_match');
  });
});

describe('an EOF container, of which solc prints no assembly (issue 40)', () => {
  const factory = (comment: string, added = 5) => `// ${comment}
contract Child { uint y; function up() public { y += ${added}; } }
contract Maker { Child public made; function make() public { made = new Child{salt: 0}(); } }`;
  const submissionOf = (content: string, settings: object = {}) => ({
    stdJsonInput: {
      language: 'Solidity',
      sources: { 'a.sol': { content } },
      settings: {
        eofVersion: 1,
        evmVersion: 'osaka',
        viaIR: true,
        optimizer: { enabled: true },
        ...settings,
      },
    },
    compilerVersion: '0.8.30+commit.73712a01',
    contractIdentifier: 'a.sol:Maker',
  });
  const onchain = (content: string, settings: object = {}) => {
    const { bytecode, runtime } = compileForTest(
      submissionOf(content, settings).stdJsonInput,
      'a.sol',
      'Maker',
    );
    return { creation: bytecode, runtime };
  };

  test.each([
    ['the same sources', factory('one'), {}, 'exact_match'],
    ['another comment', factory('another'), {}, 'match'],
    ['another constant in the contract that it creates', factory('one', 6), {}, null],
    ['sources without a hash', factory('one'), { metadata: { bytecodeHash: 'none' } }, 'match'],
  ])('of %s', async (_, content, settings, grade) => {
    const { contract } = await verify(onchain(factory('one'), settings), submissionOf(content, settings));
    expect(contract).toMatchObject({ creationMatch: grade, runtimeMatch: grade });
  });

  test('that ends in a literal which reads as metadata is exact for no other literal', async () => {
    const literal = (digit: string) => `a26469706673582212${digit.repeat(66)}64736f6c634300081e0033`;
    const content = (digit: string) => `contract Maker { function f() public pure returns (bytes memory) {
      return hex"${literal(digit)}"; } }`;
    const settings = { metadata: { appendCBOR: false } };
    const { contract } = await verify(onchain(content('2'), settings), submissionOf(content('3'), settings));
    expect(contract).toMatchObject({ creationMatch: null, runtimeMatch: null });
  });
});

describe('an EOF container, to which the creation appends immutables (issue 40)', () => {
  const source = (added: number) => `contract Kept { uint immutable a; address immutable b;
    constructor(uint x) { a = x; b = msg.sender; }
    function get() public view returns (uint, address) { return (a + ${added}, b); } }`;
  const submissionOf = (added: number) => ({
    stdJsonInput: {
      language: 'Solidity',
      sources: { 'a.sol': { content: source(added) } },
      settings: { eofVersion: 1, evmVersion: 'osaka', viaIR: true, optimizer: { enabled: true } },
    },
    compilerVersion: '0.8.30+commit.73712a01',
    contractIdentifier: 'a.sol:Kept',
  });
  const compiled = compileForTest(submissionOf(5).stdJsonInput, 'a.sol', 'Kept');
  const words = `${'7'.padStart(64, '0')}${'ab'.repeat(20).padStart(64, '0')}`;
  const creation = `${compiled.bytecode}${'7'.padStart(64, '0')}`;
  const runtime = `${compiled.runtime}${words}`;
  /** A byte in the middle, which belongs to the code. */
  const other = (code: string) => `${code.slice(0, 100)}${code[100] === '0' ? '1' : '0'}${code.slice(101)}`;

  test.each([
    ['honest', runtime, creation, 5, { runtimeMatch: 'match', creationMatch: 'exact_match' }],
    ['other sources', runtime, creation, 6, { runtimeMatch: null, creationMatch: null }],
    ['other code', other(runtime), other(creation), 5, { runtimeMatch: null, creationMatch: null }],
    ['a word too few', runtime.slice(0, -64), other(creation), 5, { runtimeMatch: null }],
    ['a word too many', `${runtime}${'0'.repeat(64)}`, other(creation), 5, { runtimeMatch: null }],
  ])('%s', async (_, onchain, created, added, grades) => {
    const { contract } = await verify({ runtime: onchain, creation: created }, submissionOf(added));
    expect(contract).toMatchObject(grades);
  });

  test('is found by similarity with other values', async () => {
    const clone = `${compiled.runtime}${words.replace('7', '8')}`;
    const { contract } = await verify({ runtime: clone }, {}, 'similarity/');
    expect(contract).toMatchObject({ runtimeMatch: 'match' });
  });
});

describe('Yul', () => {
  test.each([
    ['a library', 'linkersymbol("")'],
    ['a library', 'linkersymbol("y.yul:")'],
    ['an immutable', 'loadimmutable("")'],
  ])('is refused with %s that has no name', async (part, value) => {
    const content = `object "Y" { code { setimmutable(0, "", 1) datacopy(0, dataoffset("R"), datasize("R")) return(0, datasize("R")) }
      object "R" { code { sstore(0, ${value}) } } }`;
    const stdJsonInput = { language: 'Yul', sources: { 'y.yul': { content } }, settings: {} };
    const { bytecode, runtime } = compileForTest(stdJsonInput, 'y.yul', 'Y');
    const link = (code: string) => code.replace(/__\$\w{34}\$__/, '12'.repeat(20));
    const submission = { stdJsonInput, compilerVersion: '0.8.30', contractIdentifier: 'y.yul:Y' };
    const job = await verify({ runtime: link(runtime), creation: link(bytecode) }, submission);
    expect(job.error).toMatchObject({
      customCode: 'no_match',
      message: expect.stringContaining('has no name'),
    });
    expect(job.error?.message.toLowerCase()).toContain(part.split(' ')[1]);
  });
});
