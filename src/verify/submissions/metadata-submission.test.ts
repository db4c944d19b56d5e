import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyToEnd } from '../../../test/kit/verify/await-job.ts';
import { compileForTest } from '../../../test/kit/verify/compile-for-test.ts';
import { type MockContract, mockChainFetch } from '../../../test/kit/verify/mock-chain.ts';
import { type ServedArea, serveArea } from '../../../test/kit/verify/serve-area.ts';
import { ipfsMultihash } from '../metadata/ipfs-hash.ts';
import { base58 } from '../metadata/metadata-hash.ts';

const CHAINS =
  '{"31337":{"rpc":["http://chain.test/"]},"5":{"supported":false,"rpc":["http://chain.test/"]}}';
const SOURCES = {
  'lib/Sum.sol':
    'library Sum {\n  function next(uint256 a) external pure returns (uint256) { return a + 1; }\n}\n',
  'src/P.sol':
    'import "@l/Sum.sol";\ncontract P {\n  function f(uint256 a) external pure returns (uint256) { return Sum.next(a); }\n}\n',
};
const input = (sources: Readonly<Record<string, string>>, settings: object = {}) => ({
  language: 'Solidity',
  sources: Object.fromEntries(Object.entries(sources).map(([path, content]) => [path, { content }])),
  settings: {
    remappings: ['@l/=lib/'],
    optimizer: { enabled: true, runs: 17 },
    viaIR: true,
    evmVersion: 'paris',
    libraries: { 'lib/Sum.sol': { Sum: `0x${'5'.repeat(40)}` } },
    ...settings,
  },
});
const crlf = (text: string) => text.replaceAll('\n', '\r\n');

const contracts = new Map<string, MockContract>();
const ipfs = new Map<string, string>();
const fetched: string[] = [];
let served: ServedArea;
let metadata: Record<string, unknown> & { settings: object; sources: Record<string, object> };
beforeAll(async () => {
  const chain = mockChainFetch(contracts);
  served = await serveArea({
    chainsJson: CHAINS,
    ipfsGateway: 'http://gateway.test/ipfs/',
    fetch: async (url, init) => {
      if (url.startsWith('http://chain.test/')) return chain(url, init);
      fetched.push(url);
      const text = ipfs.get(url);
      return text === undefined ? new Response('gone', { status: 404 }) : new Response(text);
    },
  });
  const compiled = compileForTest(input(SOURCES), 'src/P.sol', 'P');
  metadata = JSON.parse(compiled.metadata);
  for (const name of ['exact', 'crlf', 'inline', 'missing', 'fetched', 'wrong', 'targets', 'twice']) {
    contracts.set(addressOf(name), { runtime: compiled.runtime });
  }
});
afterAll(() => served.close());

const addressOf = (name: string) => `0x${createHash('sha256').update(name).digest('hex').slice(0, 40)}`;
const verify = async (name: string, body: object) =>
  (await verifyToEnd(served.app, `metadata/31337/${addressOf(name)}`, body)).job;
const lookup = async (name: string) =>
  (await served.app.inject(`/v2/contract/31337/${addressOf(name)}?fields=stdJsonInput,metadata`)).json();

describe('POST /v2/verify/metadata/{chainId}/{address}', () => {
  test.each<[string, object, string]>([
    ['no members', {}, "request/body must have required property 'sources'"],
    ['no metadata', { sources: {} }, "request/body must have required property 'metadata'"],
    [
      'a source that is no text',
      { sources: { a: {} }, metadata: {} },
      'request/body/sources/a must be string',
    ],
    ['metadata of another type', { sources: {}, metadata: '' }, 'request/body/metadata must be object'],
    ['no compiler', { metadata: {} }, 'Metadata must contain a compiler field.'],
    ['no version', { metadata: { compiler: {} } }, 'Metadata must contain a compiler.version field.'],
    [
      'no language',
      { metadata: { compiler: { version: '0.8.30' } } },
      'Metadata must contain a language field.',
    ],
    [
      'no settings',
      { metadata: { compiler: { version: '0.8.30' }, language: 'Solidity' } },
      'Metadata must contain a settings field.',
    ],
    [
      'no target',
      { metadata: { compiler: { version: '0.8.30' }, language: 'Solidity', settings: {} } },
      'Metadata must contain a settings.compilationTarget field.',
    ],
    [
      'no sources in the metadata',
      {
        metadata: {
          compiler: { version: '0.8.30' },
          language: 'Solidity',
          settings: { compilationTarget: {} },
        },
      },
      'Metadata must contain a sources field.',
    ],
    [
      'an unknown language',
      {
        metadata: {
          compiler: { version: '1.0.0' },
          language: 'X',
          settings: { compilationTarget: {} },
          sources: {},
        },
      },
      'The language "X" has no metadata that can be verified. Use Solidity or Yul.',
    ],
  ])('refuses %s', async (_, change, message) => {
    const hasMetadata = Object.hasOwn(change, 'metadata') && !Object.hasOwn(change, 'sources');
    const response = await served.app.inject({
      method: 'POST',
      url: `/v2/verify/metadata/31337/${addressOf('refused')}`,
      payload: hasMetadata ? { sources: {}, ...change } : change,
    });
    expect(response.json()).toMatchObject({ customCode: 'invalid_parameter', message });
    expect(response.statusCode).toBe(400);
  });

  test('names the member of the metadata that has another form', async () => {
    const broken: readonly [object, string][] = [
      [{ sources: { a: null } }, '/sources/a must be object'],
      [
        { sources: { a: { keccak256: '0x1' } } },
        '/sources/a/keccak256 must match pattern "^0x[0-9a-f]{64}$"',
      ],
      [{ compiler: { version: 5 } }, '/compiler/version must match pattern "^v?\\d+\\.\\d+\\.\\d+.*$"'],
      [{ sources: [] }, '/sources must be object'],
    ];
    for (const [change, text] of broken) {
      const response = await served.app.inject({
        method: 'POST',
        url: `/v2/verify/metadata/31337/${addressOf('refused')}`,
        payload: { sources: {}, metadata: { ...metadata, ...change } },
      });
      expect(response.json().message).toBe(`request/body/metadata${text}`);
    }
  });

  test('refuses chains as the other submissions do', async () => {
    const responses = await Promise.all(
      ['1', '5'].map((chain) =>
        served.app.inject({
          method: 'POST',
          url: `/v2/verify/metadata/${chain}/${addressOf('refused')}`,
          payload: { sources: {}, metadata: {} },
        }),
      ),
    );
    expect(responses.map((response) => response.json().customCode)).toEqual([
      'unsupported_chain',
      'unsupported_chain',
    ]);
  });

  test('rebuilds the input from files under any path and keeps every setting', async () => {
    const sources = {
      'x/1': SOURCES['src/P.sol'],
      'x/2': SOURCES['lib/Sum.sol'],
      'x/3': 'contract Unused {}',
    };
    const job = await verify('exact', { sources, metadata });
    expect(job.contract).toMatchObject({ runtimeMatch: 'exact_match' });
    const { stdJsonInput } = await lookup('exact');
    expect(stdJsonInput.sources).toEqual(input(SOURCES).sources);
    expect(stdJsonInput.settings).toMatchObject({
      optimizer: { enabled: true, runs: 17 },
      viaIR: true,
      evmVersion: 'paris',
      remappings: [':@l/=lib/'],
      libraries: { 'lib/Sum.sol': { Sum: `0x${'5'.repeat(40)}` } },
    });
    expect(stdJsonInput.settings).not.toHaveProperty('compilationTarget');
  });

  test('finds files that were sent with other line ends', async () => {
    const sources = { a: crlf(SOURCES['src/P.sol']), b: crlf(SOURCES['lib/Sum.sol']) };
    const job = await verify('crlf', { sources, metadata });
    expect(job.contract).toMatchObject({ runtimeMatch: 'exact_match' });
    expect((await lookup('crlf')).stdJsonInput.sources).toEqual(input(SOURCES).sources);
  });

  test('takes sources that the metadata bring themselves, and says when they are not what the metadata say', async () => {
    const literal = (text: string) => ({
      ...metadata,
      sources: {
        'lib/Sum.sol': { ...metadata.sources['lib/Sum.sol'], content: SOURCES['lib/Sum.sol'] },
        'src/P.sol': { ...metadata.sources['src/P.sol'], content: text },
      },
    });
    const wrong = await verify('inline', { sources: {}, metadata: literal('contract P {}') });
    expect(wrong.error).toMatchObject({
      customCode: 'missing_or_invalid_source',
      errorData: { missingSources: [], invalidSources: ['src/P.sol'] },
    });
    const job = await verify('inline', { sources: {}, metadata: literal(SOURCES['src/P.sol']) });
    expect(job.contract).toMatchObject({ runtimeMatch: 'exact_match' });
  });

  test('names the sources that are missing', async () => {
    const job = await verify('missing', { sources: { a: SOURCES['src/P.sol'] }, metadata });
    expect(job.error).toMatchObject({
      customCode: 'missing_source',
      message:
        'One or more sources are mentioned in the metadata but are not provided or could not be fetched. Missing sources: lib/Sum.sol',
      errorData: { missingSources: ['lib/Sum.sol'] },
    });
  });

  test('fetches from the gateway what was not sent, and takes only what has the right hash', async () => {
    const cid = base58(ipfsMultihash(Buffer.from(SOURCES['lib/Sum.sol'])));
    const url = `http://gateway.test/ipfs/${cid}`;
    const body = { sources: { a: SOURCES['src/P.sol'] }, metadata };
    ipfs.set(url, 'something else');
    expect((await verify('fetched', body)).error?.customCode).toBe('missing_source');
    ipfs.set(url, SOURCES['lib/Sum.sol']);
    const job = await verify('fetched', body);
    expect(job.contract).toMatchObject({ runtimeMatch: 'exact_match' });
    expect(new Set(fetched)).toEqual(new Set([url]));
  });

  test('refuses metadata about no contract or about two', async () => {
    for (const compilationTarget of [{}, { 'a.sol': 'A', 'b.sol': 'B' }]) {
      const settings = { ...metadata.settings, compilationTarget };
      const job = await verify('targets', { sources: {}, metadata: { ...metadata, settings } });
      expect(job.error).toMatchObject({
        customCode: 'invalid_compilation_target',
        errorData: { compilationTargets: Object.keys(compilationTarget) },
      });
    }
  });

  test('two submissions of different kinds for one address count as duplicates', async () => {
    const url = (kind: string) => `/v2/verify/${kind}31337/${addressOf('twice')}`;
    const [first, second] = await Promise.all([
      served.app.inject({ method: 'POST', url: url('metadata/'), payload: { sources: {}, metadata } }),
      served.app.inject({
        method: 'POST',
        url: url(''),
        payload: {
          stdJsonInput: input(SOURCES),
          compilerVersion: '0.8.30',
          contractIdentifier: 'src/P.sol:P',
        },
      }),
    ]);
    expect([first.statusCode, second.statusCode]).toEqual([202, 429]);
    expect(second.json().customCode).toBe('duplicate_verification_request');
    await served.area.idle();
  });
});
