import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config.ts';
import { once } from '../../src/values/once.ts';
import type { Fetch } from '../../src/verify/chain/json-rpc-endpoint.ts';
import { createCompilerPool } from '../../src/verify/index.ts';
import { type ChainHistory, historyChainFetch, historyChains } from '../kit/verify/history-chain.ts';
import { MOCK_CHAIN_URL, MOCK_CHAINS, type MockContract, mockChainFetch } from '../kit/verify/mock-chain.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { CaseFailed } from './report.ts';

type Json = Readonly<Record<string, unknown>>;

/** A job as the API shows it, as far as cases look at it. */
export interface JobRecord {
  readonly isJobCompleted: boolean;
  readonly contract: Json;
  readonly error?: { readonly customCode: string; readonly message: string };
  readonly warnings?: readonly unknown[];
}

/** Codes of a contract as case files give them; hex with 0x. */
export interface StaticCode {
  readonly creationBytecode?: string;
  readonly deployedBytecode: string;
}

/** A server whose chain has one contract. */
export interface Deployed {
  readonly server: TestServer;
  readonly address: string;
  readonly transactionHash: string;
}

/**
 * Starts a server with the codes of a case on its chain.
 *
 * @param compilerDir compilers beside the installed ones and those of the registry that npm is configured for.
 * @param address where the code says that it lies; absent: made of the name.
 */
export async function deploy(
  name: string,
  onchain: { readonly creationBytecode: string; readonly deployedBytecode: string },
  compilerDir: string,
  address = `0x${digest(name).slice(0, 40)}`,
): Promise<Deployed> {
  const transactionHash = `0x${digest(address)}`;
  const { deployedBytecode: runtime, creationBytecode: creation } = onchain;
  const contracts = new Map<string, MockContract>([[address, { runtime, creation, transactionHash }]]);
  const server = await startVerifyServer(compilerDir, MOCK_CHAINS, mockChainFetch(contracts));
  return { server, address, transactionHash };
}

/** Starts a server whose chain is codes in the configuration. @param contracts by address */
export function startStaticServer(
  contracts: Readonly<Record<string, StaticCode>>,
  compilerDir: string,
  env: Readonly<Record<string, string>>,
): Promise<TestServer> {
  const codes = Object.entries(contracts).map(([address, { creationBytecode, deployedBytecode }]) => [
    address,
    { runtimeBytecode: deployedBytecode, ...(creationBytecode === undefined ? {} : { creationBytecode }) },
  ]);
  const chains = JSON.stringify({ 31337: { static: Object.fromEntries(codes) } });
  return startVerifyServer(compilerDir, chains, fetch, env);
}

/** Starts a server whose chain has a past and answers JSON-RPC. */
export function startHistoryServer(
  chain: ChainHistory,
  compilerDir: string,
  env: Readonly<Record<string, string>>,
): Promise<TestServer> {
  return startVerifyServer(compilerDir, historyChains(chain), historyChainFetch(chain), env);
}

function startVerifyServer(
  compilerDir: string,
  chains: string,
  chainFetch: Fetch,
  env: Readonly<Record<string, string>> = {},
): Promise<TestServer> {
  const askChain = chainFetch as typeof fetch;
  return startTestServer({
    pool: compilerPool(),
    env: {
      VERIFY_CHAINS: chains,
      VERIFY_FIRST_POLL_MS: '30000',
      VERIFY_COMPILER_DIR: compilerDir,
      VERIFY_COMPILER_CACHE_DIR: downloadFolder(),
      VERIFY_COMPILER_REGISTRY: 'on',
      ...env,
    },
    fetch: (url, init) => (String(url).startsWith(MOCK_CHAIN_URL) ? askChain(url, init) : fetch(url, init)),
  });
}

/** Loading a compiler takes longer than most cases. */
const compilerPool = once(() => createCompilerPool(readConfig({ DATABASE_URL: 'sqlite::memory:' }).verify));

/** Compilers that the registry of the npm client has beyond the installed ones. */
const downloadFolder = once(() => folderUntilExit('conformance-downloads-'));

/** Makes a folder that is removed when this process ends. */
export function folderUntilExit(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The end of a submission. */
export type Submitted =
  | { readonly kind: 'ended'; readonly job: JobRecord }
  | { readonly kind: 'refused'; readonly customCode: string | null; readonly text: string };

/** Submits and waits for the end of the job. @param place what follows `/v2/verify/` */
export async function submit(url: string, place: string, submission: unknown): Promise<Submitted> {
  const accepted = await fetch(`${url}/v2/verify/${place}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(submission),
  });
  if (accepted.status !== 202) {
    const text = await accepted.text();
    const { customCode = null } = JSON.parse(text) as { readonly customCode?: string };
    return { kind: 'refused', customCode, text: `${accepted.status} ${text}` };
  }
  const { verificationId } = (await accepted.json()) as { verificationId: string };
  const job = (await (await fetch(`${url}/v2/verify/${verificationId}?wait=60`)).json()) as JobRecord;
  if (!job.isJobCompleted) throw new CaseFailed(['the job did not end within 60 s']);
  return { kind: 'ended', job };
}

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
