import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileForTest, type TestArtifact } from '../../../test/kit/verify/compile-for-test.ts';
import { MOCK_CHAINS, type MockContract, mockChainFetch } from '../../../test/kit/verify/mock-chain.ts';
import { type ServedArea, serveArea } from '../../../test/kit/verify/serve-area.ts';
import type { Hex } from '../../values/hex.ts';
import { checksumAddress } from '../address.ts';

const CHAIN = '31337';
const PATH = 'src/Counter.sol';
const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Counter {
  uint256 public steps;
  constructor(uint256 first) { steps = first; }
  function step() external { steps += 1; }
}
contract Other { uint256 public x = 1; }
`;
const INPUT = {
  language: 'Solidity',
  sources: { [PATH]: { content: SOURCE } },
  settings: { evmVersion: 'paris' },
};
const COMPILER = '0.8.30+commit.73712a01';
const ARGUMENTS = '7'.padStart(64, '0');
const WITH_OTHER_COMMENT = SOURCE.replace('MIT', 'ISC');

const addressOf = (name: string) => `0x${createHash('sha256').update(name).digest('hex').slice(0, 40)}`;
const shown = (name: string) => checksumAddress(addressOf(name) as Hex);

const contracts = new Map<string, MockContract>();
let served: ServedArea;
let counter: TestArtifact;
let other: TestArtifact;

beforeAll(async () => {
  counter = compileForTest(INPUT, PATH, 'Counter');
  other = compileForTest(INPUT, PATH, 'Other');
  const names = [
    'json',
    'multipart',
    'build',
    'solc-json',
    'partial',
    'wrong',
    'slow',
    'files',
    'named',
    'large',
  ];
  for (const [index, name] of names.entries()) {
    contracts.set(addressOf(name), {
      runtime: counter.runtime,
      creation: `${counter.bytecode}${ARGUMENTS}`,
      transactionHash: `0x${String(index + 1).padStart(64, '0')}`,
    });
  }
  contracts.set(addressOf('other'), { runtime: other.runtime });
  served = await serveArea({
    chainsJson: MOCK_CHAINS,
    fetch: mockChainFetch(contracts),
    publicPath: '/ledger',
  });
});
afterAll(() => served.close());

const metadataOf = ({ metadata }: TestArtifact) => metadata;
const files = (source = SOURCE) => ({ 'metadata.json': metadataOf(counter), [PATH]: source });

async function post(url: string, body: object | FormData) {
  const request = body instanceof FormData ? new Request('http://x.test/', { method: 'POST', body }) : null;
  const answer = await served.app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': request?.headers.get('content-type') ?? 'application/json' },
    payload: request === null ? JSON.stringify(body) : Buffer.from(await request.arrayBuffer()),
  });
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers };
}

async function get(url: string) {
  const answer = await served.app.inject(url);
  return { status: answer.statusCode, body: answer.json() };
}

const perfect = (name: string) => ({
  status: 200,
  body: {
    result: [
      { address: shown(name), chainId: CHAIN, status: 'perfect', storageTimestamp: expect.any(String) },
    ],
  },
});

describe('POST /verify', () => {
  test('verifies from metadata and sources in JSON, and again from what is stored', async () => {
    const body = { address: addressOf('json'), chain: CHAIN, files: files() };
    expect(await post('/verify', body)).toMatchObject(perfect('json'));
    expect(await post('/', body)).toMatchObject(perfect('json'));
  });

  test('takes a multipart form, metadata with the sources in them, and a number as chain', async () => {
    const form = new FormData();
    form.append('address', addressOf('multipart'));
    form.append('chain', CHAIN);
    const literal = compileForTest(
      { ...INPUT, settings: { ...INPUT.settings, metadata: { useLiteralContent: true } } },
      PATH,
      'Counter',
    );
    form.append('files', new Blob([literal.metadata]), 'metadata.json');
    contracts.set(addressOf('multipart'), { runtime: literal.runtime });
    expect(await post('/', form)).toMatchObject(perfect('multipart'));
  });

  test('answers large bodies, which a thread reads, like small ones', async () => {
    const padding = 'x'.repeat(70_000);
    const build = {
      input: INPUT,
      output: {
        contracts: {
          [PATH]: { Counter: { metadata: counter.metadata }, Other: { metadata: other.metadata } },
        },
      },
    };
    const about = { chain: CHAIN, address: addressOf('large') };
    for (const body of [
      { chain: CHAIN, files: files() },
      { ...about, files: {} },
      { ...about, files: { 'build.json': JSON.stringify(build) } },
      { ...about, chain: '4711', files: files() },
    ]) {
      const [{ body: small }, { body: large }] = [
        await post('/verify', body),
        await post('/verify', { ...body, padding }),
      ];
      expect(large).toEqual({ ...small, errorId: expect.any(String) });
    }
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...about, padding })) form.append(name, value);
    for (const [name, text] of Object.entries(files())) form.append('files', new Blob([text]), name);
    expect(await post('/', form)).toMatchObject(perfect('large'));
  });

  test('asks which contract is meant, and takes its number', async () => {
    const build = {
      input: INPUT,
      output: {
        contracts: {
          [PATH]: { Counter: { metadata: counter.metadata }, Other: { metadata: other.metadata } },
        },
      },
    };
    const body = {
      address: addressOf('build'),
      chain: 31337,
      files: { 'build.json': JSON.stringify(build) },
    };
    const asked = await post('/verify', body);
    expect([asked.status, asked.body]).toMatchObject([
      400,
      {
        error: expect.stringMatching(/^Detected 2 contracts \(Counter, Other\), but can only verify 1/),
        contractsToChoose: [
          { name: 'Counter', path: PATH },
          { name: 'Other', path: PATH },
        ],
      },
    ]);
    expect((await post('/verify', { ...body, chosenContract: '2' })).body.error).toContain('chosenContract');
    expect(await post('/verify', { ...body, chosenContract: '0' })).toMatchObject(perfect('build'));
  });

  test('calls a match of other metadata partial, and keeps the first of two such', async () => {
    const commented = compileForTest(
      { ...INPUT, sources: { [PATH]: { content: WITH_OTHER_COMMENT } } },
      PATH,
      'Counter',
    );
    const sent = { 'metadata.json': commented.metadata, [PATH]: WITH_OTHER_COMMENT };
    const body = { address: addressOf('partial'), chain: CHAIN, files: sent };
    expect((await post('/verify', body)).body.result).toMatchObject([{ status: 'partial' }]);
    const again = await post('/verify', body);
    expect([again.status, again.body.error]).toEqual([
      409,
      expect.stringContaining(`${shown('partial')} on chainId ${CHAIN} is already partially verified`),
    ]);
  });

  test('says why nothing was verified, never as a fault', async () => {
    const tries: readonly [object, number, string | RegExp][] = [
      [{ address: addressOf('other'), chain: CHAIN, files: files() }, 400, /recompiled bytecode/],
      [
        { address: addressOf('nobody'), chain: CHAIN, files: files() },
        404,
        /does not have a contract deployed/,
      ],
      [{ address: addressOf('wrong'), chain: CHAIN, files: files('contract X {}') }, 400, /Missing sources/],
      [{ address: addressOf('wrong'), chain: '777', files: files() }, 400, 'Chain 777 not found'],
      [
        { address: addressOf('wrong'), chain: CHAIN, files: { 'a.sol': SOURCE } },
        400,
        /Metadata file not found/,
      ],
      [{ address: addressOf('wrong'), chain: CHAIN }, 400, /Couldn't extract files/],
      [{ address: addressOf('wrong'), chain: CHAIN, files: { a: 1 } }, 400, /files\/a must be string/],
      [{ address: addressOf('wrong'), chain: CHAIN, files: [] }, 400, /files must be object/],
      [{ address: addressOf('wrong'), files: files() }, 400, /property 'chain'/],
      [{ address: '0x12', chain: CHAIN, files: files() }, 400, /body\/address/],
      [{ address: addressOf('wrong'), chain: 'x', files: files() }, 400, /body\/chain/],
      [{ address: addressOf('wrong'), chain: CHAIN, files: files(), creatorTxHash: '0x1' }, 400, /Hash/],
      [[], 400, /must be object/],
    ];
    for (const [body, status, text] of tries) {
      const answer = await post('/verify', body);
      expect([answer.status, answer.body.error], JSON.stringify(body).slice(0, 200)).toEqual([
        status,
        expect.stringMatching(text),
      ]);
      expect(answer.body.message).toBe(answer.body.error);
    }
  });

  test('a body of another type or none is refused in the same form', async () => {
    const plain = await served.app.inject({
      method: 'POST',
      url: '/verify',
      headers: { 'content-type': 'text/plain' },
      payload: 'x',
    });
    expect([plain.statusCode, plain.json()]).toMatchObject([400, { error: expect.any(String) }]);
    const none = await served.app.inject({ method: 'POST', url: '/' });
    expect([none.statusCode, none.json().error]).toEqual([
      400,
      "request/body must have required property 'address'",
    ]);
  });
});

describe('POST /verify/solc-json', () => {
  const request = (name: string, change: object = {}) => ({
    address: addressOf(name),
    chain: CHAIN,
    compilerVersion: COMPILER,
    contractName: 'Counter',
    files: { 'input.json': JSON.stringify(INPUT) },
    ...change,
  });

  test('verifies the contract of a name, in whichever file it is', async () => {
    expect(await post('/verify/solc-json', request('solc-json'))).toMatchObject(perfect('solc-json'));
  });

  test('needs the file when several define the name', async () => {
    const twice = { ...INPUT, sources: { ...INPUT.sources, 'src/Copy.sol': { content: SOURCE } } };
    const sent = request('named', { files: { 'input.json': JSON.stringify(twice) } });
    expect((await post('/verify/solc-json', sent)).body.error).toContain(
      'Several files define Counter: src/Counter.sol, src/Copy.sol.',
    );
    const named = await post('/verify/solc-json', { ...sent, contractName: `${PATH}:Counter` });
    expect(named).toMatchObject(perfect('named'));
  });

  test.each([
    [{ contractName: 'Nobody' }, /Couldn't find contract Nobody/],
    [{ files: { 'input.json': '{' } }, /Couldn't parse JSON input\.json/],
    [{ files: { a: '{}', b: '{}' } }, /Only one Solidity JSON Input/],
    [{ compilerVersion: undefined }, /property 'compilerVersion'/],
  ])('%j is refused', async (change, text) => {
    const { status, body } = await post('/verify/solc-json', request('wrong', change));
    expect([status, body.error]).toEqual([400, expect.stringMatching(text)]);
  });

  test.each([
    ['in one list', `[${'[],'.repeat(60_000)}1]`],
    ['in lists in lists', `[${`${'['.repeat(90)}${']'.repeat(90)},`.repeat(600)}1]`],
  ])('too many members are refused, %s', async (_, notes) => {
    const text = JSON.stringify(INPUT).replace(/}$/, `,"notes":${notes}}`);
    const { status, body } = await post(
      '/verify/solc-json',
      request('wrong', { files: { 'input.json': text } }),
    );
    expect([status, body.error]).toEqual([400, expect.stringMatching(/more than 50000 members/)]);
  });
});

test('POST /verify/vyper becomes a job like any other', async () => {
  const { status, body } = await post('/verify/vyper', {
    address: addressOf('wrong'),
    chain: CHAIN,
    files: { 'a.vy': '# @version 0.4.0' },
    contractPath: 'a.vy',
    contractName: 'a',
    compilerVersion: '0.4.0+commit.e9db8d9f',
  });
  expect([status, body.error]).toEqual([400, expect.stringMatching(/^Compiler error\..*0\.4\.0/)]);
});

describe('look-ups', () => {
  beforeAll(async () => {
    await post('/verify', { address: addressOf('files'), chain: CHAIN, files: files() });
  });
  const address = addressOf('files');
  const root = `contracts/full_match/${CHAIN}/${shown('files')}`;
  const paths = [
    `${root}/metadata.json`,
    `${root}/creator-tx-hash.txt`,
    `${root}/constructor-args.txt`,
    `${root}/sources/${PATH}`,
  ];

  test('GET /check-by-addresses knows exact matches only', async () => {
    const query = `addresses=${address},${addressOf('partial')}&chainIds=1,${CHAIN}`;
    for (const path of ['/check-by-addresses', '/checkByAddresses']) {
      expect(await get(`${path}?${query}`)).toEqual({
        status: 200,
        body: [
          { address: shown('files'), status: 'perfect', chainIds: [CHAIN] },
          { address: shown('partial'), status: 'false' },
        ],
      });
    }
  });

  test('GET /check-all-by-addresses knows both kinds, and proxies when asked', async () => {
    const query = `addresses=${address},${addressOf('partial')},${addressOf('nobody')}&chainIds=${CHAIN}`;
    const entry = (status: string) => ({ chainId: CHAIN, status });
    for (const path of ['/check-all-by-addresses', '/checkAllByAddresses']) {
      expect(await get(`${path}?${query}&other=1`)).toEqual({
        status: 200,
        body: [
          { address: shown('files'), chainIds: [entry('perfect')] },
          { address: shown('partial'), chainIds: [entry('partial')] },
          { address: shown('nobody'), status: 'false' },
        ],
      });
    }
    const spelt = await get(
      `/check-all-by-addresses?addresses=${address},${address.toUpperCase().replace('X', 'x')}&chainIds=${CHAIN}`,
    );
    expect(spelt.body).toHaveLength(1);
    const resolved = await get(
      `/check-all-by-addresses?addresses=${address}&chainIds=${CHAIN}&resolveProxies=true`,
    );
    expect(resolved.body[0].chainIds).toEqual([
      { ...entry('perfect'), isProxy: false, proxyType: null, implementations: [] },
    ]);
  });

  test.each(['addresses=0x1&chainIds=1', `addresses=${address}`, `addresses=${address}&chainIds=x`, ''])(
    'GET /check-by-addresses?%s is refused',
    async (query) => {
      const { status, body } = await get(`/check-by-addresses?${query}`);
      expect([status, body.error]).toEqual([400, expect.stringContaining('request/query/')]);
    },
  );

  test('GET /files/any gives the files of either match', async () => {
    const full = await get(`/files/any/${CHAIN}/${address}`);
    expect([full.status, full.body.status]).toEqual([200, 'full']);
    expect(full.body.files).toEqual([
      { name: 'metadata.json', path: paths[0], content: counter.metadata },
      { name: 'creator-tx-hash.txt', path: paths[1], content: expect.stringMatching(/^0x0+8$/) },
      { name: 'constructor-args.txt', path: paths[2], content: `0x${ARGUMENTS}` },
      { name: 'Counter.sol', path: paths[3], content: SOURCE },
    ]);
    expect((await get(`/files/any/${CHAIN}/${addressOf('partial')}`)).body.status).toBe('partial');
    const tree = await get(`/files/tree/any/${CHAIN}/${address}`);
    expect(tree.body).toEqual({ status: 'full', files: paths.map((path) => `/ledger/repository/${path}`) });
  });

  test('GET /files and /files/tree give those of an exact match', async () => {
    expect((await get(`/files/${CHAIN}/${address}`)).body.map(({ path }: { path: string }) => path)).toEqual(
      paths,
    );
    expect((await get(`/files/tree/${CHAIN}/${address}`)).body).toHaveLength(4);
    for (const folder of ['files', 'files/tree']) {
      expect(await get(`/${folder}/${CHAIN}/${addressOf('partial')}`)).toMatchObject({
        status: 404,
        body: { error: 'Files have not been found!' },
      });
    }
  });

  test('GET /repository/contracts/… gives one file as it is', async () => {
    const read = async (path: string) => served.app.inject(`/repository/${path}`);
    const source = await read(`${root}/sources/${PATH}`);
    expect([source.statusCode, source.body, source.headers['content-type']]).toEqual([
      200,
      SOURCE,
      'text/plain; charset=utf-8',
    ]);
    expect((await read(`${root}/metadata.json`)).json()).toEqual(JSON.parse(counter.metadata));
    for (const wrong of [
      `${root}/Counter.sol`,
      `${root}/..%2f`,
      `${root.replace('full', 'partial')}/metadata.json`,
    ])
      expect((await read(wrong)).statusCode, wrong).toBe(404);
  });

  test('GET /files/contracts lists the contracts of a chain', async () => {
    const both = await get(`/files/contracts/${CHAIN}`);
    expect(both.body.full).toContain(shown('files'));
    expect(both.body.partial).toEqual([shown('partial')]);
    const page = await get(`/files/contracts/full/${CHAIN}?limit=2&page=1&order=desc`);
    const total = both.body.full.length;
    expect(page.body).toEqual({
      results: [...both.body.full].reverse().slice(2, 4),
      pagination: {
        currentPage: 1,
        totalPages: Math.ceil(total / 2),
        resultsPerPage: 2,
        resultsCurrentPage: 2,
        totalResults: total,
        hasNextPage: total > 4,
        hasPreviousPage: true,
      },
    });
    expect((await get(`/files/contracts/partial/${CHAIN}`)).body.results).toEqual([shown('partial')]);
    expect((await get(`/files/contracts/any/${CHAIN}`)).body.pagination.totalResults).toBe(total + 1);
    for (const query of ['limit=0', 'limit=201', 'page=-1', 'order=up'])
      expect((await get(`/files/contracts/any/${CHAIN}?${query}`)).status, query).toBe(400);
  });

  test('an unknown chain and a broken address are refused', async () => {
    expect((await get(`/files/any/777/${address}`)).body.error).toBe('Chain 777 not found');
    expect((await get('/files/any/1/0x12')).body.error).toContain('request/params/address');
    expect((await get('/files/contracts/777')).status).toBe(400);
  });
});
