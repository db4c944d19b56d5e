import { afterAll, beforeAll, expect, test } from 'vitest';
import { aCompilation, aMatch } from '../../../test/kit/verify/a-verification.ts';
import { MOCK_CHAIN_URL, mockChainFetch } from '../../../test/kit/verify/mock-chain.ts';
import { type ServedArea, serveArea } from '../../../test/kit/verify/serve-area.ts';
import { storeMatch } from '../../../test/kit/verify/store-match.ts';
import type { Hex } from '../../values/hex.ts';
import { checksumAddress } from '../address.ts';
import type { Fetch } from '../chain/json-rpc-endpoint.ts';
import { SLOTS } from '../proxy/proxy-candidates.ts';

const CHAIN = '31337';
/** A chain whose endpoint refuses, one that breaks its answers, and one that is only read any more. */
const [SILENT, BROKEN, RETIRED] = ['7', '8', '9'];
const addressOf = (digit: string): Hex => `0x${digit.repeat(40)}`;
const [NAMED, UNNAMED] = [addressOf('a'), addressOf('b')];
const word = (address: string) => `0x${address.slice(2).padStart(64, '0')}`;
const pushed = (slot: string) => `7f${slot}5af4`;
const SAFE = `7f${'a619486e'.padEnd(64, '0')}5af4`;

interface Proxy {
  readonly address: Hex;
  readonly code: string;
  readonly slot?: string;
  readonly words: string;
  readonly implementations: readonly Hex[];
}

const PROXIES: Readonly<Record<string, Proxy>> = {
  EIP1167Proxy: {
    address: addressOf('1'),
    code: `363d3d373d3d3d363d73${NAMED.slice(2)}5af43d82803e903d91602b57fd5bf3`,
    words: 'This is a minimal proxy (EIP-1167)',
    implementations: [NAMED],
  },
  FixedProxy: {
    address: addressOf('2'),
    code: `5f5f365f5f37365f73${UNNAMED.slice(2)}5af45f3d5f5f3e5f3d91602a57fd5bf3`,
    words: 'This is a proxy whose code holds the address of its implementation',
    implementations: [UNNAMED],
  },
  EIP1967Proxy: {
    address: addressOf('3'),
    code: pushed(SLOTS.implementation),
    slot: SLOTS.implementation,
    words: 'This is an upgradeable proxy (EIP-1967)',
    implementations: [NAMED],
  },
  PROXIABLEProxy: {
    address: addressOf('4'),
    code: pushed(SLOTS.proxiable),
    slot: SLOTS.proxiable,
    words: 'This is an upgradeable proxy (EIP-1822)',
    implementations: [UNNAMED],
  },
  ZeppelinOSProxy: {
    address: addressOf('5'),
    code: pushed(SLOTS.zeppelinOs),
    slot: SLOTS.zeppelinOs,
    words: 'This is an upgradeable proxy of ZeppelinOS',
    implementations: [NAMED],
  },
  GnosisSafeProxy: {
    address: addressOf('6'),
    code: SAFE,
    slot: '0'.repeat(64),
    words: 'This is a proxy of a Safe',
    implementations: [NAMED],
  },
  SequenceWalletProxy: {
    address: addressOf('7'),
    code: '363d3d373d3d3d363d30545af43d82803e903d91601857fd5bf3',
    slot: word(addressOf('7')).slice(2),
    words: 'This is a wallet of Sequence',
    implementations: [UNNAMED],
  },
  DiamondProxy: {
    address: addressOf('8'),
    code: '6352ef6b2c5af4',
    words: 'This is a diamond (EIP-2535)',
    implementations: [NAMED, UNNAMED],
  },
};
const UPGRADEABLE = PROXIES['EIP1967Proxy'] as Proxy;
const HUGE_DIAMOND = addressOf('c');
const EMPTY_SLOT = addressOf('d');
const FACETS = Array.from({ length: 103 }, (_, index) => `0x${String(index + 1).padStart(40, '0')}`);

const listOf = (addresses: readonly string[]) =>
  `0x${[32, addresses.length].map((each) => each.toString(16).padStart(64, '0')).join('')}${addresses.map((each) => word(each).slice(2)).join('')}`;

let served: ServedArea;

/** The mock chain with storage, `facetAddresses()` of the diamonds, and endpoints that fail. */
function fakeChains(): Fetch {
  const mock = mockChainFetch(
    new Map(
      Object.values(PROXIES).flatMap(({ address, code, slot, implementations: [target = ''] }) =>
        slot === undefined
          ? []
          : [[address, { runtime: `0x${code}`, storage: { [`0x${slot}`]: word(target) } }] as const],
      ),
    ),
  );
  return async (url, init) => {
    if (String(url).includes('silent')) throw new TypeError('fetch failed');
    if (String(url).includes('broken')) return new Response('<h1>502 Bad <gateway></h1>', { status: 502 });
    const call = JSON.parse(String(init.body)) as { method: string; params: readonly [{ to: string }] };
    if (call.method !== 'eth_call') return mock(url, init);
    const facets = call.params[0].to === HUGE_DIAMOND ? FACETS : [NAMED, UNNAMED];
    return Response.json({ jsonrpc: '2.0', id: 1, result: listOf(facets) });
  };
}

beforeAll(async () => {
  const chains = {
    [CHAIN]: { rpc: [MOCK_CHAIN_URL] },
    [SILENT]: { rpc: ['http://silent.test/'] },
    [BROKEN]: { rpc: ['http://broken.test/'] },
    [RETIRED]: { rpc: ['http://silent.test/'], supported: false },
  };
  served = await serveArea({
    chainsJson: JSON.stringify(chains),
    creationSearchMs: 0,
    runningJobs: 0,
    fetch: fakeChains(),
  });
  const store = (chainId: string, address: Hex, code: string, name: string) => {
    const compilation = { ...aCompilation({ comment: code }), target: { path: 'a.sol', name } };
    const match = aMatch({ compilation, runtime: 'exact_match', creation: null });
    const bytes = Buffer.from(code, 'hex');
    return storeMatch(
      served.store,
      { chainId, address },
      { ...match, recompiledRuntime: bytes, onchainRuntime: bytes },
    );
  };
  await store(CHAIN, NAMED, '6001', 'Box<b>\u202e');
  for (const { address, code } of Object.values(PROXIES)) await store(CHAIN, address, code, 'P');
  await store(CHAIN, HUGE_DIAMOND, PROXIES['DiamondProxy']?.code ?? '', 'Huge');
  await store(CHAIN, EMPTY_SLOT, UPGRADEABLE.code, 'Empty');
  for (const chainId of [SILENT, BROKEN, RETIRED]) {
    await store(chainId, UPGRADEABLE.address, UPGRADEABLE.code, 'P');
    await store(chainId, addressOf('1'), PROXIES['EIP1167Proxy']?.code ?? '', 'P');
  }
});
afterAll(() => served.close());

const proxyPage = (chainId: string, address: Hex) =>
  served.app.inject({
    url: `/repo-ui/${chainId}/${address}/proxy`,
    headers: { accept: 'text/html,*/*;q=0.8' },
  });

/** What stands for an implementation: its page with its name, or else the form that takes its sources. */
function expectImplementation(body: string, address: Hex): void {
  const shown = checksumAddress(address);
  expect(body).toContain(`<code>${shown}</code>`);
  const page = `<a href="/repo-ui/${CHAIN}/${shown}">`;
  const form = `<a href="/verify-ui?chainId=${CHAIN}&amp;address=${shown}">Verify source</a>`;
  expect([body.includes(page), body.includes(form)]).toEqual([address === NAMED, address !== NAMED]);
}

test.each(Object.entries(PROXIES))('%s is explained, with its implementations', async (_, proxy) => {
  const page = await proxyPage(CHAIN, proxy.address);
  expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(page.body).toContain(proxy.words);
  if (proxy.implementations.length === 1) expectImplementation(page.body, proxy.implementations[0] as Hex);
  for (const each of proxy.implementations) expect(page.body).toContain(checksumAddress(each));
});

test('the name of an implementation is text, and what turns it around is marked', async () => {
  const { body } = await proxyPage(CHAIN, UPGRADEABLE.address);
  expect(body).toContain('<strong>Box&lt;b&gt;<span');
  expect(body).not.toMatch(/[\u202a-\u202e]|Box<b>/);
});

test('a diamond of very many facets shows a hundred and says how many more there are', async () => {
  const { body } = await proxyPage(CHAIN, HUGE_DIAMOND);
  expect(body.match(/Verify source/g)).toHaveLength(100);
  expect(body).toContain('and 3 more');
});

test('a contract whose slot is empty is not called a proxy', async () => {
  expect((await proxyPage(CHAIN, EMPTY_SLOT)).body).toContain('Not a known kind of proxy');
});

test.each([
  ['refuses', SILENT],
  ['breaks its answers', BROKEN],
  ['is only read any more', RETIRED],
])('a chain that %s is said to not answer; a clone is known without it', async (_, chainId) => {
  const page = await proxyPage(chainId, UPGRADEABLE.address);
  expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(page.body).toContain('The chain is not responding');
  expect(page.body).not.toMatch(/test\/|gateway|fetch failed/);
  const clone = await proxyPage(chainId, addressOf('1'));
  expect(clone.statusCode).toBe(200);
  expect(clone.body).toContain('minimal proxy (EIP-1167)');
});

test('sources of an implementation are not asked for on a chain that takes no submissions', async () => {
  const [taken, retired] = [
    await proxyPage(SILENT, addressOf('1')),
    await proxyPage(RETIRED, addressOf('1')),
  ];
  for (const { body } of [taken, retired]) expect(body).toContain(`<code>${checksumAddress(NAMED)}</code>`);
  expect(taken.body).toContain('Verify source');
  expect(retired.body).toContain('not verified');
  expect(retired.body).not.toContain('/verify-ui?chainId');
});
