import { readFileSync } from 'node:fs';
import { keccak_256 } from '@noble/hashes/sha3.js';
import {
  MOCK_CHAIN_URL,
  MOCK_CHAINS,
  type MockContract,
  mockChainFetch,
} from '../../kit/verify/mock-chain.ts';
import type { RecordingServer } from './recording-server.ts';

interface DemoContract {
  readonly submission: {
    readonly stdJsonInput: { readonly sources: Readonly<Record<string, { readonly content: string }>> };
    readonly compilerVersion: string;
    readonly contractIdentifier: string;
  };
  readonly creationBytecode: string;
  readonly runtimeBytecode: string;
}

const DEMO = JSON.parse(
  readFileSync(new URL('../../../src/commands/demo-contract.json', import.meta.url), 'utf8'),
) as DemoContract;
const { creationBytecode: creation, runtimeBytecode: runtime, submission } = DEMO;
const address = (digit: number) => `0x${String(digit).repeat(40)}`;
const hash = (digit: number) => `0x${String(digit).repeat(64)}`;
const [EXACT, BY_METADATA, SIMILAR, WRONG, BY_FORM, EMPTY] = [1, 2, 3, 4, 5, 6].map(address) as [
  string,
  string,
  string,
  string,
  string,
  string,
];

const CONTRACTS = new Map<string, MockContract>([
  ...[1, 2, 3, 5].map((digit): [string, MockContract] => [
    address(digit),
    { runtime, creation, transactionHash: hash(digit) },
  ]),
  [WRONG, { runtime: `${runtime.slice(0, 200)}00${runtime.slice(202)}` }],
]);

export const VERIFY_SETTINGS = {
  env: { VERIFY_CHAINS: MOCK_CHAINS },
  fetch: mockFetch(),
} as const;

/** Asks the mock chain; everything else is refused. */
function mockFetch(): typeof fetch {
  const chain = mockChainFetch(CONTRACTS);
  return async (input, init) => {
    const url = String(input instanceof Request ? input.url : input);
    if (url !== MOCK_CHAIN_URL) throw new Error(`No network but the mock chain, not ${url}`);
    return chain(url, init as Parameters<typeof chain>[1]) as Promise<Response>;
  };
}

/** Verifies contracts in each way, looks them up in each form, and asks for what is refused. */
export async function askVerify({ ask }: RecordingServer): Promise<void> {
  const submit = async (kind: string, to: string, body: unknown) =>
    (await ask('POST', `/v2/verify/${kind}31337/${to}`, { body })).body as {
      readonly verificationId: string;
    };
  const finish = async ({ verificationId }: { readonly verificationId: string }) => {
    for (let left = 5; left > 0; left -= 1) {
      const { body } = await ask('GET', `/v2/verify/${verificationId}?wait=60`);
      if ((body as { readonly isJobCompleted: boolean }).isJobCompleted) return;
    }
    throw new Error(`${verificationId} has not ended`);
  };
  await ask('GET', '/files/contracts/31337');
  const job = await submit('', EXACT, { ...submission, creationTransactionHash: hash(1) });
  await ask('GET', `/v2/verify/${job.verificationId}`);
  await finish(job);
  await submit('', EXACT, submission);
  const failed = await submit('', WRONG, submission);
  await finish(failed);
  const contract = `/v2/contract/31337/${EXACT}`;
  const { metadata } = (await ask('GET', `${contract}?fields=metadata`)).body as {
    readonly metadata: object;
  };
  const sources = Object.fromEntries(
    Object.entries(submission.stdJsonInput.sources).map(([path, { content }]) => [path, content]),
  );
  await finish(await submit('metadata/', BY_METADATA, { sources, metadata }));
  await finish(await submit('similarity/', SIMILAR, {}));
  await submit('similarity/', EMPTY, {});
  await submit('etherscan/', EXACT, {});
  await ask('DELETE', `/v2/verify/${job.verificationId}`);
  const waiting = await submit('', EMPTY, { ...submission, compilerVersion: '0.8.30' });
  await ask('DELETE', `/v2/verify/${waiting.verificationId}`);
  for (const path of [contract, `/v2/contract/all-chains/${EXACT}`]) {
    await ask('GET', path, { headers: { 'if-none-match': '*' } });
  }
  for (const path of [
    contract,
    `${contract}?fields=all`,
    `/v2/contract/31337/${EMPTY}`,
    `/v2/contract/all-chains/${EXACT}`,
    `/v2/contract/all-chains/${EMPTY}`,
    '/v2/contracts/31337',
    '/chains',
    '/version',
    '/health',
  ]) {
    await ask('GET', path);
  }
  await ask('GET', '/v2/compilers');
  await ask('GET', '/v2/compilers', { headers: { 'if-none-match': '*' } });
  await askSignatures(ask);
  await askFormer(ask, JSON.stringify(metadata), sources);
  await askEtherscan(ask, failed.verificationId);
  await askRefused(ask);
}

type Ask = RecordingServer['ask'];

async function askSignatures(ask: Ask): Promise<void> {
  const base = '/signature-database/v1';
  const topic = (text: string) => `0x${Buffer.from(keccak_256(Buffer.from(text))).toString('hex')}`;
  const selector = topic('greet(string)').slice(0, 10);
  await ask('GET', `${base}/lookup?function=${selector}&event=${topic('Greeted(address,string)')}`);
  await ask('GET', `${base}/search?query=greet*`);
  await ask('GET', `${base}/stats`);
  await ask('GET', `${base}/lookup?function=1`);
  await ask('GET', `${base}/search`);
}

async function askFormer(
  ask: Ask,
  metadata: string,
  sources: Readonly<Record<string, string>>,
): Promise<void> {
  const body = { address: BY_FORM, chain: '31337', files: { 'metadata.json': metadata, ...sources } };
  await ask('POST', '/verify', { body });
  const [compilerVersion, contractName] = [submission.compilerVersion, submission.contractIdentifier];
  const input = { 'input.json': JSON.stringify(submission.stdJsonInput) };
  await ask('POST', '/verify/solc-json', { body: { ...body, files: input, compilerVersion, contractName } });
  const files = `/31337/${EXACT}`;
  const check = `addresses=${EXACT},${EMPTY}&chainIds=31337`;
  for (const path of [
    `/check-by-addresses?${check}`,
    `/check-all-by-addresses?${check}&resolveProxies=true`,
    `/files/any${files}`,
    `/files/tree/any${files}`,
    `/files/tree${files}`,
    `/files${files}`,
    ...['', 'any/', 'full/', 'partial/'].map((kind) => `/files/contracts/${kind}31337`),
    `/repository/contracts/full_match/31337/${EXACT}/metadata.json`,
    '/check-by-addresses',
    '/check-all-by-addresses',
    ...['files/any', 'files/tree/any', 'files/tree', 'files'].map((kind) => `/${kind}/31337/${EMPTY}`),
    ...['', 'any/', 'full/', 'partial/'].map((kind) => `/files/contracts/${kind}5`),
    `/repository/contracts/full_match/31337/${EXACT}/nothing`,
    ...['files/any', 'files/tree/any', 'files/tree', 'files'].map((kind) => `/${kind}/31337/x`),
    `/repository/contracts/full_match/31337/x/nothing`,
    `/repository/contracts/full_match/31337/${EXACT}/sources/contracts/Greeter.sol`,
    ...['any', 'full', 'partial'].map((kind) => `/files/contracts/${kind}/31337?page=x`),
  ]) {
    await ask('GET', path);
  }
  for (const path of ['', '/solc-json', '/vyper'])
    await ask('POST', `/verify${path}`, { body: { address: 'x' } });
  const two = { 'a/metadata.json': metadata, 'b/metadata.json': metadata.replace('Greeter', 'Greeter2') };
  await ask('POST', '/verify', { body: { ...body, files: { ...two, ...sources } } });
}

async function askEtherscan(ask: Ask, failed: string): Promise<void> {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  for (const base of ['/api', '/api/31337']) {
    for (const query of [
      `action=getabi&address=${EXACT}`,
      `action=getsourcecode&address=${EXACT}`,
      `action=getcontractcreation&contractaddresses=${EXACT}`,
      `action=getabi&address=${EMPTY}`,
      `action=checkverifystatus&guid=${failed}`,
      'action=nothing',
    ]) {
      await ask('GET', `${base}?module=contract&${query}`);
    }
    await ask('POST', base, { headers: form, body: `module=contract&action=getabi&address=${EXACT}` });
    await ask('POST', base, {
      headers: form,
      body: `module=contract&action=verifyproxycontract&address=${EXACT}`,
    });
    await ask('POST', base, { headers: form, body: 'module=contract&action=nothing' });
  }
}

async function askRefused(ask: Ask): Promise<void> {
  const nobody = '00000000-0000-4000-8000-000000000000';
  for (const path of [
    '/v2/verify/nothing',
    `/v2/verify/${nobody}`,
    '/v2/contract/x/y',
    '/v2/contract/all-chains/y',
    '/v2/contracts/x',
    '/chains?x=1',
    '/v2/compilers?x=1',
    '/version?x=1',
  ]) {
    await ask('GET', path);
  }
  await ask('DELETE', '/v2/verify/nothing');
  await ask('DELETE', `/v2/verify/${nobody}`);
  for (const kind of ['', 'metadata/', 'similarity/', 'etherscan/']) {
    await ask('POST', `/v2/verify/${kind}31337/x`, { body: {} });
  }
}
