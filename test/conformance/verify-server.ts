import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MOCK_CHAIN_URL, MOCK_CHAINS, type MockContract, mockChainFetch } from '../kit/verify/mock-chain.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { CaseFailed } from './report.ts';

type Json = Readonly<Record<string, unknown>>;

/** A job as the API shows it, as far as cases look at it. */
export interface JobRecord {
  readonly isJobCompleted: boolean;
  readonly contract: Json;
  readonly error?: { readonly customCode: string };
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
  const mockChain = mockChainFetch(contracts) as typeof fetch;
  const server = await startTestServer({
    env: {
      VERIFY_CHAINS: MOCK_CHAINS,
      VERIFY_FIRST_POLL_MS: '30000',
      VERIFY_COMPILER_DIR: compilerDir,
      VERIFY_COMPILER_CACHE_DIR: downloadFolder(),
      VERIFY_COMPILER_REGISTRY: 'on',
    },
    fetch: (url, init) => (String(url).startsWith(MOCK_CHAIN_URL) ? mockChain(url, init) : fetch(url, init)),
  });
  return { server, address, transactionHash };
}

let downloads: string | undefined;

/** Compilers that the registry of the npm client has beyond the installed ones, kept until this run ends. */
function downloadFolder(): string {
  if (downloads !== undefined) return downloads;
  const folder = mkdtempSync(join(tmpdir(), 'conformance-downloads-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  downloads = folder;
  return folder;
}

/** The end of a submission. */
export type Submitted =
  | { readonly kind: 'ended'; readonly job: JobRecord }
  | { readonly kind: 'refused'; readonly text: string };

/** Submits and waits for the end of the job. */
export async function verify(url: string, address: string, submission: unknown): Promise<Submitted> {
  const accepted = await fetch(`${url}/v2/verify/31337/${address}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(submission),
  });
  if (accepted.status !== 202) {
    return { kind: 'refused', text: `${accepted.status} ${await accepted.text()}` };
  }
  const { verificationId } = (await accepted.json()) as { verificationId: string };
  const job = (await (await fetch(`${url}/v2/verify/${verificationId}?wait=60`)).json()) as JobRecord;
  if (!job.isJobCompleted) throw new CaseFailed(['the job did not end within 60 s']);
  return { kind: 'ended', job };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
