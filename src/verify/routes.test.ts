import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mockChainFetch } from '../../test/kit/verify/mock-chain.ts';
import { type ServedArea, serveArea } from '../../test/kit/verify/serve-area.ts';
import { sharedPath } from '../../test/shared-data.ts';
import { describeShared } from '../../test/support/shared-suites.ts';
import { shorten } from './errors.ts';

const CHAINS = JSON.stringify({
  '31337': { rpc: ['http://chain.test/'] },
  '5': { name: 'Old', supported: false, rpc: ['http://user:key@chain.test/'] },
});
const JSON_TYPE = { 'content-type': 'application/json' };

let served: ServedArea;
beforeAll(async () => {
  served = await serveArea({ chainsJson: CHAINS, fetch: mockChainFetch(new Map()), firstPollMs: 5000 });
});
afterAll(() => served.close());

let count = 0;
const freshAddress = () => `0x${(++count).toString(16).padStart(40, '0')}`;
const body = (change: object = {}) => ({
  stdJsonInput: { language: 'Solidity', sources: { 'a.sol': { content: 'contract A {}' } } },
  compilerVersion: '0.8.30',
  contractIdentifier: 'a.sol:A',
  ...change,
});
const post = (path: string, payload: unknown, headers: object = {}) =>
  served.app.inject({
    method: 'POST',
    url: `/v2/verify/${path}`,
    headers: { ...JSON_TYPE, ...headers },
    payload: typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload),
  });

describe('POST /v2/verify/{chainId}/{address}', () => {
  test.each<[string, object | string, string, string]>([
    [
      'a body without members',
      {},
      'invalid_parameter',
      "request/body must have required property 'stdJsonInput'",
    ],
    ['an empty body', '', 'invalid_parameter', "request/body must have required property 'stdJsonInput'"],
    ['a number', '5', 'invalid_parameter', 'request/body must be object'],
    ['null', 'null', 'invalid_parameter', 'request/body must be object'],
    ['an array', '[]', 'invalid_parameter', 'request/body must be object'],
    [
      'text as input',
      body({ stdJsonInput: '{}' }),
      'invalid_parameter',
      'request/body/stdJsonInput must be object',
    ],
    [
      'a version of two numbers',
      body({ compilerVersion: '0.8' }),
      'invalid_parameter',
      'request/body/compilerVersion must match pattern "^v?\\d+\\.\\d+\\.\\d+.*$"',
    ],
    [
      'no language',
      body({ stdJsonInput: {} }),
      'invalid_parameter',
      'Standard JSON input must contain a language field.',
    ],
    [
      'a long path',
      body({ stdJsonInput: { language: 'Solidity', sources: { ['p'.repeat(1025)]: { content: '' } } } }),
      'invalid_parameter',
      `request/body/stdJsonInput/sources must NOT have paths of more than 1024 characters: ${shorten('p'.repeat(1025))}`,
    ],
    [
      'no sources',
      body({ stdJsonInput: { language: 'Solidity' } }),
      'invalid_parameter',
      'Standard JSON input must contain a sources field.',
    ],
    [
      'a source without content',
      body({ stdJsonInput: { language: 'Solidity', sources: { a: { urls: [] } } } }),
      'invalid_parameter',
      'Standard JSON input must contain a content field for each source.',
    ],
    [
      'a source that is null',
      body({ stdJsonInput: { language: 'Solidity', sources: { a: null } } }),
      'invalid_parameter',
      'request/body/stdJsonInput/sources/a must be object',
    ],
    [
      'an unknown language',
      body({ stdJsonInput: { language: 'solidity', sources: { a: { content: '' } } } }),
      'invalid_parameter',
      'The language "solidity" is not supported. Use Solidity, Yul, Vyper, Fe.',
    ],
    [
      'an identifier without colon',
      body({ contractIdentifier: 'A' }),
      'invalid_parameter',
      "The contractIdentifier must consist of the file path and the contract name separated by a ':'.",
    ],
    [
      'a hash with text around it',
      body({ creationTransactionHash: `a 0x${'1'.repeat(64)} b` }),
      'invalid_parameter',
      'request/body/creationTransactionHash must match pattern "(\\b0x[a-f0-9]{64}\\b)" as a whole',
    ],
  ])('refuses %s, in a small body and in a large one', async (_, payload, customCode, message) => {
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
    const padded = text === '' ? text : `${' '.repeat(70_000)}${text}`;
    for (const each of [text, padded]) {
      const response = await post(`31337/${freshAddress()}`, each);
      expect(response.statusCode).toBe(400);
      expect(response.json()).toEqual({
        customCode,
        message,
        errorId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
    }
  });

  test.each([' 0.8.30\n', '\tv0.8.30+commit.73712A01.Linux.g++\r\n'])(
    'accepts the version %j',
    async (compilerVersion) => {
      const response = await post(`31337/${freshAddress()}`, body({ compilerVersion }));
      expect(response.statusCode).toBe(202);
    },
  );

  test.each([
    [200, 'request/body/stdJsonInput must NOT be nested deeper than 100 levels'],
    [5_000, 'request/body/stdJsonInput must NOT be nested deeper than 100 levels'],
    [1_000_000, 'request/body must NOT be nested deeper than 1000 levels'],
  ])('refuses input that is nested %i levels deep', async (depth, message) => {
    const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const payload = JSON.stringify(body()).replace('"sources"', `"x":${nested},"sources"`);
    const response = await post(`31337/${freshAddress()}`, payload);
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({
      customCode: 'invalid_parameter',
      message,
    });
  });

  test.each([
    [`31337x/${'0'.repeat(42)}`, 'request/params/chainId must match pattern "^\\d+$"'],
    ['31337/0x12', 'request/params/address must NOT have fewer than 42 characters'],
    [`${'1'.repeat(21)}/0x${'1'.repeat(40)}`, 'request/params/chainId must NOT have more than 20 characters'],
    [`31337/0x${'1'.repeat(40)}?foo=1`, "Unknown query parameter 'foo'"],
  ])('refuses the path %s', async (path, message) => {
    const response = await post(path, body());
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ customCode: 'invalid_parameter', message });
  });

  test('checks the chain before the meaning of the body and after its form', async () => {
    const unknown = await post(`0001/${freshAddress()}`, body({ stdJsonInput: {} }));
    expect(unknown.json()).toMatchObject({
      customCode: 'unsupported_chain',
      message: 'Chain 0001 not found',
    });
    const malformed = await post(`0001/${freshAddress()}`, {});
    expect(malformed.json()).toMatchObject({ customCode: 'invalid_parameter' });
    const old = await post(`5/${freshAddress()}`, body());
    expect(old.json()).toMatchObject({ message: 'Chain 5 is not supported for verification' });
  });

  test('checks path, query and body in this order, after the JSON', async () => {
    const path = `31337x/${freshAddress()}?foo=1`;
    expect((await post(path, '{')).json()).toMatchObject({ customCode: 'invalid_json' });
    expect((await post(path, {})).json().message).toMatch(/^request\/params\/chainId/);
    expect((await post(path.replace('x', ''), {})).json().message).toBe("Unknown query parameter 'foo'");
  });

  test('checks them in the same order when the body is large', async () => {
    const padding = ' '.repeat(70_000);
    const path = `31337x/${freshAddress()}?foo=1`;
    const malformed = `${padding}{}`;
    expect((await post(path, `${padding}{`)).json()).toMatchObject({ customCode: 'invalid_json' });
    expect((await post(path, malformed)).json().message).toMatch(/^request\/params\/chainId/);
    const unknown = `0001/${freshAddress()}`;
    const meaningless = `${padding}${JSON.stringify(body({ stdJsonInput: {} }))}`;
    expect((await post(unknown, malformed)).json()).toMatchObject({ customCode: 'invalid_parameter' });
    expect((await post(unknown, meaningless)).json()).toMatchObject({ customCode: 'unsupported_chain' });
    const accepted = await post(`31337/${freshAddress()}`, `${padding}${JSON.stringify(body())}`);
    expect(accepted.statusCode).toBe(202);
  });

  test("answers broken JSON with the parser's own text", async () => {
    const response = await post(`31337/${freshAddress()}`, '{ x');
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({
      customCode: 'invalid_json',
      message: expect.stringContaining('in JSON at position 2'),
    });
  });

  test.each([
    ['text/plain', 'unsupported media type text/plain'],
    ['application/json; charset=latin1', 'unsupported charset latin1; use utf-8'],
  ])('answers the content type %s with 400', async (type, message) => {
    const response = await post(`31337/${freshAddress()}`, body(), { 'content-type': type });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ customCode: 'invalid_parameter', message });
  });

  test('names the missing content type of a request without body', async () => {
    const response = await served.app.inject({ method: 'POST', url: `/v2/verify/31337/${freshAddress()}` });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ message: 'unsupported media type undefined' });
  });

  test('accepts a body that begins with a byte order mark', async () => {
    const accepted = await post(`31337/${freshAddress()}`, `\uFEFF${JSON.stringify(body())}`);
    expect(accepted.statusCode).toBe(202);
  });

  test('accepts gzip and refuses other encodings', async () => {
    const packed = gzipSync(JSON.stringify(body()));
    const accepted = await post(`31337/${freshAddress()}`, packed, { 'content-encoding': 'gzip' });
    expect(accepted.statusCode).toBe(202);
    const broken = await post(`31337/${freshAddress()}`, '{}', { 'content-encoding': 'gzip' });
    expect(broken.json()).toMatchObject({ customCode: 'invalid_parameter' });
    const refused = await post(`31337/${freshAddress()}`, body(), { 'content-encoding': 'br' });
    expect(refused.statusCode).toBe(400);
  });

  test('answers a body above 30 MiB with 413, packed or not', async () => {
    const large = Buffer.alloc(31_457_281, ' ');
    // Not as repetitive as a body that is refused for that.
    for (let place = 0; place < large.length - 4; place += 512)
      large.writeInt32LE((place * 2654435761) % 2 ** 31, place);
    for (const [payload, headers] of [
      [large, {}],
      [gzipSync(large, { level: 1 }), { 'content-encoding': 'gzip' }],
    ] as const) {
      const response = await post(`31337/${freshAddress()}`, payload, headers);
      expect(response.statusCode).toBe(413);
      expect(response.json()).toMatchObject({ customCode: 'payload_too_large' });
    }
  });

  test('refuses a packed body that unpacks too far', async () => {
    const bomb = gzipSync(Buffer.alloc(31_457_280, ' '));
    const response = await post(`31337/${freshAddress()}`, bomb, { 'content-encoding': 'gzip' });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({
      customCode: 'invalid_parameter',
      message: 'The body unpacks to more than 100 times its size. Send it without Content-Encoding.',
    });
  });

  test('accepts Yul, which the published document does not name', async () => {
    const stdJsonInput = { language: 'Yul', sources: { a: { content: 'object "A" { code {} }' } } };
    expect((await post(`31337/${freshAddress()}`, body({ stdJsonInput }))).statusCode).toBe(202);
  });

  test('is 405 with Allow for another method and 404 for another path', async () => {
    const wrong = await served.app.inject({ method: 'DELETE', url: `/v2/contract/31337/${freshAddress()}` });
    expect(wrong.statusCode).toBe(405);
    expect(wrong.headers.allow).toBe('GET, HEAD');
    expect(wrong.json()).toMatchObject({ customCode: 'route_not_found' });
    const unknown = await served.app.inject('/v2/nothing');
    expect(unknown.statusCode).toBe(404);
    expect(unknown.json()).toMatchObject({ customCode: 'route_not_found' });
  });
});

describe('POST /v2/verify/etherscan/{chainId}/{address}', () => {
  test.each<[string, string, unknown, string]>([
    [
      'a chain without explorer',
      '31337',
      {},
      'Requested chain 31337 is not supported for importing from Etherscan.',
    ],
    [
      'a key',
      '31337',
      { apiKey: 'k' },
      'Requested chain 31337 is not supported for importing from Etherscan.',
    ],
    ['an unknown chain', '6', {}, 'Chain 6 not found'],
    ['a chain for lookups only', '5', {}, 'Chain 5 is not supported for verification'],
    ['a key of another type', '31337', { apiKey: 5 }, 'request/body/apiKey must be string'],
  ])('refuses %s', async (_, chainId, payload, message) => {
    const response = await post(`etherscan/${chainId}/${freshAddress()}`, payload);
    expect(response.statusCode).toBe(400);
    expect(response.json().message).toBe(message);
  });
});

describe('GET /v2/verify/{verificationId}', () => {
  test('holds the first request until the job has ended', async () => {
    const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    const { verificationId } = (await post(`31337/${address.toLowerCase()}`, body())).json();
    const response = await served.app.inject(`/v2/verify/${verificationId}`);
    expect(response.json()).toEqual({
      isJobCompleted: true,
      verificationId,
      jobStartTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      jobFinishTime: expect.stringMatching(/Z$/),
      contract: { match: null, creationMatch: null, runtimeMatch: null, chainId: '31337', address },
      error: {
        customCode: 'contract_not_deployed',
        message: `Chain #31337 does not have a contract deployed at ${address}.`,
        errorId: expect.any(String),
      },
    });
  });

  test('is 404 for an unknown id and 400 for upper case', async () => {
    const id = '6d1f0a52-9a3e-4c7b-8f21-3b5a7c9e1d04';
    const unknown = await served.app.inject(`/v2/verify/${id}`);
    expect(unknown.statusCode).toBe(404);
    expect(unknown.json()).toMatchObject({
      customCode: 'job_not_found',
      message: `No verification job found for id ${id}`,
    });
    expect((await served.app.inject(`/v2/verify/${id.toUpperCase()}`)).statusCode).toBe(400);
  });
});

describe('GET /v2/contract/{chainId}/{address}', () => {
  const address = '0x000000000000000000000000000000000000dead';
  const unverified = {
    match: null,
    creationMatch: null,
    runtimeMatch: null,
    chainId: '31337',
    address: '0x000000000000000000000000000000000000dEaD',
  };

  test.each(['', '?fields=all', '?omit=abi', '/'])(
    'answers five members when nothing is verified: %s',
    async (tail) => {
      const response = await served.app.inject(`/v2/contract/31337/${address}${tail}`);
      expect(response.statusCode).toBe(404);
      expect(response.json()).toEqual(unverified);
    },
  );

  test.each([
    ['fields=abi&omit=abi', 'Cannot specify both fields and omit'],
    ['fields=all,abi', "Cannot specify 'all' with other fields"],
    ['fields=a.b.c', 'Field selector cannot have more than one level subselectors: a.b.c'],
    ['fields=abi.name', 'Field selector abi.name is not a valid field'],
    ['omit=toString', 'Field selector toString is not a valid field'],
    ['fields=', "Empty value found for query parameter 'fields'"],
    ['fields=abi&fields=abi', 'request/query/fields must be string'],
    ['foo=1', "Unknown query parameter 'foo'"],
  ])('refuses %s', async (query, message) => {
    const response = await served.app.inject(`/v2/contract/31337/${address}?${query}`);
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ customCode: 'invalid_parameter', message });
  });
});

describe('GET /v2/contracts/{chainId}', () => {
  test.each([
    ['limit=0', 'request/query/limit must be >= 1'],
    ['limit=201', 'request/query/limit must be <= 200'],
    ['limit=abc', 'request/query/limit must be number'],
    ['limit=0x5', 'request/query/limit must be number'],
    ['limit=1.5', 'request/query/limit must be integer'],
    ['limit=5&limit=6', 'request/query/limit must be number'],
    ['sort=ASC', 'request/query/sort must be equal to one of the allowed values: asc, desc'],
    ['afterMatchId=x', 'request/query/afterMatchId must match pattern "^\\d{1,20}$"'],
  ])('refuses %s', async (query, message) => {
    const response = await served.app.inject(`/v2/contracts/31337?${query}`);
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ customCode: 'invalid_parameter', message });
  });

  test('is an empty list when nothing is verified', async () => {
    const response = await served.app.inject('/v2/contracts/31337?limit=3&afterMatchId=99999999999999999999');
    expect(response.json()).toEqual({ results: [] });
  });

  test('is 404 with an empty list for an address that no chain knows', async () => {
    const response = await served.app.inject(`/v2/contract/all-chains/${freshAddress()}`);
    expect(response.statusCode).toBe(404);
    expect(response.json()).toEqual({ results: [] });
  });
});

describe('GET /chains, /version and /health', () => {
  test('the chain list hides addresses with credentials', async () => {
    expect((await served.app.inject('/chains')).json()).toEqual([
      { name: 'Old', chainId: 5, rpc: [], traceSupportedRPCs: [], supported: false, etherscanAPI: false },
      {
        name: 'Local Development Network',
        chainId: 31337,
        rpc: ['http://chain.test/'],
        traceSupportedRPCs: [],
        supported: true,
        etherscanAPI: false,
      },
    ]);
  });

  test('the version has the five names that clients know, none empty', async () => {
    const version = (await served.app.inject('/version')).json();
    expect(version).toMatchObject({ name: 'ledgerlens', version: '1.2.3', gitCommitHash: 'unknown' });
    for (const value of Object.values(version)) expect(value).not.toBe('');
  });

  test('the health text is fixed', async () => {
    const response = await served.app.inject('/health');
    expect(response.body).toBe('Alive and kicking!');
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
  });
});

interface SeedCase {
  readonly name: string;
  readonly request: {
    readonly method: 'GET' | 'POST';
    readonly path: string;
    readonly headers?: Record<string, string>;
    readonly bodyJson?: unknown;
    readonly bodyHex?: string;
  };
  readonly expect: { readonly status: number | readonly number[]; readonly schema?: string };
}

describeShared('the cases of the specification', () => {
  const path = sharedPath('cases', 'seed', 'verify-submit.json');
  const cases = JSON.parse(readFileSync(path, 'utf8')) as readonly SeedCase[];

  test.each(cases)('$name', async ({ request, expect: expected }) => {
    const { method, path, headers = {}, bodyJson, bodyHex } = request;
    const payload = bodyJson === undefined ? Buffer.from(bodyHex ?? '', 'hex') : JSON.stringify(bodyJson);
    const type = bodyJson === undefined ? {} : JSON_TYPE;
    const response = await served.app.inject({
      method,
      url: path,
      headers: { ...type, ...headers },
      payload,
    });
    expect([expected.status].flat()).toContain(response.statusCode);
    if (expected.schema === 'error-a-unsupported-chain.json') {
      expect(response.json().customCode).toBe('unsupported_chain');
    }
    if (expected.schema === 'error-a-invalid-parameter.json') {
      expect(response.json().customCode).toBe('invalid_parameter');
    }
  });
});
