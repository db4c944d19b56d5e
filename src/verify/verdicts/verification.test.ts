import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyToEnd } from '../../../test/kit/verify/await-job.ts';
import { compileForTest } from '../../../test/kit/verify/compile-for-test.ts';
import { MOCK_CHAINS, type MockContract, mockChainFetch } from '../../../test/kit/verify/mock-chain.ts';
import { type ServedArea, serveArea } from '../../../test/kit/verify/serve-area.ts';

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Child { uint256 public value = 1; }
contract Parent { Child public child = new Child(); function f() external pure returns (uint256) { return 2; } }
`;
const input = (content = SOURCE) => ({
  language: 'Solidity',
  sources: { 'p.sol': { content } },
  settings: {},
});
const body = (content?: string) => ({
  stdJsonInput: input(content),
  compilerVersion: 'v0.8.30',
  contractIdentifier: 'p.sol:Parent',
});

describe('a verification from submission to lookup', () => {
  const contracts = new Map<string, MockContract>();
  let served: ServedArea;
  beforeAll(async () => {
    served = await serveArea({ chainsJson: MOCK_CHAINS, fetch: mockChainFetch(contracts) });
    const { bytecode: creation, runtime } = compileForTest(input(), 'p.sol', 'Parent');
    for (const digit of ['1', '2', '3', '4', '5']) {
      const transactionHash = `0x${digit.repeat(64)}`;
      contracts.set(`0x${digit.repeat(40)}`, { creation, runtime, transactionHash });
    }
  });
  afterAll(() => served.close());

  test('matches exactly and finds the creation transaction by itself', async () => {
    const address = `0x${'1'.repeat(40)}`;
    const { job } = await verifyToEnd(served.app, `31337/${address}`, body());
    expect(job).toMatchObject({
      isJobCompleted: true,
      compilationTime: expect.stringMatching(/^\d+$/),
      contract: { match: 'exact_match', creationMatch: 'exact_match', runtimeMatch: 'exact_match' },
    });
    expect(job).not.toHaveProperty('error');
    const lookup = await served.app.inject(`/v2/contract/31337/${address}?fields=all`);
    expect(lookup.json()).toMatchObject({
      compilation: {
        language: 'Solidity',
        compiler: 'solc',
        compilerVersion: '0.8.30+commit.73712a01',
        compilerSettings: {},
        name: 'Parent',
        fullyQualifiedName: 'p.sol:Parent',
      },
      deployment: { transactionHash: `0x${'1'.repeat(64)}`, blockNumber: '7', transactionIndex: '1' },
      sources: { 'p.sol': { content: SOURCE } },
      stdJsonInput: input(),
      metadata: { settings: { compilationTarget: { 'p.sol': 'Parent' } } },
      stdJsonOutput: { contracts: { 'p.sol': { Parent: { metadata: expect.any(String) } } } },
    });
    // The child's auxdata lie in the creation code only.
    expect(Object.keys(lookup.json().creationBytecode.cborAuxdata)).toEqual(['1', '2']);
    expect(Object.keys(lookup.json().runtimeBytecode.cborAuxdata)).toHaveLength(1);
  });

  test('a wrong transaction leaves the creation open and decides the runtime', async () => {
    const address = `0x${'2'.repeat(40)}`;
    const creationTransactionHash = `0x${'9'.repeat(64)}`;
    const { job } = await verifyToEnd(served.app, `31337/${address}`, { ...body(), creationTransactionHash });
    expect(job.contract).toMatchObject({
      match: 'exact_match',
      creationMatch: null,
      runtimeMatch: 'exact_match',
    });
    const lookup = await served.app.inject(`/v2/contract/31337/${address}?fields=deployment`);
    expect(lookup.json().deployment).toEqual({
      transactionHash: null,
      blockNumber: null,
      transactionIndex: null,
      deployer: null,
    });
  });

  test('another comment is a match, other code is none', async () => {
    const commented = await verifyToEnd(served.app, `31337/0x${'3'.repeat(40)}`, body(`${SOURCE}// more`));
    expect(commented.job.contract).toMatchObject({
      match: 'match',
      creationMatch: 'match',
      runtimeMatch: 'match',
    });
    const changed = await verifyToEnd(
      served.app,
      `31337/0x${'4'.repeat(40)}`,
      body(SOURCE.replace('return 2', 'return 3')),
    );
    expect(changed.job.error).toMatchObject({
      customCode: 'no_match',
      onchainRuntimeCode: expect.any(String),
      errorData: { diff: { region: 'code', offset: expect.any(Number) } },
    });
  });

  test.each([
    ['Vyper', '0.3.10+commit.91361694', 'p.vy:p', 'vyper'],
    ['Fe', '26.0.0-alpha.12', 'src/p.fe:P', 'fe'],
  ])(
    '%s ends with a clear error while there is no executable',
    async (language, compilerVersion, contractIdentifier, name) => {
      const stdJsonInput = {
        language,
        sources: { [contractIdentifier.split(':')[0] ?? '']: { content: '' } },
      };
      const { job } = await verifyToEnd(served.app, `31337/0x${'5'.repeat(40)}`, {
        stdJsonInput,
        compilerVersion,
        contractIdentifier,
      });
      expect(job.error).toMatchObject({
        customCode: 'compiler_error',
        message: expect.stringContaining(
          `No compiler ${name} ${compilerVersion} was found; the operator of this server must add its executable with "ledgerlens compilers add FILE".`,
        ),
      });
    },
  );

  test('abstract contracts have no code to compare', async () => {
    const { job } = await verifyToEnd(served.app, `31337/0x${'5'.repeat(40)}`, {
      ...body('abstract contract Parent { function f() external virtual; }'),
    });
    expect(job.error?.customCode).toBe('compiled_bytecode_is_zero');
  });
});
