import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyToEnd } from '../../../test/kit/verify/await-job.ts';
import { compileForTest } from '../../../test/kit/verify/compile-for-test.ts';
import { type MockContract, mockChainFetch } from '../../../test/kit/verify/mock-chain.ts';
import { type ServedArea, serveArea } from '../../../test/kit/verify/serve-area.ts';

const CHAINS = '{"31337":{"rpc":["http://chain.test/"]},"7":{"rpc":["http://down.test/"]}}';
const PAIR = `library Lib { function f(uint256 a) external pure returns (uint256) { return a + 1; } }
contract Pair {
  uint256 immutable rate;
  constructor(uint256 r) { rate = r; }
  function f(uint256 a) external view returns (uint256) { return Lib.f(a) * rate; }
}
`;
const input = (content: string, settings: object = {}) => ({
  language: 'Solidity',
  sources: { 'p.sol': { content } },
  settings,
});
const addressOf = (name: string) => `0x${createHash('sha256').update(name).digest('hex').slice(0, 40)}`;
const word = (value: string) => value.padStart(64, '0');

/** Puts a value into the place of the immutable and an address into that of the library. */
function deployed(runtime: string, rate: string, library: string): string {
  return runtime
    .replaceAll(`7f${'0'.repeat(64)}`, `7f${word(rate)}`)
    .replaceAll(/73__\$[0-9a-f]{34}\$__/g, `73${library}`);
}

const contracts = new Map<string, MockContract>();
let served: ServedArea;
beforeAll(async () => {
  const chain = mockChainFetch(contracts);
  served = await serveArea({
    chainsJson: CHAINS,
    fetch: async (url, init) => {
      if (url.startsWith('http://down.test/')) return new Response('down', { status: 502 });
      return chain(url, init);
    },
  });
});
afterAll(() => served.close());

const submit = async (name: string, content: string, contract: string, settings: object = {}) => {
  const { job } = await verifyToEnd(served.app, `31337/${addressOf(name)}`, {
    stdJsonInput: input(content, settings),
    compilerVersion: '0.8.30',
    contractIdentifier: `p.sol:${contract}`,
  });
  if (job.error !== undefined) throw new Error(job.error.message);
  return job;
};
const findSimilar = async (name: string) =>
  (await verifyToEnd(served.app, `similarity/31337/${addressOf(name)}`, {})).job;
const post = (path: string, payload: object) =>
  served.app.inject({ method: 'POST', url: `/v2/verify/similarity/${path}`, payload });

describe('POST /v2/verify/similarity/{chainId}/{address}', () => {
  test('verifies a clone with other immutables and another library address without a compiler', async () => {
    const { runtime, bytecode } = compileForTest(input(PAIR), 'p.sol', 'Pair');
    const linked = (rate: string, library: string) => ({
      runtime: deployed(runtime, rate, library),
      creation: `${deployed(bytecode, '0', library)}${word(rate)}`,
      transactionHash: `0x${rate.repeat(64)}`,
    });
    contracts.set(addressOf('pair'), linked('3', 'a1'.repeat(20)));
    contracts.set(addressOf('pair clone'), linked('5', 'b2'.repeat(20)));
    await submit('pair', PAIR, 'Pair');

    const job = await findSimilar('pair clone');
    expect(job.contract).toMatchObject({ creationMatch: 'exact_match', runtimeMatch: 'exact_match' });
    expect(job.compilationTime).toBe('0');
    const lookup = await served.app.inject(`/v2/contract/31337/${addressOf('pair clone')}?fields=all`);
    const original = await served.app.inject(`/v2/contract/31337/${addressOf('pair')}?fields=all`);
    const { metadata, sources, stdJsonOutput, stdJsonInput } = original.json();
    expect(lookup.json()).toMatchObject({ metadata, sources, stdJsonOutput, stdJsonInput });
    expect(lookup.json().runtimeBytecode.transformationValues).toMatchObject({
      libraries: { 'p.sol:Lib': `0x${'b2'.repeat(20)}` },
    });
  });

  test.each([
    ['at the beginning of its code', {}],
    ['in an immutable', { viaIR: true }],
  ])(
    'finds a library, which keeps its own address %s; a foreign one is no exact match',
    async (_, settings) => {
      const content =
        'library Marks { struct S { uint a; } function mark(uint256[] storage s) external { s.push(7); } function a(S memory s) external pure returns (uint) { return s.a; } }';
      const source = `${content} // ${JSON.stringify(settings)}`;
      const { runtime } = compileForTest(input(source, settings), 'p.sol', 'Marks');
      const [lib, clone, foreign, empty] = ['', 'clone', 'foreign', 'empty'].map((name) => source + name);
      const of = (own: string) =>
        runtime.replace(`73${'0'.repeat(40)}30`, `73${own}30`).replace(`7f${word('')}`, `7f${word(own)}`);
      for (const name of [lib, clone])
        contracts.set(addressOf(`${name}`), { runtime: of(addressOf(`${name}`).slice(2)) });
      contracts.set(addressOf(`${foreign}`), { runtime: of('5b'.repeat(20)) });
      contracts.set(addressOf(`${empty}`), { runtime });
      await submit(`${lib}`, source, 'Marks', settings);
      expect((await findSimilar(`${clone}`)).contract).toMatchObject({ runtimeMatch: 'exact_match' });
      for (const name of [foreign, empty])
        expect((await findSimilar(`${name}`)).contract).toMatchObject({ runtimeMatch: 'match' });
      const lookup = await served.app.inject(`/v2/contract/31337/${addressOf(`${lib}`)}?fields=signatures`);
      expect(lookup.json().signatures.function[0].signature).toBe('a(Marks.S)');
    },
  );

  test('takes no address at the beginning of a contract for that of a library', async () => {
    const source = `library L { function f() public {} }
contract W { fallback() external payable { address o = address(L); assembly { if eq(caller(), o) { selfdestruct(caller()) } } } }`;
    const settings = {
      viaIR: true,
      optimizer: { enabled: true },
      libraries: { 'p.sol': { L: `0x${'0'.repeat(40)}` } },
    };
    const { runtime } = compileForTest(input(source, settings), 'p.sol', 'W');
    expect(runtime.startsWith(`0x73${'0'.repeat(40)}`)).toBe(true);
    contracts.set(addressOf('w'), { runtime });
    contracts.set(addressOf('w of another'), { runtime: runtime.replace('0'.repeat(40), 'ba'.repeat(20)) });
    await submit('w', source, 'W', settings);
    expect((await findSimilar('w of another')).error?.customCode).toBe('no_similar_match_found');
  });

  test('prefers the exact one among compilations of the same code', async () => {
    const source = (comment: number) => `contract C { uint256 public v; } // ${comment}`;
    for (let comment = 0; comment < 5; comment++) {
      const { runtime } = compileForTest(input(source(comment)), 'p.sol', 'C');
      contracts.set(addressOf(`c ${comment}`), { runtime });
      contracts.set(addressOf(`clone of c ${comment}`), { runtime });
      await submit(`c ${comment}`, source(comment), 'C');
    }
    for (const comment of [4, 2]) {
      const name = `clone of c ${comment}`;
      expect((await findSimilar(name)).contract).toMatchObject({ runtimeMatch: 'exact_match' });
      const lookup = await served.app.inject(`/v2/contract/31337/${addressOf(name)}?fields=sources`);
      expect(lookup.json().sources).toEqual({ 'p.sol': { content: source(comment) } });
    }
    const { runtime } = compileForTest(input(source(99)), 'p.sol', 'C');
    contracts.set(addressOf('other comment'), { runtime });
    expect((await findSimilar('other comment')).contract).toMatchObject({ runtimeMatch: 'match' });
  });

  test('finds code without metadata through its beginning', async () => {
    const source = `contract D { uint256 public v; uint256 public w; function f() external {} }`;
    const settings = { metadata: { appendCBOR: false } };
    contracts.set(addressOf('d'), { runtime: compileForTest(input(source), 'p.sol', 'D').runtime });
    contracts.set(addressOf('bare d'), {
      runtime: compileForTest(input(source, settings), 'p.sol', 'D').runtime,
    });
    await submit('d', source, 'D');
    expect((await findSimilar('bare d')).contract).toMatchObject({ runtimeMatch: 'match' });
  });

  test('works with Yul', async () => {
    const yul = {
      language: 'Yul',
      sources: {
        'y.yul': {
          content:
            'object "Y" { code { datacopy(0, dataoffset("R"), datasize("R")) return(0, datasize("R")) } object "R" { code { mstore(0, 7) return(0, 32) } } }',
        },
      },
      settings: {},
    };
    const { runtime } = compileForTest(yul, 'y.yul', 'Y');
    contracts.set(addressOf('yul'), { runtime });
    contracts.set(addressOf('yul clone'), { runtime });
    const { job } = await verifyToEnd(served.app, `31337/${addressOf('yul')}`, {
      stdJsonInput: yul,
      compilerVersion: '0.8.30',
      contractIdentifier: 'y.yul:Y',
    });
    expect(job.contract).toMatchObject({ runtimeMatch: 'match' });
    expect((await findSimilar('yul clone')).contract).toMatchObject({ runtimeMatch: 'match' });
  });

  test('says when nothing stored is similar, or only the beginning is', async () => {
    const { runtime } = compileForTest(input(PAIR), 'p.sol', 'Pair');
    contracts.set(addressOf('unlike'), { runtime: '0x60016002600355' });
    contracts.set(addressOf('same beginning'), {
      runtime: `${deployed(runtime, '5', 'b2'.repeat(20)).slice(0, 400)}${'00'.repeat(100)}`,
    });
    for (const name of ['unlike', 'same beginning']) {
      const job = await findSimilar(name);
      expect(job.error).toMatchObject({
        customCode: 'no_similar_match_found',
        message: 'No similar verified contracts were found in the database.',
      });
      expect(job.error?.['onchainRuntimeCode']).toBe(contracts.get(addressOf(name))?.runtime);
    }
  });

  test('checks before the job that there is code', async () => {
    const address = '0x7d53F102f4d4Aa014dB4e10D6DEEC2009B3cDA6B';
    const down = await post(`7/${address}`, {});
    expect(down.statusCode).toBe(502);
    expect(down.json()).toMatchObject({
      customCode: 'failed_to_get_bytecode',
      message: `Failed to get bytecode for chain 7 and address ${address}.`,
    });
    const empty = await post(`31337/${address.toLowerCase()}`, {});
    expect(empty.statusCode).toBe(404);
    expect(empty.json()).toMatchObject({
      customCode: 'cannot_fetch_bytecode',
      message: `There is no bytecode at address ${address} on chain 31337.`,
    });
    const wrong = await post(`31337/${address}`, { creationTransactionHash: 'x' });
    expect(wrong.statusCode).toBe(400);
    expect((await post(`8/${address}`, {})).json().customCode).toBe('unsupported_chain');
  });

  test('a contract that is verified exactly is refused as long as its code is the same', async () => {
    const response = await post(`31337/${addressOf('pair clone')}`, {});
    expect(response.statusCode).toBe(409);
    expect(response.json().customCode).toBe('already_verified');
  });
});
