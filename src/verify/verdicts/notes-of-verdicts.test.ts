import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyToEnd } from '../../../test/kit/verify/await-job.ts';
import { compileForTest } from '../../../test/kit/verify/compile-for-test.ts';
import { MOCK_CHAINS, type MockContract, mockChainFetch } from '../../../test/kit/verify/mock-chain.ts';
import { type ServedArea, serveArea } from '../../../test/kit/verify/serve-area.ts';

const contracts = new Map<string, MockContract>();
let served: ServedArea;
beforeAll(async () => {
  served = await serveArea({ chainsJson: MOCK_CHAINS, fetch: mockChainFetch(contracts) });
});
afterAll(() => served.close());

let next = 0;
/** Verifies the sources at an address that holds their code, which `change` alters. */
async function verify(
  {
    sources,
    settings = {},
    aboutOutput = {},
  }: { readonly sources: object; readonly settings?: object; readonly aboutOutput?: object },
  change: (runtime: string) => string = (runtime) => runtime,
  contractIdentifier = 'a.sol:A',
) {
  const stdJsonInput = { language: 'Solidity', sources, settings };
  const address = `0x${(++next).toString(16).padStart(40, '0')}`;
  contracts.set(address, { runtime: change(compileForTest(stdJsonInput, 'a.sol', 'A').runtime) });
  const submission = {
    stdJsonInput: { ...stdJsonInput, settings: { ...settings, ...aboutOutput } },
    compilerVersion: '0.8.30+commit.73712a01',
    contractIdentifier,
  };
  return (await verifyToEnd(served.app, `31337/${address}`, submission)).job;
}

const LIBRARY = '1b'.repeat(20);
const linked = {
  'a.sol': {
    content:
      'library L { function f() public pure returns (uint) { return 1; } } library Unused {} contract A { function g() public pure returns (uint) { return L.f(); } }',
  },
};
const plain = { 'a.sol': { content: 'contract A { uint public x; }' } };

describe('the warnings of a verdict', () => {
  test('name the libraries whose code it does not prove, when the sources leave them open', async () => {
    const job = await verify({ sources: linked }, (runtime) =>
      runtime.replaceAll(/__\$\w{34}\$__/g, LIBRARY),
    );
    expect(job.contract).toMatchObject({ match: 'exact_match' });
    expect(job.warnings).toEqual([
      `The code of linked libraries is not proven by this verification: a.sol:L at 0x${LIBRARY}.`,
    ]);
  });

  test.each([0, 300])(
    'name the libraries of the settings that the code contains, behind %i others',
    async (count) => {
      const others = Array.from({ length: count }, (_, index) => [
        `Other${index}`,
        `0x${(index + 1).toString(16).padStart(40, '2')}`,
      ]);
      const own = { L: `0x${LIBRARY}`, Unused: `0x${'2c'.repeat(20)}` };
      const libraries = { 'a.sol': { ...Object.fromEntries(others), ...own } };
      const job = await verify({ sources: linked, settings: { libraries } });
      expect(job.contract).toMatchObject({ match: 'exact_match' });
      expect(job.warnings).toEqual([expect.stringMatching(/: a\.sol:L at 0x(?:1b){20}\.$/)]);
    },
  );

  test('name the compiler that the code on chain names when it was another one', async () => {
    const job = await verify({ sources: plain }, (runtime) =>
      runtime.replace('64736f6c634300081e', '64736f6c634300081d'),
    );
    expect(job.contract).toMatchObject({ runtimeMatch: 'match' });
    expect(job.warnings).toEqual([
      expect.stringMatching(/compiled with .*0\.8\.29; .* compiled with solc 0\.8\.30/),
    ]);
  });

  test('name the settings about output that were left out, which are not published either', async () => {
    const modelChecker = { engine: 'chc', contracts: { 'a.sol': ['A'] }, targets: ['assert'] };
    const aboutOutput = { modelChecker, stopAfter: 'parsing', debug: { debugInfo: ['ethdebug'] } };
    const settings = { optimizer: { enabled: true, runs: 7 } };
    const job = await verify({ sources: plain, settings, aboutOutput });
    expect(job.contract).toMatchObject({ match: 'exact_match' });
    expect(job.warnings).toEqual([
      'Omitted, because it affects only the output: settings.modelChecker, settings.stopAfter, ethdebug of settings.debug.debugInfo.',
    ]);
    const url = `/v2/contract/31337/${job.contract?.['address']}?fields=stdJsonInput`;
    const { stdJsonInput } = (await served.app.inject({ url })).json();
    expect(stdJsonInput.settings).toMatchObject(settings);
    for (const name of ['modelChecker', 'stopAfter']) expect(stdJsonInput.settings).not.toHaveProperty(name);
    expect(stdJsonInput.settings.debug).toEqual({});
  });

  test('are none for a container of EOF, whose metadata edited sources place', async () => {
    const settings = { eofVersion: 1, evmVersion: 'osaka', viaIR: true };
    const job = await verify({ sources: plain, settings });
    expect(job.contract).toMatchObject({ runtimeMatch: 'exact_match' });
    expect(job.warnings).toBeUndefined();
  });

  test.each([
    [4_294_967_296, true],
    [4_294_967_295, false],
  ])('name %d runs, which not every build of the compiler can write: %s', async (runs, expected) => {
    const { warnings = [] } = await verify({
      sources: plain,
      settings: { optimizer: { enabled: true, runs } },
    });
    expect(warnings.some((text) => text.includes('optimizer.runs'))).toBe(expected);
  });
});

describe('a contract that is not in the input', () => {
  const sources = {
    ...plain,
    'src/Tally.sol': { content: 'contract Tally {} // contract Comment' },
    'lib/Tally.sol': { content: 'contract Other {} abstract contract Base {}' },
    'b.sol': { content: 'library Tally {}' },
  };

  test.each([
    ['./src/Tally.sol:Tally', 'src/Tally.sol:Tally, b.sol:Tally, lib/Tally.sol:Other'],
    ['src\\Tally.sol:Tally', 'src/Tally.sol:Tally, b.sol:Tally, lib/Tally.sol:Other'],
    ['Tally.sol:Tally', 'src/Tally.sol:Tally, b.sol:Tally, lib/Tally.sol:Other'],
    ['src/Tally.sol:tally', 'src/Tally.sol:Tally, lib/Tally.sol:Other'],
  ])('is answered with what may have been meant: %s', async (identifier, expected) => {
    const { error } = await verify({ sources }, undefined, identifier);
    expect(error).toMatchObject({
      customCode: 'contract_not_found_in_compiler_output',
      message: `Contract not found in compiler output. The input has ${expected}.`,
      errorData: { candidates: expected.split(', ') },
    });
  });

  test('is answered with nothing when nothing comes near', async () => {
    const { error } = await verify({ sources }, undefined, 'x.sol:Missing');
    expect(error).toMatchObject({ message: 'Contract not found in compiler output.' });
    expect(error).not.toHaveProperty('errorData');
  });
});
