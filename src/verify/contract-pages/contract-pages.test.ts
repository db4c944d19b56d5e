import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCompilation, aMatch } from '../../../test/kit/verify/a-verification.ts';
import { type ServedArea, serveArea } from '../../../test/kit/verify/serve-area.ts';
import { storeMatch } from '../../../test/kit/verify/store-match.ts';
import type { Hex } from '../../values/hex.ts';
import { checksumAddress } from '../address.ts';

const ADDRESS: Hex = '0x7d53f102f4d4aa014db4e10d6deec2009b3cda6b';
const CHECKSUMMED = checksumAddress(ADDRESS);
const OTHER = '0x000000000000000000000000000000000000dEaD';
const PEOPLE = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const CHAINS = {
  '1': { title: 'First <chain>' },
  '5': { supported: false, rpc: ['http://127.0.0.1:1'] },
  '7': { rpc: ['http://127.0.0.1:1'] },
};
const SOURCES = {
  'src/A.sol': { content: 'contract A { string s = "</code><script>alert(1)</script>"; }\n' },
  'src/lib/B.sol': { content: '// \u202e reversed \u2066\nlibrary B {}\r\n' },
  'src/lib/<b>.sol': { content: 'library C {}' },
};

let served: ServedArea;

beforeAll(async () => {
  const given = { '1': { ...CHAINS['1'], static: { [OTHER]: { runtimeBytecode: '0x6001' } } } };
  served = await serveArea({
    chainsJson: JSON.stringify({ ...CHAINS, ...given }),
    creationSearchMs: 0,
    runningJobs: 0,
  });
  const compilation = {
    ...aCompilation({}),
    target: { path: 'src/A.sol', name: 'A' },
    input: {
      language: 'Solidity' as const,
      sources: SOURCES,
      settings: { optimizer: { enabled: true, runs: 7 } },
    },
    abi: [{ type: 'function', name: 'f', inputs: [], outputs: [], stateMutability: 'view' }],
    metadata: '{"compiler":{}}',
    sourceHashes: Object.fromEntries(Object.keys(SOURCES).map((path) => [path, '00'.repeat(32)])),
  };
  const match = aMatch({ compilation, runtime: 'exact_match', creation: null });
  await storeMatch(served.store, { address: ADDRESS, chainId: '1' }, match);
  await storeMatch(served.store, { address: ADDRESS, chainId: '7', at: 2000 }, match);
});
afterAll(() => served.close());

const get = (url: string, headers: Readonly<Record<string, string>> = PEOPLE) =>
  served.app.inject({ url, headers });

describe('the page of a contract', () => {
  test('is for browsers; programs are led to the record', async () => {
    const page = await get(`/repo-ui/1/${ADDRESS}`);
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.vary).toContain('Accept');
    expect(page.body).toContain(CHECKSUMMED);
    expect(page.body).toContain('First &lt;chain&gt;');
    for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }]) {
      const program = await get(`/repo-ui/1/${ADDRESS}`, headers);
      expect([program.statusCode, program.headers.location]).toEqual([302, `/v2/contract/1/${ADDRESS}`]);
      expect(program.headers.vary).toContain('Accept');
    }
  });

  test('says what matched, and what that means', async () => {
    const { body } = await get(`/repo-ui/1/${ADDRESS}`);
    expect(body).toContain('original files, down to comments');
    expect(body).toMatch(/Exact match<\/span> Runtime/);
    expect(body).toMatch(/Not matched<\/span> Creation/);
    expect(body).toContain('solc 0.8.30+commit.73712a01');
    expect(body).toContain('1970-01-01 00:00:01 UTC');
  });

  test('shows the file with the contract, or the one that is asked for', async () => {
    const first = await get(`/repo-ui/1/${ADDRESS}`);
    expect(first.body).toContain('<strong>src/A.sol</strong>');
    const other = await get(`/repo-ui/1/${ADDRESS}?file=src%2Flib%2FB.sol`);
    expect(other.body).toContain('<strong>src/lib/B.sol</strong>');
    const unknown = await get(`/repo-ui/1/${ADDRESS}?file=..%2F..%2Fetc%2Fpasswd`);
    expect([unknown.statusCode, unknown.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  });

  test('shows sources as text, and marks what turns text around', async () => {
    const { body } = await get(`/repo-ui/1/${ADDRESS}`);
    expect(body).not.toContain('<script>alert');
    expect(body).not.toContain('<b>.sol');
    const turned = (await get(`/repo-ui/1/${ADDRESS}?file=src%2Flib%2FB.sol`)).body;
    expect(turned).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    expect(turned).toContain('title="right-to-left override">U+202E</span>');
    expect(turned).toContain('contains 2 characters that are invisible');
    expect(body).not.toContain('invisible');
  });

  test('is not sent again to a client that holds it', async () => {
    const { etag } = (await get(`/repo-ui/1/${ADDRESS}`)).headers;
    const again = await get(`/repo-ui/1/${ADDRESS}`, { ...PEOPLE, 'if-none-match': String(etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  test('says that an address is not verified, and where to submit it', async () => {
    const page = await get(`/repo-ui/1/${OTHER.toLowerCase()}`);
    expect(page.statusCode).toBe(404);
    expect(page.body).toContain(`/verify-ui?chainId=1&amp;address=${OTHER}`);
    expect(page.body).toContain(`/repo-ui/1/${OTHER}/similar`);
    expect((await get(`/repo-ui/5/${OTHER}`)).body).not.toContain('/verify-ui?chainId');
  });

  test.each([
    [`/repo-ui/99/${ADDRESS}`, 404, 'Unknown chain'],
    [`/repo-ui/x/${ADDRESS}`, 400, 'Not a chain'],
    ['/repo-ui/1/0x12', 400, 'Not an address'],
    [`/repo-ui/1/${ADDRESS}?file=a&file=b`, 400, 'Invalid page'],
    ['/repo-ui/99', 404, 'Unknown chain'],
    ['/repo-ui?before=x', 400, 'Invalid page'],
    ['/repo-ui?address=0x1', 400, 'Not an address'],
    [`/repo-ui/1/${OTHER}/sources.zip`, 404, 'Not verified'],
    [`/repo-ui/1/${ADDRESS}/file?path=x`, 404, 'No such file'],
    [`/repo-ui/1/${ADDRESS}/file`, 404, 'No such file'],
    [`/repo-ui/1/${OTHER}/proxy`, 404, 'Not verified'],
  ])('%s is a page with status %i', async (url, status, title) => {
    const page = await get(url);
    expect([page.statusCode, page.headers['content-type']]).toEqual([status, 'text/html; charset=utf-8']);
    expect(page.body).toContain(`<h1>${title}</h1>`);
  });
});

describe('parts that ask a chain', () => {
  test('a proxy that the chain tells nothing about says so', async () => {
    // Its code holds no sign of a proxy, so that no chain is asked.
    expect((await get(`/repo-ui/1/${ADDRESS}/proxy`)).body).toContain('Not a known kind of proxy');
  });

  test('an unverified address is like those whose code begins alike', async () => {
    const page = await get(`/repo-ui/1/${OTHER}/similar`);
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('No other verified contract');
    expect((await get(`/repo-ui/7/${OTHER}/similar`)).body).toContain('is not responding');
  });

  test('a verified contract is like its copies', async () => {
    const { body } = await get(`/repo-ui/1/${ADDRESS}/similar`);
    expect(body).toContain(`/repo-ui/7/${CHECKSUMMED}`);
  });
});

describe('lists', () => {
  test('the newest verifications of all chains or one', async () => {
    const all = (await get('/repo-ui')).body;
    expect(all.indexOf(`/repo-ui/7/${CHECKSUMMED}`)).toBeLessThan(all.indexOf(`/repo-ui/1/${CHECKSUMMED}`));
    const one = (await get('/repo-ui/1')).body;
    expect(one).toContain(`/repo-ui/1/${CHECKSUMMED}`);
    expect(one).not.toContain(`/repo-ui/7/${CHECKSUMMED}`);
    expect((await get('/repo-ui/5')).body).toContain('No verified contracts yet');
    expect((await get('/repo-ui?before=2')).body).not.toContain(`/repo-ui/7/${CHECKSUMMED}`);
  });

  test('an address on all chains', async () => {
    const { body } = await get(`/repo-ui?address=${ADDRESS}`);
    for (const chain of [1, 7]) expect(body).toContain(`/repo-ui/${chain}/${CHECKSUMMED}`);
    expect((await get(`/repo-ui?address=${OTHER}`)).body).toContain('is not verified on any chain');
  });
});

describe('downloads', () => {
  test('the input of the compiler and its metadata', async () => {
    const input = await get(`/repo-ui/1/${ADDRESS}/standard-input.json`);
    expect(input.json()).toEqual({
      language: 'Solidity',
      sources: SOURCES,
      settings: { optimizer: { enabled: true, runs: 7 } },
    });
    expect(input.headers['content-disposition']).toBe('attachment; filename="A.input.json"');
    expect((await get(`/repo-ui/1/${ADDRESS}/metadata.json`)).body).toBe('{"compiler":{}}');
  });

  test('one file as plain text, which no browser makes a page of', async () => {
    const file = await get(`/repo-ui/1/${ADDRESS}/file?path=src%2FA.sol`);
    expect(file.body).toBe(SOURCES['src/A.sol'].content);
    expect(file.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
  });

  test('a zip file, the same bytes each time', async () => {
    const [first, second] = [
      await get(`/repo-ui/1/${ADDRESS}/sources.zip`),
      await get(`/repo-ui/1/${ADDRESS}/sources.zip`),
    ];
    expect(first.statusCode).toBe(200);
    expect(first.rawPayload.subarray(0, 2).toString()).toBe('PK');
    expect(first.rawPayload.equals(second.rawPayload)).toBe(true);
    for (const name of [
      'sources/src/A.sol',
      'sources/src/lib/_b_.sol',
      'standard-input.json',
      'metadata.json',
    ])
      expect(first.rawPayload.includes(name), name).toBe(true);
  });
});
