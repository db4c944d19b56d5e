import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileForTest, type TestArtifact } from '../../../test/kit/verify/compile-for-test.ts';
import { MOCK_CHAINS, type MockContract, mockChainFetch } from '../../../test/kit/verify/mock-chain.ts';
import { type ServedArea, serveArea } from '../../../test/kit/verify/serve-area.ts';
import type { Hex } from '../../values/hex.ts';
import { checksumAddress } from '../address.ts';
import { SLOTS } from '../proxy/proxy-candidates.ts';

const PATH = 'src/Counter.sol';
const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Counter {
  uint256 public steps;
  constructor(uint256 first) { steps = first; }
  function step() external { steps += 1; }
}
`;
const INPUT = {
  language: 'Solidity',
  sources: { [PATH]: { content: SOURCE } },
  settings: { evmVersion: 'paris', optimizer: { enabled: true, runs: 17 } },
};
const COMPILER = 'v0.8.30+commit.73712a01';
const ARGUMENTS = '7'.padStart(64, '0');

const addressOf = (name: string) => `0x${createHash('sha256').update(name).digest('hex').slice(0, 40)}`;
const shown = (name: string) => checksumAddress(addressOf(name) as Hex);

const contracts = new Map<string, MockContract>();
let served: ServedArea;
let counter: TestArtifact;

beforeAll(async () => {
  counter = compileForTest(INPUT, PATH, 'Counter');
  for (const [index, name] of ['form', 'multipart', 'json', 'arguments', 'unverified', 'large'].entries()) {
    contracts.set(addressOf(name), {
      runtime: counter.runtime,
      creation: `${counter.bytecode}${ARGUMENTS}`,
      transactionHash: `0x${String(index + 1).padStart(64, '0')}`,
    });
  }
  const flat = { ...INPUT, settings: { ...INPUT.settings, optimizer: { enabled: false, runs: 200 } } };
  contracts.set(addressOf('single'), { runtime: compileForTest(flat, PATH, 'Counter').runtime });
  contracts.set(addressOf('other'), { runtime: '0x6001' });
  contracts.set(addressOf('proxy'), {
    runtime: `0x7f${SLOTS.implementation}5af4`,
    storage: { [`0x${SLOTS.implementation}`]: `0x${addressOf('form').slice(2).padStart(64, '0')}` },
  });
  served = await serveArea({ chainsJson: MOCK_CHAINS, fetch: mockChainFetch(contracts) });
});
afterAll(() => served.close());

interface Answer {
  readonly status: string;
  readonly message: string;
  readonly result: string & readonly Record<string, string>[];
}

async function get(query: string, path = '/api') {
  const answer = await served.app.inject(`${path}?module=contract&${query}`);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<Answer>();
}

const submission = (name: string, change: Readonly<Record<string, string>> = {}) => ({
  module: 'contract',
  action: 'verifysourcecode',
  contractaddress: addressOf(name),
  sourceCode: JSON.stringify(INPUT),
  codeformat: 'solidity-standard-json-input',
  contractname: `${PATH}:Counter`,
  compilerversion: COMPILER,
  ...change,
});

async function send(payload: string | Buffer, type: string, path = '/api') {
  const answer = await served.app.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': type },
    payload,
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<Answer>();
}

const FORM = 'application/x-www-form-urlencoded';
const submit = (fields: Readonly<Record<string, string>>, path?: string) =>
  send(new URLSearchParams(fields).toString(), FORM, path);

async function verify(fields: Readonly<Record<string, string>>): Promise<Answer> {
  const accepted = await submit(fields);
  expect(accepted, accepted.result).toMatchObject({ status: '1', message: 'OK' });
  return get(`action=checkverifystatus&guid=${accepted.result}`);
}

const passed = { status: '1', message: 'OK', result: 'Pass - Verified' };
const refused = (text: string | RegExp) => ({
  status: '0',
  message: 'NOTOK',
  result: typeof text === 'string' ? text : expect.stringMatching(text),
});

const failed = (reason: RegExp) => ({
  ...refused('Fail - Unable to verify'),
  reason: expect.stringMatching(reason),
});

describe('verifysourcecode and checkverifystatus', () => {
  test('a web form, then the status, then the refusal of what is verified', async () => {
    expect(await verify(submission('form', { constructorArguements: ARGUMENTS }))).toEqual(passed);
    for (const given of [{}, { constructorArguements: ARGUMENTS }]) {
      const again = await submit(submission('form', given));
      expect(again).toEqual(refused('Contract source code already verified'));
    }
    const others = await submit(submission('form', { constructorArguements: '00'.repeat(32) }));
    expect(others).toEqual(refused(new RegExp(`the constructor was given 0x${ARGUMENTS}`)));
  });

  test('multipart, with the rest of the parameters in the query', async () => {
    const { module, action, ...fields } = submission('multipart', { chainId: '31337' });
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    const request = new Request('http://x.test/', { method: 'POST', body: form });
    const accepted = await send(
      Buffer.from(await request.arrayBuffer()),
      request.headers.get('content-type') ?? '',
      `/api?module=${module}&action=${action}`,
    );
    expect(await get(`action=checkverifystatus&guid=${accepted.result}`)).toEqual(passed);
  });

  test('JSON, the contract without its file, and input between two pairs of braces', async () => {
    const fields = submission('json', { contractname: 'Counter', sourceCode: `{${JSON.stringify(INPUT)}}` });
    const accepted = await send(JSON.stringify(fields), 'application/json', '/api/31337/api');
    expect(await get(`action=checkverifystatus&guid=${accepted.result}`, '/api/31337')).toEqual(passed);
  });

  test('a single file with its options', async () => {
    const { codeformat: _, ...fields } = submission('single', {
      sourceCode: SOURCE,
      contractname: 'Counter',
      optimizationUsed: '0',
      runs: '200',
      evmversion: 'paris',
    });
    expect(await verify(fields)).toEqual(passed);
  });

  test('a submission of more than 64 KiB is read in the thread, refusals included', async () => {
    const comment = `// ${'x'.repeat(100_000)}\n`;
    const large = { ...INPUT, sources: { ...INPUT.sources, 'src/Long.sol': { content: comment } } };
    const fields = submission('large', {
      sourceCode: JSON.stringify(large),
      constructorArguments: ARGUMENTS,
    });
    expect(await verify(fields)).toEqual(passed);
    const deep = `{"language":${'['.repeat(100_000)}`;
    expect(await submit(submission('unverified', { sourceCode: deep }))).toMatchObject(
      refused(/must NOT be nested deeper/),
    );
    const nameless = submission('unverified', {
      ...fields,
      contractaddress: addressOf('unverified'),
      contractname: '',
    });
    expect(await submit(nameless)).toMatchObject(refused('Missing contractname'));
  });

  test.each([
    [63, 'Unknown UID'],
    [64, 'Error! A form that submits nothing must NOT have more than 64 fields'],
  ])('a look-up with a guid behind %i other fields: %s', async (others, result) => {
    const fields = Array.from({ length: others - 2 }, (_, index) => [`field${index}`, 'a']);
    const guid = '00000000-0000-4000-8000-000000000000';
    const sent = Object.fromEntries([
      ['module', 'contract'],
      ['action', 'checkverifystatus'],
      ...fields,
      ['guid', guid],
    ]);
    expect(await submit(sent)).toMatchObject({ status: '0', result });
  });

  test('other constructor arguments fail with those on chain as the reason', async () => {
    const fields = submission('arguments', { constructorArguments: `0x${'8'.padStart(64, '0')}` });
    expect(await verify(fields)).toEqual(failed(new RegExp(`constructor was given 0x${ARGUMENTS}`)));
  });

  test('a job that ends without a match fails in the fixed words, its reason beside them', async () => {
    expect(await verify(submission('other'))).toEqual({
      ...failed(/^The recompiled bytecode length|^The deployed and recompiled/),
      customCode: expect.stringMatching(/^bytecode_length_mismatch$|^no_match$/),
    });
  });

  test.each([
    ['Hardhat', '1', 'OK'],
    ['Hardhat/3.1', '1', 'OK'],
    ['node', '0', 'NOTOK'],
    [undefined, '0', 'NOTOK'],
  ])('a failure has the status that clients named %s read', async (agent, status, message) => {
    const { result } = await submit(submission('other'));
    const answer = await served.app.inject({
      url: `/api?module=contract&action=checkverifystatus&guid=${result}`,
      headers: { 'user-agent': agent },
    });
    expect(answer.json()).toMatchObject({ status, message, result: 'Fail - Unable to verify' });
  });

  test.each<[string, Readonly<Record<string, string>>, string | RegExp]>([
    [
      'no code',
      { contractaddress: addressOf('nobody') },
      `Unable to locate ContractCode at ${shown('nobody')}`,
    ],
    ['no address', { contractaddress: '0x12' }, /^Invalid Address format: contractaddress/],
    ['an unknown chain', { chainid: '777' }, 'Chain 777 not found'],
    ['another format', { codeformat: 'solidity-zip' }, /^codeformat must be/],
    ['no JSON', { sourceCode: '{' }, /^sourceCode must be a standard JSON input/],
    ['no sources', { sourceCode: '' }, 'Missing sourceCode'],
    ['no compiler', { compilerversion: '' }, 'Missing compilerversion'],
    ['odd arguments', { constructorArguements: 'abc' }, /^constructorArguments must be hex/],
    ['a contract that is not there', { contractname: 'Nobody' }, /find contract Nobody/],
    ['odd runs', { codeformat: 'solidity-single-file', sourceCode: SOURCE, runs: 'many' }, /^runs must be/],
    ['another module', { module: 'account' }, /invalid Module name/],
    ['another action', { action: 'constructor' }, /invalid Action name/],
  ])('%s is refused with status 200, which clients need', async (_, change, text) => {
    expect(await submit(submission('unverified', change))).toMatchObject(refused(text));
  });

  test('vyper is named in the version, with or without its own action', async () => {
    const vyper = {
      sourceCode: JSON.stringify({ language: 'Vyper', sources: { 'a.vy': { content: '' } }, settings: {} }),
      codeformat: 'vyper-json',
      contractname: 'a.vy:a',
    };
    const missing = failed(/^Compiler error\..*0\.4\.0/);
    const fields = submission('unverified', { ...vyper, compilerversion: 'vyper:0.4.0' });
    expect(await verify(fields)).toMatchObject(missing);
    const nameless = { ...vyper, sourceCode: '{"sources":{},"settings":{}}', compilerversion: 'vyper:0.4.0' };
    expect(await submit(submission('unverified', nameless))).toMatchObject(refused(/provided Vyper JSON/));
    const single = { ...vyper, sourceCode: '# @version 0.4.0', codeformat: '', contractname: 'a' };
    const own = { ...single, action: 'verifyvyper', compilerversion: '0.4.0' };
    expect(await verify(submission('unverified', own))).toMatchObject(missing);
  });

  test.each([
    '',
    'x',
    '6d1f0a52-9a3e-4c7b-8f21-3b5a7c9e1d04',
    `6d1f0a52-9a3e-4c7b-8f21-3b5a7c9e1d04-${'0'.repeat(32)}`,
  ])('the receipt "%s" is unknown', async (guid) => {
    expect(await get(`action=checkverifystatus&guid=${guid}`)).toEqual(refused('Unknown UID'));
  });
});

describe('look-ups', () => {
  test('getsourcecode shows what is verified, all of it as text', async () => {
    const { status, result } = await get(`action=getsourcecode&address=${addressOf('form')}`);
    const [contract] = result;
    expect([status, contract]).toEqual([
      '1',
      {
        SourceCode: expect.stringMatching(/^\{\{.*\}\}$/s),
        ABI: JSON.stringify(counter.abi),
        ContractName: 'Counter',
        ContractFileName: PATH,
        CompilerVersion: COMPILER,
        CompilerType: 'solc',
        OptimizationUsed: '1',
        Runs: '17',
        ConstructorArguments: ARGUMENTS,
        EVMVersion: 'paris',
        Library: '',
        LicenseType: 'Unknown',
        Proxy: '0',
        Implementation: '',
        SwarmSource: '',
        SimilarMatch: '',
      },
    ]);
    expect(JSON.parse(contract?.['SourceCode']?.slice(1, -1) ?? '')).toMatchObject(INPUT);
  });

  test('what is not verified is told in the words that clients compare', async () => {
    const address = `address=${addressOf('unverified')}`;
    expect(await get(`action=getabi&${address}`)).toEqual(refused('Contract source code not verified'));
    const { status, result } = await get(`action=getsourcecode&${address}`);
    expect([status, result]).toMatchObject([
      '1',
      [{ SourceCode: '', ABI: 'Contract source code not verified' }],
    ]);
  });

  test('getabi gives the ABI as text, wherever the chain is named', async () => {
    const query = `action=getabi&address=${addressOf('form')}`;
    for (const path of ['/api', '/api/31337', '/v2/api', '/api/31337/api'])
      expect(await get(`${query}&chainid=31337&apikey=x`, path)).toMatchObject({
        result: JSON.stringify(counter.abi),
      });
    const unknown = await served.app.inject(`/api/nobody?module=contract&${query}`);
    expect([unknown.statusCode, unknown.json().customCode]).toEqual([404, 'route_not_found']);
  });

  test('the chain has to be named when there are several', async () => {
    const chains = JSON.stringify({ '1': { static: {} }, '2': { static: {} } });
    const several = await serveArea({ chainsJson: chains });
    const answer = await several.app.inject(
      `/api?module=contract&action=getabi&address=${addressOf('form')}`,
    );
    expect(answer.json().result).toMatch(/^Missing chainid: name the chain as chainid, or in the path/);
    await several.close();
  });

  test('getcontractcreation knows the stored ones and searches for the others', async () => {
    const list = [addressOf('form'), addressOf('unverified'), addressOf('nobody')].join(',');
    const { status, result } = await get(`action=getcontractcreation&contractaddresses=${list}`);
    const creation = (name: string, transaction: string) => ({
      contractAddress: shown(name),
      contractCreator: checksumAddress(`0x${'d'.repeat(40)}`),
      txHash: `0x${transaction.padStart(64, '0')}`,
      blockNumber: '7',
    });
    expect([status, result]).toEqual(['1', [creation('form', '1'), creation('unverified', '5')]]);
    const none = await get(`action=getcontractcreation&contractaddresses=${addressOf('nobody')}`);
    expect(none).toEqual(refused('No data found'));
    const six = Array(6).fill(addressOf('form')).join(',');
    expect(await get(`action=getcontractcreation&contractaddresses=${six}`)).toMatchObject(
      refused(/^Invalid Address format/),
    );
  });
});

describe('proxies', () => {
  const ask = async (name: string, expected = '') => {
    const { result } = await submit({
      module: 'contract',
      action: 'verifyproxycontract',
      address: addressOf(name),
      expectedimplementation: expected,
    });
    return get(`action=checkproxyverification&guid=${result}`);
  };

  test('a proxy is found with its implementation', async () => {
    const found = {
      status: '1',
      message: 'OK',
      result: `The proxy's (${shown('proxy')}) implementation contract is found at ${shown('form')} and is successfully updated.`,
    };
    expect(await ask('proxy')).toEqual(found);
    expect(await ask('proxy', shown('form'))).toEqual(found);
  });

  test('another implementation, no proxy and no receipt are told', async () => {
    const none =
      /^A corresponding implementation contract was unfortunately not detected for the proxy address\.$/;
    expect(await ask('proxy', addressOf('other'))).toEqual({
      ...refused(none),
      reason: expect.stringContaining(`It leads to ${shown('form')}, not to`),
    });
    expect(await ask('other')).toEqual(refused(none));
    expect(await get('action=checkproxyverification&guid=proxy-1-0x1')).toEqual(refused('Unknown UID'));
  });
});
