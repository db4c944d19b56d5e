import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyToEnd } from '../../../test/kit/verify/await-job.ts';
import { compileForTest } from '../../../test/kit/verify/compile-for-test.ts';
import { MOCK_CHAINS, type MockContract, mockChainFetch } from '../../../test/kit/verify/mock-chain.ts';
import { type ServedArea, serveArea } from '../../../test/kit/verify/serve-area.ts';
import { toHex } from '../../values/hex.ts';
import { keccak256 } from '../../values/keccak256.ts';

const contracts = new Map<string, MockContract>();
let served: ServedArea;
beforeAll(async () => {
  served = await serveArea({ chainsJson: MOCK_CHAINS, fetch: mockChainFetch(contracts) });
});
afterAll(() => served.close());

const inputOf = (content: string, settings: object = {}, others: object = {}) => ({
  language: 'Solidity',
  sources: { 'a.sol': { content }, ...others },
  settings,
});
const optimised = (input: object) => ({ ...input, settings: { optimizer: { enabled: true } } });
const submissionOf = (stdJsonInput: object) => ({
  stdJsonInput,
  compilerVersion: '0.8.30+commit.73712a01',
  contractIdentifier: 'a.sol:A',
});
const codeOf = (input: object, digit: string): Required<Pick<MockContract, 'creation' | 'runtime'>> => {
  const { bytecode: creation, runtime } = compileForTest(input, 'a.sol', 'A');
  return { creation, runtime, ...{ transactionHash: `0x${digit.repeat(64)}` } };
};
const addressOf = (digit: string) => `0x${digit.repeat(40)}`;
const verify = async (digit: string, input: object) =>
  (await verifyToEnd(served.app, `31337/${addressOf(digit)}`, submissionOf(input))).job;
const lookUp = async (digit: string) =>
  (await served.app.inject(`/v2/contract/31337/${addressOf(digit)}?fields=all`)).json();

const ONE = inputOf(
  'contract A { uint public x = 1; function f() public pure returns (uint) { return 1; } }',
);
const TWO = inputOf(
  'contract A { uint public x = 1; function f() public pure returns (uint) { return 2; } }',
);

describe('a verdict', () => {
  test('of the creation code alone says that the code at the address is another (issue 13)', async () => {
    contracts.set(addressOf('1'), { ...codeOf(ONE, '1'), runtime: codeOf(TWO, '1').runtime });
    const job = await verify('1', ONE);
    expect(job.contract).toMatchObject({ match: 'match', creationMatch: 'match', runtimeMatch: null });
    expect(job.warnings).toEqual([expect.stringContaining('Only the creation code matches')]);
    contracts.set(addressOf('2'), codeOf(ONE, '2'));
    expect(await verify('2', ONE)).not.toHaveProperty('warnings');
  });

  test.each([
    ['of an earlier life of the address', '0x6001', 'no_match'],
    ['of a life that the node has forgotten', null, 'no_match'],
    ['of the present life', 'present', null],
  ])('of the creation code alone counts when it is %s', async (_, before, error) => {
    const runtime = codeOf(TWO, 'd').runtime;
    contracts.set(addressOf('d'), {
      ...codeOf(ONE, 'd'),
      runtime,
      after: before === 'present' ? runtime : before,
    });
    const creationTransactionHash = `0x${'d'.repeat(64)}`;
    const submission = { ...submissionOf(ONE), creationTransactionHash };
    const { job } = await verifyToEnd(served.app, `31337/${addressOf('d')}`, submission);
    expect(job.error?.customCode ?? null).toBe(error);
    expect(job.contract).toMatchObject({
      creationMatch: error === null ? 'match' : null,
      runtimeMatch: null,
    });
  });

  test('of the creation code is no better than that of the runtime code when its life is not known', async () => {
    const comment = inputOf(`${ONE.sources['a.sol'].content} // other`);
    contracts.set(addressOf('e'), {
      ...codeOf(ONE, 'e'),
      runtime: codeOf(comment, 'e').runtime,
      after: null,
    });
    const creationTransactionHash = `0x${'e'.repeat(64)}`;
    const submission = { ...submissionOf(ONE), creationTransactionHash };
    const { job } = await verifyToEnd(served.app, `31337/${addressOf('e')}`, submission);
    expect(job.contract).toMatchObject({ match: 'match', creationMatch: 'match', runtimeMatch: 'match' });
  });

  test('is made anew when the contract was destroyed, and when it was made anew (issue 13)', async () => {
    const path = `31337/${addressOf('3')}`;
    const again = () =>
      served.app.inject({ method: 'POST', url: `/v2/verify/${path}`, payload: submissionOf(ONE) });
    contracts.set(addressOf('3'), codeOf(ONE, '3'));
    expect((await verify('3', ONE)).contract).toMatchObject({ match: 'exact_match' });
    expect((await again()).json()).toMatchObject({ customCode: 'already_verified' });
    const { matchId } = await lookUp('3');

    contracts.set(addressOf('3'), { runtime: '0x' });
    expect((await verify('3', ONE)).error?.customCode).toBe('contract_not_deployed');
    contracts.set(addressOf('3'), codeOf(TWO, '4'));
    expect((await verify('3', ONE)).error?.customCode).toBe('no_match');
    expect((await verify('3', TWO)).contract).toMatchObject({ match: 'exact_match', matchId });
    expect((await lookUp('3')).sources).toEqual(TWO.sources);
    expect((await again()).statusCode).toBe(409);
  });

  test('replaces a better one only when that was about other code', async () => {
    const comment = inputOf(`${TWO.sources['a.sol'].content} // other`);
    contracts.set(addressOf('5'), { runtime: codeOf(ONE, '5').runtime });
    await verify('5', ONE);
    contracts.set(addressOf('5'), { runtime: codeOf(TWO, '5').runtime });
    expect((await verify('5', comment)).contract).toMatchObject({ runtimeMatch: 'match' });
    expect((await verify('5', comment)).error?.customCode).toBe('already_verified');
    expect((await verify('5', TWO)).contract).toMatchObject({ runtimeMatch: 'exact_match' });
  });
});

describe('what is no contract of its own', () => {
  const target = 'ab'.repeat(20);
  const clone = `0x363d3d373d3d3d363d73${target}5af43d82803e903d91602b57fd5bf3`;
  const messageOf = async (runtime: string, path: string, payload: object) => {
    const address = `0x${createHash('sha256').update(runtime).digest('hex').slice(0, 40)}`;
    contracts.set(address, { runtime });
    const { job } = await verifyToEnd(served.app, `${path}31337/${address}`, payload);
    expect(job.contract).toMatchObject({ match: null });
    return job.error?.message;
  };

  test('is named in place of settings', async () => {
    const { creation } = codeOf(ONE, '0');
    for (const [runtime, words] of [
      [clone, new RegExp(`minimal proxy of 0x${target}`, 'i')],
      [`0xfe7100${creation.slice(2)}`, /blueprint/],
    ] as const) {
      const message = await messageOf(runtime, '', submissionOf(optimised(ONE)));
      expect(message).toMatch(words);
      expect(message).not.toMatch(/evmVersion|optimizer|unrelated/);
    }
  });

  test.each([
    ['standard JSON', '', submissionOf(ONE)],
    [
      'metadata',
      'metadata/',
      {
        sources: { 'a.sol': 'contract A {}' },
        metadata: {
          compiler: { version: '0.8.30' },
          language: 'Solidity',
          settings: { compilationTarget: { 'a.sol': 'A' } },
          sources: {},
        },
      },
    ],
    ['similarity', 'similarity/', {}],
  ])('is named in an answer to %s: an account that delegates', async (_, path, payload) => {
    const delegates = new RegExp(`delegates to 0x${target}`, 'i');
    expect(await messageOf(`0xef0100${target}`, path, payload)).toMatch(delegates);
  });

  test('is named when nothing similar is verified', async () => {
    expect(await messageOf(clone, 'similarity/', {})).toMatch(/No similar .* minimal proxy of/);
  });
});

describe('the sources of a contract', () => {
  test('are those that were submitted for it, with their settings, whoever sent others for equal code', async () => {
    const none = { bytecodeHash: 'none' };
    const content = 'contract A { uint x; } contract B { uint x; }';
    const submitted = [
      inputOf(`${content} // first`, { metadata: none }),
      inputOf(`${content} // second`, { metadata: none }),
      inputOf(`${content} // second`, { metadata: { ...none, useLiteralContent: true } }),
      inputOf(`${content} // second`, { metadata: none, remappings: ['audited=by/nobody'] }),
    ];
    const code = codeOf(submitted[0] ?? {}, '6');
    for (const [index, input] of submitted.entries()) {
      const digit = '6ab7'.charAt(index);
      contracts.set(addressOf(digit), { ...code, transactionHash: `0x${digit.repeat(64)}` });
      expect(await verify(digit, input)).not.toHaveProperty('warnings');
      const shown = await lookUp(digit);
      expect(shown).toMatchObject({
        stdJsonInput: input,
        compilation: { compilerSettings: input.settings },
        sources: input.sources,
      });
      expect(shown.metadata.sources['a.sol'].keccak256).toBe(
        toHex(keccak256(Buffer.from(input.sources['a.sol'].content))),
      );
    }
    contracts.set(addressOf('8'), { ...code, transactionHash: `0x${'8'.repeat(64)}` });
    const named = { ...submissionOf(submitted[0] ?? {}), contractIdentifier: 'a.sol:B' };
    await verifyToEnd(served.app, `31337/${addressOf('8')}`, named);
    expect((await lookUp('8')).compilation).toMatchObject({ name: 'B', fullyQualifiedName: 'a.sol:B' });
  });

  test('are without files that the compilation does not use (issue 13)', async () => {
    const others = { 'Audit.sol': { content: '// Audited by everybody\ncontract Trust {}' } };
    const input = inputOf(
      'import "./b.sol"; contract A is B {}',
      {},
      { 'b.sol': { content: 'contract B {}' } },
    );
    contracts.set(addressOf('9'), codeOf(input, '9'));
    const { sources, settings } = input;
    await verify('9', { ...input, sources: { ...others, ...sources } });
    const contract = await lookUp('9');
    expect(contract).toMatchObject({ runtimeMatch: 'exact_match', sources });
    expect(contract.stdJsonInput).toEqual({ language: 'Solidity', sources, settings });
    expect(JSON.stringify(contract)).not.toContain('Audit');
  });
});

test('the signatures of a library are those of its selectors, which hash the names of structs', async () => {
  const input = inputOf(
    'struct F { uint a; } library A { struct S { uint a; } enum E { X } function f(S memory) public pure {} function h(S[2][] memory, F memory, E) public pure {} function p(uint) public pure {} }',
  );
  contracts.set(addressOf('c'), { ...codeOf(input, 'c') });
  await verify('c', input);
  const { signatures } = await lookUp('c');
  const bySelector = signatures.function.map(
    ({ signature, signatureHash4 }: Record<string, string>) => `${signatureHash4} ${signature}`,
  );
  // As evm.methodIdentifiers of solc 0.8.30 says.
  expect(bySelector.sort()).toEqual([
    '0x05fc0627 f(A.S)',
    '0xa9692047 p(uint256)',
    '0xd00c225d h(A.S[2][],F,A.E)',
  ]);
});
