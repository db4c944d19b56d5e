import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileForTest, type TestArtifact } from '../kit/verify/compile-for-test.ts';
import { MOCK_CHAINS, type MockContract, mockChainFetch } from '../kit/verify/mock-chain.ts';
import { type ServedArea, serveArea } from '../kit/verify/serve-area.ts';
import { COUNTER_SOURCE } from './counter-contract.ts';

const CHAIN = '31337';
const PATH = 'contracts/Counter.sol';
const INPUT = { language: 'Solidity', sources: { [PATH]: { content: COUNTER_SOURCE } }, settings: {} };
const ADDRESSES = {
  forge: `0x${'1'.repeat(40)}`,
  remix: `0x${'2'.repeat(40)}`,
  remixEtherscan: `0x${'3'.repeat(40)}`,
  nobody: `0x${'4'.repeat(40)}`,
};

let served: ServedArea;
let base = '';
let counter: TestArtifact;

beforeAll(async () => {
  counter = compileForTest(INPUT, PATH, 'Counter');
  const contracts = Object.values(ADDRESSES)
    .slice(0, 3)
    .map((address): [string, MockContract] => [address, { runtime: counter.runtime }]);
  served = await serveArea({ chainsJson: MOCK_CHAINS, fetch: mockChainFetch(new Map(contracts)) });
  base = await served.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => served.close());

/** What both of them post: the metadata and the sources by path. */
const files = () => ({ 'metadata.json': counter.metadata, [PATH]: COUNTER_SOURCE });

const post = (path: string, body: object | FormData, headers: Record<string, string> = {}) =>
  fetch(`${base}${path}`, {
    method: 'POST',
    headers,
    body: body instanceof FormData ? body : JSON.stringify(body),
  });

/** Programs that cannot run here, request by request. @see docs/adr/0002-reference-apis-first.md */
describe('former clients, replayed', () => {
  // foundry-rs/foundry before 1.4, crates/verify/src/sourcify.rs
  test('forge 1.3: a check, a submission, and a check that lets it skip the next one', async () => {
    const check = async () => {
      const query = `addresses=${ADDRESSES.forge}&chainIds=${CHAIN}`;
      const answer = await fetch(`${base}/check-by-addresses?${query}`, { headers: { accept: '*/*' } });
      return ((await answer.json()) as { readonly status: string }[])[0]?.status;
    };
    expect(await check()).toBe('false');
    const headers = { accept: '*/*', 'content-type': 'application/json' };
    const body = { address: ADDRESSES.forge, chain: CHAIN, files: files() };
    const answer = await post('/verify', body, headers);
    expect(answer.ok).toBe(true);
    expect(await answer.json()).toMatchObject({ result: [{ status: 'perfect' }] });
    expect(await check()).toBe('perfect');
    const failed = await post('/verify', { ...body, address: ADDRESSES.nobody }, headers);
    // It prints the whole body of a refusal.
    expect([failed.ok, await failed.json()]).toMatchObject([
      false,
      { error: expect.stringContaining('does not have a contract deployed') },
    ]);
  });

  // remix-project, apps/contract-verification/src/app/Verifiers/SourcifyV1Verifier.ts
  test('Remix by version 1: a look-up, a submission, and files whose paths it takes apart', async () => {
    const lookUp = () => fetch(`${base}/files/any/${CHAIN}/${ADDRESSES.remix}`, { method: 'GET' });
    const before = await lookUp();
    expect([before.ok, ((await before.json()) as { error: string }).error]).toEqual([
      false,
      'Files have not been found!',
    ]);
    const body = { chain: CHAIN, address: ADDRESSES.remix, files: files() };
    const answer = await post('/verify', body, { 'Content-Type': 'application/json' });
    expect(await answer.json()).toMatchObject({ result: [{ status: 'perfect' }] });
    const found = (await (await lookUp()).json()) as {
      readonly status: string;
      readonly files: readonly { readonly name: string; readonly path: string; readonly content: string }[];
    };
    expect(found.status).toBe('full');
    const paths = found.files.map(({ path }) => new RegExp(`/${ADDRESSES.remix}/(.*)$`, 'i').exec(path)?.[1]);
    expect(paths).toContain(`sources/${PATH}`);
    const metadata = found.files.find(({ name }) => name === 'metadata.json')?.content ?? '';
    expect(Object.keys(JSON.parse(metadata).settings.compilationTarget)).toEqual([PATH]);
  });

  // remix-project, apps/contract-verification/src/app/Verifiers/EtherscanVerifier.ts
  test('Remix in Etherscan’s form: multipart, the status, and the ABI', async () => {
    const ask = async (query: string) =>
      (await (await fetch(`${base}/api/${CHAIN}/api?module=contract&${query}&apikey=any`)).json()) as object;
    const address = ADDRESSES.remixEtherscan;
    expect(await ask(`action=getabi&address=${address}`)).toEqual({
      status: '0',
      message: 'NOTOK',
      result: 'Contract source code not verified',
    });
    const form = new FormData();
    form.append('chainId', CHAIN);
    form.append('codeformat', 'solidity-standard-json-input');
    form.append('sourceCode', JSON.stringify(INPUT));
    form.append('contractaddress', address);
    form.append('contractname', `${PATH}:Counter`);
    form.append('compilerversion', 'v0.8.30+commit.73712a01');
    form.append('constructorArguements', '');
    const query = 'module=contract&action=verifysourcecode&apikey=any';
    const accepted = (await (await post(`/api/${CHAIN}/api?${query}`, form)).json()) as { result: string };
    expect(accepted).toMatchObject({ status: '1', message: 'OK' });
    expect(await ask(`action=checkverifystatus&guid=${accepted.result}`)).toMatchObject({
      result: 'Pass - Verified',
    });
    expect(await ask(`action=getabi&address=${address}`)).toMatchObject({ status: '1', message: 'OK' });
  });
});
