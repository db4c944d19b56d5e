import { afterAll, beforeAll, expect, test } from 'vitest';
import { MOCK_CHAINS, mockChainFetch } from '../../../test/kit/verify/mock-chain.ts';
import { type ServedArea, serveArea } from '../../../test/kit/verify/serve-area.ts';
import * as fc from '../../../test/support/properties.ts';

let served: ServedArea;
beforeAll(async () => {
  const code = { runtime: '0x6001' };
  const fetch = mockChainFetch(new Map([[ADDRESS, code]]));
  served = await serveArea({ chainsJson: MOCK_CHAINS, fetch });
});
afterAll(() => served.close());

const ADDRESS = `0x${'1'.repeat(40)}`;
const ACTIONS = [
  'verifysourcecode',
  'verifyvyper',
  'checkverifystatus',
  'getsourcecode',
  'getabi',
  'getcontractcreation',
  'verifyproxycontract',
  'checkproxyverification',
  'constructor',
  '__proto__',
];
const NAMES = [
  ...['address', 'addresses', 'chain', 'chainIds', 'chainid', 'files', 'chosenContract', 'creatorTxHash'],
  ...['compilerVersion', 'contractName', 'contractPath', 'compilerSettings', 'contractaddress', 'sourceCode'],
  ...['codeformat', 'contractname', 'compilerversion', 'constructorArguements', 'runs', 'evmversion', 'guid'],
  ...['libraryname1', 'libraryaddress1', 'expectedimplementation', 'contractaddresses', 'function', 'query'],
  ...['page', 'limit', 'order', '__proto__', 'constructor'],
];
const TEXTS = [
  ...[
    ADDRESS,
    '31337',
    '0x',
    '',
    '0',
    '-1',
    '1e9',
    '0.8.30',
    'v0.8.30+commit.73712a01',
    'vyper:0.4.0',
    '\u0000',
  ],
  ...[
    'solidity-single-file',
    'solidity-standard-json-input',
    'a.sol:A',
    'A',
    '{}',
    '{{}}',
    '[]',
    'null',
    '"',
  ],
  ...['{"language":"Solidity","sources":{"a.sol":{"content":"contract A {}"}}}', '*', 'a,b', '\ud800', '%'],
  `proxy-31337-${ADDRESS}`,
  `{"compiler":{"version":"0.8.30"},"language":"Solidity","settings":{"compilationTarget":{}},"sources":{}}`,
];
const text = fc.oneof(fc.constantFrom(...TEXTS), fc.string({ unit: 'binary', maxLength: 20 }));
const fields = fc.dictionary(fc.constantFrom(...NAMES), text, { maxKeys: 10 });
const values = fc.dictionary(fc.constantFrom(...NAMES), fc.oneof(text, fc.jsonValue({ maxDepth: 3 })), {
  maxKeys: 10,
});
const LOOK_UPS = [
  ...[
    '/check-by-addresses',
    '/check-all-by-addresses',
    '/files/any/31337/',
    '/files/tree/',
    '/files/contracts/any/',
  ],
  ...['/files/contracts/', '/repository/contracts/full_match/31337/', '/api/', '/api', '/v2/api'],
  ...['/signature-database/v1/lookup', '/signature-database/v1/search', '/signature-database/v1/stats'],
];

test('whatever a look-up of another form asks, the answer is no fault', async () => {
  const request = fc.tuple(fc.constantFrom(...LOOK_UPS), text, fields, fc.constantFrom(...ACTIONS));
  await fc.assert(
    fc.asyncProperty(request, async ([path, rest, query, action]) => {
      const parameters = new URLSearchParams({ module: 'contract', action, ...query });
      const segment = path.endsWith('/') ? encodeURIComponent(wellFormed(rest)) : '';
      const answer = await served.app.inject(`${path}${segment}?${parameters}`);
      expect(answer.statusCode, answer.body).toBeLessThan(500);
    }),
    { numRuns: 400 },
  );
});

test('whatever a form holds, of whichever type, the answer is no fault', async () => {
  const paths = fc.constantFrom('/', '/verify', '/verify/solc-json', '/verify/vyper', '/api', '/api/31337');
  const types = fc.constantFrom('json', 'web', 'multipart', 'broken');
  await fc.assert(
    fc.asyncProperty(paths, types, values, fc.constantFrom(...ACTIONS), async (url, type, sent, action) => {
      const all = { module: 'contract', action, ...COMPLETE, ...sent };
      const answer = await served.app.inject({ method: 'POST', url, ...(await bodyOf(type, all)) });
      // A job that ends with a compiler's error is the sender's, and 502 and 503 say what to do.
      expect([500, 501, 504], answer.body).not.toContain(answer.statusCode);
    }),
    { numRuns: 300 },
  );
});

/** Requests that would be taken, so that a change reaches every check behind those before. */
const INPUT = '{"language":"Solidity","sources":{"a.sol":{"content":"contract A {}"}}}';
const COMPLETE = {
  address: ADDRESS,
  chain: '31337',
  compilerVersion: '0.8.30',
  contractName: 'A',
  contractPath: 'a.vy',
  files: { 'input.json': INPUT },
  contractaddress: ADDRESS,
  sourceCode: INPUT,
  contractname: 'a.sol:A',
  compilerversion: 'v0.8.30',
};

/** Lone surrogates cannot be sent. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

/** An object may have members that hide those which make it a text. */
function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

async function bodyOf(type: string, all: Readonly<Record<string, unknown>>) {
  const texts = Object.entries(all).map(
    ([name, value]) => [name, wellFormed(asText(value))] as [string, string],
  );
  if (type === 'json')
    return { headers: { 'content-type': 'application/json' }, payload: JSON.stringify(all) };
  if (type === 'web') {
    const payload = new URLSearchParams(texts).toString();
    return { headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload };
  }
  if (type === 'broken')
    return { headers: { 'content-type': 'multipart/form-data; boundary=x' }, payload: '--x' };
  const form = new FormData();
  for (const [name, value] of texts) {
    if (name === 'files') form.append(name, new Blob([value]), 'input.json');
    else form.append(name, value);
  }
  const request = new Request('http://x.test/', { method: 'POST', body: form });
  const payload = Buffer.from(await request.arrayBuffer());
  return { headers: { 'content-type': request.headers.get('content-type') ?? '' }, payload };
}
