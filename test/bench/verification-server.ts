import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { BareCompilation } from './bare-compiler.ts';
import type { BenchSubmission } from './bench-contracts.ts';

/** A contract on the chain of the benchmark. */
export interface DeployedContract {
  readonly address: string;
  readonly submission: BenchSubmission;
  readonly code: BareCompilation['code'];
}

/** The product in a process of its own, so that the load does not share its event loop. */
export interface VerificationServer {
  readonly url: string;
  /** Submits and follows to the end. @returns milliseconds from the request to the finished job. */
  verify(contract: DeployedContract): Promise<number>;
  /** The most memory that the process ever had, MiB. */
  peakMemoryMiB(): Promise<number>;
}

const CHAIN = '1337';
const MAX_WAIT_SECONDS = 60;

/** Runs `work` with a server whose chain has these contracts; its database is a file on disk. */
export async function withVerificationServer<T>(
  { contracts, workers }: { readonly contracts: readonly DeployedContract[]; readonly workers: number },
  work: (server: VerificationServer) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerlens-bench-'));
  const environment = {
    DATABASE_URL: `sqlite:${join(folder, 'bench.sqlite')}`,
    VERIFY_WORKERS: String(workers),
    VERIFY_CHAINS: JSON.stringify({
      [CHAIN]: { static: Object.fromEntries(contracts.map(({ address, code }) => [address, code])) },
    }),
  };
  writeFileSync(join(folder, 'environment.json'), JSON.stringify(environment));
  const script = fileURLToPath(new URL('./verification-server-process.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script, join(folder, 'environment.json')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout);
  try {
    const [url] = (await once(lines, 'line')) as [string];
    return await work({
      url,
      verify: (contract) => verify(url, contract),
      async peakMemoryMiB() {
        child.stdin.write('\n');
        const [kibibytes] = (await once(lines, 'line')) as [string];
        return Number(kibibytes) / 1024;
      },
    });
  } finally {
    child.stdin.end();
    await once(child, 'exit');
    rmSync(folder, { recursive: true });
  }
}

async function verify(url: string, { address, submission }: DeployedContract): Promise<number> {
  const body = JSON.stringify(submission);
  const startedAt = performance.now();
  const accepted = await fetch(`${url}/v2/verify/${CHAIN}/${address}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  const { verificationId } = (await accepted.json()) as { verificationId: string };
  let job: { readonly isJobCompleted: boolean; readonly contract: { readonly match: string | null } };
  do {
    const answer = await fetch(`${url}/v2/verify/${verificationId}?wait=${MAX_WAIT_SECONDS}`);
    job = (await answer.json()) as typeof job;
  } while (!job.isJobCompleted);
  const elapsed = performance.now() - startedAt;
  if (job.contract.match !== 'exact_match') throw new Error(JSON.stringify(job).slice(0, 500));
  return elapsed;
}
