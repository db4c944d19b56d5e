import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCompilation, aMatch } from '../../../test/kit/verify/a-verification.ts';
import { type MockContract, mockChainFetch } from '../../../test/kit/verify/mock-chain.ts';
import { type ServedArea, serveArea } from '../../../test/kit/verify/serve-area.ts';
import { storeMatch } from '../../../test/kit/verify/store-match.ts';
import type { Hex } from '../../values/hex.ts';
import type { MatchedVerification } from '../jobs/results/verification-result.ts';
import { SLOTS } from '../proxy/proxy-candidates.ts';

const PLAIN = '0x000000000000000000000000000000000000dead';
const PROXY = `0x${'1'.repeat(40)}`;
const LOGIC = `0x${'2'.repeat(40)}`;
const OFFLINE = `0x${'3'.repeat(40)}`;
const LARGE = `0x${'4'.repeat(40)}`;
const LARGE_TEXT = '"large" 😀\n'.repeat(40_000);
const CHAINS = JSON.stringify({
  '31337': { rpc: ['http://chain.test/'] },
  '9': { static: {} },
  '100': { static: {} },
});
const PROXY_CODE = Buffer.from(`7f${SLOTS.implementation}5af4`, 'hex');

let served: ServedArea;
beforeAll(async () => {
  const storage = { [`0x${SLOTS.implementation}`]: `0x${LOGIC.slice(2).padStart(64, '0')}` };
  const contracts = new Map<string, MockContract>([[PROXY, { runtime: '0x', storage }]]);
  served = await serveArea({ chainsJson: CHAINS, runningJobs: 0, fetch: mockChainFetch(contracts) });
  const match = aMatch({ compilation: aCompilation({}), runtime: 'match', creation: null });
  for (const chainId of ['100', '9', '31337']) await verify(chainId, PLAIN, match);
  await verify('31337', LOGIC, match);
  await verify('31337', PROXY, { ...match, onchainRuntime: PROXY_CODE });
  const compilation = aCompilation({ comment: LARGE_TEXT });
  await verify('9', LARGE, aMatch({ compilation, runtime: 'match', creation: null }));
  await verify('9', OFFLINE, { ...match, onchainRuntime: PROXY_CODE });
});
afterAll(() => served.close());

function verify(chainId: string, address: string, result: MatchedVerification): Promise<void> {
  const at = Date.UTC(2026, 10, 20);
  return storeMatch(served.store, { chainId, address: address as Hex, at }, result);
}

const get = (path: string, headers: Record<string, string> = {}) =>
  served.app.inject({ url: `/v2/${path}`, headers });
const MINIMAL = ['match', 'creationMatch', 'runtimeMatch', 'chainId', 'address', 'verifiedAt', 'matchId'];
const FIELDS = [
  'creationBytecode',
  'runtimeBytecode',
  'deployment',
  'sources',
  'compilation',
  'abi',
  'metadata',
  'storageLayout',
  'transientStorageLayout',
  'userdoc',
  'devdoc',
  'sourceIds',
  'stdJsonInput',
  'stdJsonOutput',
  'signatures',
  'proxyResolution',
];

describe('the record of a verified contract', () => {
  test('is minimal without a query', async () => {
    expect((await get(`contract/31337/${PLAIN}`)).json()).toEqual({
      match: 'match',
      creationMatch: null,
      runtimeMatch: 'match',
      chainId: '31337',
      address: '0x000000000000000000000000000000000000dEaD',
      verifiedAt: '2026-11-20T00:00:00Z',
      matchId: expect.stringMatching(/^\d+$/),
    });
  });

  test('has every field with fields=all, and all the others with omit', async () => {
    expect(Object.keys((await get(`contract/31337/${PLAIN}?fields=all`)).json())).toEqual([
      ...MINIMAL,
      ...FIELDS,
    ]);
    for (const field of FIELDS) {
      const rest = Object.keys((await get(`contract/31337/${PLAIN}?omit=${field}`)).json());
      expect(rest).toEqual([...MINIMAL, ...FIELDS].filter((each) => each !== field));
    }
  });

  test('is printed in pieces when it is large, with the same text (issue 12)', async () => {
    const { body, headers } = await get(`contract/9/${LARGE}?fields=stdJsonInput,sources`);
    expect(headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8' });
    expect(headers).not.toHaveProperty('content-length');
    const record = JSON.parse(body);
    expect(Object.keys(record)).toEqual([...MINIMAL, 'sources', 'stdJsonInput']);
    expect(record.sources).toEqual({ 'a.sol': { content: LARGE_TEXT } });
    expect(JSON.stringify(record)).toBe(body);
    expect((await get(`contract/9/${PLAIN}?fields=all`)).headers).toHaveProperty('content-length');
  });

  test.each(FIELDS.map((field) => [field]))('has %s alone beside the minimal record', async (field) => {
    const [alone, all] = [field, 'all'].map((fields) => get(`contract/31337/${PLAIN}?fields=${fields}`));
    const record = (await alone)?.json();
    expect(Object.keys(record)).toEqual([...MINIMAL, field]);
    expect(record[field]).toEqual((await all)?.json()[field]);
  });

  const SUB_FIELDS = {
    creationBytecode: [
      'onchainBytecode',
      'recompiledBytecode',
      'sourceMap',
      'linkReferences',
      'cborAuxdata',
      'transformations',
      'transformationValues',
    ],
    runtimeBytecode: [
      'onchainBytecode',
      'recompiledBytecode',
      'sourceMap',
      'linkReferences',
      'cborAuxdata',
      'transformations',
      'transformationValues',
      'immutableReferences',
    ],
    deployment: ['transactionHash', 'blockNumber', 'transactionIndex', 'deployer'],
    compilation: [
      'language',
      'compiler',
      'compilerVersion',
      'compilerSettings',
      'name',
      'fullyQualifiedName',
    ],
    signatures: ['function', 'event', 'error'],
  };

  test.each(Object.entries(SUB_FIELDS))(
    '%s has its sub-fields, each selectable and omissible',
    async (field, names) => {
      const url = `contract/31337/${PLAIN}`;
      expect(Object.keys((await get(`${url}?fields=${field}`)).json()[field])).toEqual(names);
      for (const name of names) {
        expect(Object.keys((await get(`${url}?fields=${field}.${name}`)).json()[field])).toEqual([name]);
        const rest = (await get(`${url}?omit=${field}.${name}`)).json()[field];
        expect(Object.keys(rest)).toEqual(names.filter((each) => each !== name));
      }
      const none = await get(`${url}?omit=${names.map((name) => `${field}.${name}`).join(',')}`);
      expect(none.json()).not.toHaveProperty(field);
    },
  );

  test.each(MINIMAL)('takes %s as a selector and never leaves it out', async (name) => {
    expect(Object.keys((await get(`contract/31337/${PLAIN}?fields=${name}`)).json())).toEqual(MINIMAL);
    expect((await get(`contract/31337/${PLAIN}?omit=${name}`)).json()).toHaveProperty(name);
  });

  test('refuses a part of proxyResolution', async () => {
    const response = await get(`contract/31337/${PROXY}?fields=proxyResolution.onchainRuntimeBytecode`);
    expect([response.statusCode, response.json().message]).toEqual([
      400,
      'Field selector proxyResolution.onchainRuntimeBytecode is not a valid field',
    ]);
  });
});

describe('proxyResolution', () => {
  test('names the verified implementation', async () => {
    expect((await get(`contract/31337/${PROXY}?fields=proxyResolution`)).json().proxyResolution).toEqual({
      isProxy: true,
      proxyType: 'EIP1967Proxy',
      implementations: [{ address: LOGIC, name: 'A' }],
    });
  });

  test('is plain for other contracts, also without a node', async () => {
    const none = { isProxy: false, proxyType: null, implementations: [] };
    for (const chainId of ['31337', '9']) {
      const response = await get(`contract/${chainId}/${PLAIN}?fields=abi,proxyResolution`);
      expect(response.json().proxyResolution).toEqual(none);
    }
  });

  test('is a failure in a good answer when nobody can be asked', async () => {
    const response = await get(`contract/9/${OFFLINE}?fields=all`);
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({
      abi: [],
      proxyResolution: {
        proxyResolutionError: {
          customCode: 'proxy_resolution_error',
          message: 'Error while running proxy detection and implementation resolution',
          errorId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        },
      },
    });
  });
});

describe('keeping lookups', () => {
  test.each([
    `contract/31337/${PLAIN}`,
    `contract/31337/${PLAIN}?fields=abi`,
    `contract/all-chains/${PLAIN}`,
  ])('%s has a tag and is 304 while nothing changes', async (path) => {
    const first = await get(path);
    expect(first.headers).toMatchObject({
      etag: expect.stringMatching(/^W\/"[\w-]{22}"$/),
      'cache-control': 'no-cache',
      'access-control-expose-headers': 'ETag',
    });
    const tag = String(first.headers.etag);
    for (const header of [tag, tag.slice(2), `"x", ${tag}`, '*']) {
      const held = await get(path, { 'if-none-match': header });
      expect([held.statusCode, held.body, held.headers.etag]).toEqual([304, '', tag]);
    }
    expect((await get(path, { 'if-none-match': '"x"' })).statusCode).toBe(200);
  });

  test('a better verification changes the tag', async () => {
    const address = `0x${'4'.repeat(40)}`;
    const tags: unknown[] = [];
    for (const grade of ['match', 'exact_match'] as const) {
      const compilation = aCompilation({ comment: grade });
      await verify('31337', address, aMatch({ compilation, runtime: grade, creation: null }));
      tags.push((await get(`contract/31337/${address}`)).headers.etag);
    }
    expect(new Set(tags).size).toBe(2);
  });

  test('what is not verified and what the chain tells has no tag', async () => {
    for (const path of [
      `contract/31337/0x${'9'.repeat(40)}`,
      `contract/31337/${PROXY}?fields=proxyResolution`,
    ]) {
      const { headers } = await get(path, { 'if-none-match': '*' });
      expect([headers.etag, headers['cache-control']]).toEqual([undefined, 'no-cache']);
    }
  });
});

describe('lists', () => {
  test('of an address are in the order of the chain numbers', async () => {
    const { results } = (await get(`contract/all-chains/${PLAIN}`)).json();
    expect(results.map(({ chainId }: { chainId: string }) => chainId)).toEqual(['9', '100', '31337']);
    expect(Object.keys(results[0])).toEqual(MINIMAL);
  });

  test('of a chain continue after the last matchId, in both directions', async () => {
    const ids = async (query: string): Promise<string[]> =>
      (await get(`contracts/31337${query}`))
        .json()
        .results.map(({ matchId }: { matchId: string }) => matchId);
    const all = await ids('');
    expect(all.length).toBeGreaterThan(2);
    expect(all).toEqual(all.toSorted((left, right) => Number(right) - Number(left)));
    expect(await ids('?limit=1')).toEqual(all.slice(0, 1));
    expect(await ids(`?limit=2&afterMatchId=${all[0]}`)).toEqual(all.slice(1, 3));
    expect(await ids('?sort=asc')).toEqual(all.toReversed());
    expect(await ids(`?sort=asc&limit=1&afterMatchId=${all.at(-1)}`)).toEqual(all.slice(-2, -1));
    expect(await ids('?sort=asc&afterMatchId=99999999999999999999')).toEqual([]);
  });
});
