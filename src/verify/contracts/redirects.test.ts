import { afterEach, describe, expect, test } from 'vitest';
import { type ServeAreaOptions, type ServedArea, serveArea } from '../../../test/kit/verify/serve-area.ts';

let served: ServedArea | undefined;
afterEach(() => served?.close());

const ID = '6d1f0a52-9a3e-4c7b-8f21-3b5a7c9e1d04';
const ADDRESS = '0x7D53F102F4d4AA014Db4E10d6dEEC2009b3CdA6B';

async function get(url: string, options: ServeAreaOptions = {}) {
  served = await serveArea(options);
  return served.app.inject(url);
}

describe('links for people', () => {
  test.each<[string, string, ServeAreaOptions]>([
    [`/verify-ui/jobs/${ID}`, `/v2/verify/${ID}`, {}],
    [`/verify-ui/jobs/${ID}/`, `/v2/verify/${ID}`, {}],
    [`/repo-ui/296/${ADDRESS}`, `/v2/contract/296/${ADDRESS}`, {}],
    [`/verify-ui/jobs/${ID}`, `/ledger/v2/verify/${ID}`, { publicPath: '/ledger' }],
    [`/repo-ui/296/${ADDRESS}`, `/ledger/v2/contract/296/${ADDRESS}`, { publicPath: '/ledger' }],
    [`/verify-ui/jobs/${ID}`, `https://ui.test/x/jobs/${ID}`, { jobPagesUrl: 'https://ui.test/x' }],
    [`/repository/296/${ADDRESS}`, `/repo-ui/296/${ADDRESS}`, {}],
    [`/repository/contracts/full_match/296/${ADDRESS}/`, `/repo-ui/296/${ADDRESS}`, {}],
    [`/repo-ui/296/address/${ADDRESS}`, `/repo-ui/296/${ADDRESS}`, {}],
    [
      `/repository/contracts/partial_match/296/${ADDRESS}`,
      `/ledger/repo-ui/296/${ADDRESS}`,
      { publicPath: '/ledger' },
    ],
    ['/verify/', '/verify-ui', {}],
    [`/repo-ui/296/${ADDRESS}`, `https://ui.test/296/${ADDRESS}`, { contractPagesUrl: 'https://ui.test' }],
  ])('%s leads to %s', async (path, location, options) => {
    const response = await get(path, options);
    expect([response.statusCode, response.headers.location, response.body]).toEqual([302, location, '']);
  });

  test.each([
    '/verify-ui/jobs/x',
    `/verify-ui/jobs/${ID}%2f..%2f..`,
    '/verify-ui/jobs/%2f%2fevil.test%2f11111111111111111111111111',
    '/repo-ui/296/0x12',
    '/repository/296/0x12',
    `/repository/contracts/full_match/%2fevil.test/${ADDRESS}`,
    `/repo-ui/%2fevil.test/address/${ADDRESS}`,
    `/repo-ui/%2fevil.test/${ADDRESS}`,
    `/repo-ui/296%0d%0aX:1/${ADDRESS}`,
    `/repo-ui/296/${ADDRESS}?to=https://evil.test`,
  ])('%s is 400 and leads nowhere', async (path) => {
    const response = await get(path);
    expect(response.statusCode).toBe(400);
    expect(response.headers.location).toBeUndefined();
    expect(response.json()).toMatchObject({ customCode: 'invalid_parameter' });
  });
});

describe('version 1 of the API, switched off', () => {
  test.each<['GET' | 'POST' | 'DELETE', string]>([
    ['POST', '/'],
    ['POST', '/verify'],
    ['POST', '/verify/solc-json'],
    ['GET', '/check-by-addresses?addresses=0x1&chainIds=1'],
    ['GET', '/check-all-by-addresses?addresses=0x1&chainIds=1'],
    ['GET', '/checkByAddresses?addresses=0x1&chainIds=1'],
    ['GET', '/checkAllByAddresses?addresses=0x1&chainIds=1'],
    ['GET', '/files/any/1/0x1'],
    ['GET', '/repository/contracts/full_match/1/0x1/metadata.json'],
    ['DELETE', '/files/any/1/0x1'],
  ])('%s %s is 410 and points to version 2, whatever the body is', async (method, url) => {
    served = await serveArea({ publicPath: '/ledger', servesVersion1: false });
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const payload = method === 'GET' ? {} : { headers, payload: '--x' };
    const response = await served.app.inject({ method, url, ...payload });
    expect(response.statusCode).toBe(410);
    const { message, ...others } = response.json();
    expect(others).toEqual({ customCode: 'gone', error: message, errorId: expect.any(String) });
    for (const cure of ['forge 1.4', 'hardhat-verify 3', '/ledger/v2/verify/{chainId}/{address}'])
      expect(message).toContain(cure);
  });

  test('paths beside it stay unknown', async () => {
    for (const url of ['/files', '/repository', '/check-by-address', '/checkByAddress']) {
      expect((await get(url, { servesVersion1: false })).statusCode, url).toBe(404);
      await served?.close();
      served = undefined;
    }
  });
});
