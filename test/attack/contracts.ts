import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const demo = JSON.parse(
  readFileSync(new URL('../../src/commands/demo-contract.json', import.meta.url), 'utf8'),
) as {
  readonly submission: { readonly compilerVersion: string };
  readonly runtimeBytecode: string;
};

/** The chain whose code the operator gives. */
export const CHAIN = '1337';
/** One on it whose code names no metadata: its length alone excludes no sources. */
export const WITHOUT_METADATA = `0xc${'1'.padStart(39, '0')}`;
/** The others, all with the same code. */
const CONTRACTS = 4000;
const FOLLOWED_AT_ONCE = 8;

/** Address of one of the contracts, from 0 on. */
export function addressOf(index: number): string {
  return `0xb${(index + 1).toString(16).padStart(39, '0')}`;
}

export const RUNTIME_BYTECODE = demo.runtimeBytecode;

/** A submission that matches every contract; `aside` makes its input unlike any other. */
export function submissionText(aside?: string): string {
  if (aside === undefined) return JSON.stringify(demo.submission);
  const { compilerVersion } = demo.submission;
  const content = `// ${aside}\ncontract A { uint x; }`;
  const stdJsonInput = { language: 'Solidity', sources: { 'a.sol': { content } }, settings: {} };
  return JSON.stringify({ stdJsonInput, compilerVersion, contractIdentifier: 'a.sol:A' });
}

/**
 * The sources that match, with an event that is never emitted: the code is the same but for its metadata.
 *
 * @param depth the ABI has two to the power of it
 * @param padding before the source: how much is kept depends on its length
 */
export function nestedSubmission(aside: number, depth: number, padding = ''): string {
  const submission = JSON.parse(submissionText());
  const [source] = Object.values<{ content: string }>(submission.stdJsonInput.sources);
  const structs = Array.from({ length: depth }, (_, at) => `struct S${at + 1} { S${at} a; S${at} b; }`);
  const unused = `struct S0 { uint a; } ${structs.join('\n')} event Unused${aside}(S${depth} all);`;
  source!.content = `${padding}${source!.content.replace(/contract \w+ \{/, (start) => `${start} ${unused}`)}`;
  return JSON.stringify(submission);
}

/** A submission for which there is no compiler: its job ends at once, and nothing has to be loaded for it. */
export function uncompilableSubmission(content = 'contract A {}'): string {
  const stdJsonInput = { language: 'Solidity', sources: { 'a.sol': { content } }, settings: {} };
  return JSON.stringify({
    stdJsonInput,
    compilerVersion: '0.4.99+commit.00000000',
    contractIdentifier: 'a.sol:A',
  });
}

/** Writes the configuration of the chains into a folder. @returns the path of the file. */
export function putContracts(
  folder: string,
  others: Readonly<Record<string, unknown>> = {},
  count = CONTRACTS,
): string {
  const path = join(folder, 'chains.json');
  if (existsSync(path)) return path;
  const code = { runtimeBytecode: RUNTIME_BYTECODE };
  const contracts = Array.from({ length: count }, (_, index) => [addressOf(index), code]);
  contracts.push([WITHOUT_METADATA, { runtimeBytecode: `0x${'600060005b'.repeat(4800)}` }]);
  writeFileSync(path, JSON.stringify({ ...others, [CHAIN]: { static: Object.fromEntries(contracts) } }));
  return path;
}

/** What a submission was answered. */
export interface Submitted {
  readonly status: number;
  readonly verificationId: string | null;
  readonly retryAfter: string | null;
  readonly text: string;
}

/** Submits once. */
export async function submit(
  url: string,
  index: number,
  { chain = CHAIN, body = submissionText() }: { readonly chain?: string; readonly body?: string } = {},
): Promise<Submitted> {
  const answer = await fetch(`${url}/v2/verify/${chain}/${addressOf(index)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    signal: AbortSignal.timeout(60_000),
  });
  const text = await answer.text();
  const verificationId =
    answer.status === 202 ? (JSON.parse(text) as { verificationId: string }).verificationId : null;
  return { status: answer.status, verificationId, retryAfter: answer.headers.get('retry-after'), text };
}

/** How a job ended. */
export interface JobEnd {
  readonly isJobCompleted: boolean;
  readonly error?: { readonly customCode: string };
}

/** A job as it is now; null when the server does not know it. */
export async function readJob(url: string, id: string, waitSeconds = 0): Promise<JobEnd | null> {
  const answer = await fetch(`${url}/v2/verify/${id}?wait=${waitSeconds}`, {
    signal: AbortSignal.timeout(60_000),
  });
  return answer.ok ? ((await answer.json()) as JobEnd) : null;
}

/** Waits until every job has ended. @returns those that are lost or ended by a fault of the server. */
export async function brokenJobs(url: string, ids: readonly string[]): Promise<readonly string[]> {
  const broken: string[] = [];
  const left = ids.values();
  const follow = async () => {
    for (const id of left) {
      const deadline = Date.now() + 60_000;
      let job = await readJob(url, id, 10);
      while (job !== null && !job.isJobCompleted && Date.now() < deadline) job = await readJob(url, id, 10);
      const code = job === null ? 'unknown' : job.isJobCompleted ? job.error?.customCode : 'unfinished';
      if (['unknown', 'unfinished', 'internal_error', 'job_abandoned'].includes(code ?? '')) {
        broken.push(`${id}: ${code}`);
      }
    }
  };
  await Promise.all(Array.from({ length: FOLLOWED_AT_ONCE }, follow));
  return broken;
}
