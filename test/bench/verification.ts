import { createRequire } from 'node:module';
import { startTestServer } from '../support/test-server.ts';
import type { BenchmarkResult } from './benchmarks.ts';
import { aContract, CHAIN, type smallInput } from './small-contracts.ts';

const WARM_UP = 6;
const ROUNDS = 15;

/**
 * POST to finished against a bare warm compilation of the same input, alternating in one run.
 *
 * Every contract has a name and a constant of its own, so that nothing comes from a cache.
 */
export async function compareVerification(): Promise<BenchmarkResult> {
  const contracts = Array.from({ length: WARM_UP + ROUNDS }, (_, index) => aContract(index));
  const server = await startTestServer({
    env: {
      VERIFY_WORKERS: '1',
      VERIFY_FIRST_POLL_MS: '30000',
      VERIFY_CHAINS: JSON.stringify({
        [CHAIN]: { static: Object.fromEntries(contracts.map(({ address, code }) => [address, code])) },
      }),
    },
  });
  try {
    const bare: number[] = [];
    const ours: number[] = [];
    for (const [index, { address, submission }] of contracts.entries()) {
      const raw = timeBareCompile(submission);
      const whole = await timeVerification(server.url, address, submission);
      if (index < WARM_UP) continue;
      bare.push(raw);
      ours.push(whole);
    }
    const [ceiling, product] = [median(bare), median(ours)];
    return {
      what: 'verification of a small contract, compiler warm, POST to finished',
      ceiling: `${ceiling.toFixed(0)} ms (bare warm compilation of the same input)`,
      product: `${product.toFixed(0)} ms`,
      ratio: product / ceiling,
      target: '<= 1.3',
    };
  } finally {
    await server.close();
  }
}

const require = createRequire(import.meta.url);
const solc = require('solc/wrapper')(require('solc-0.8.30/soljson.js')) as { compile(input: string): string };

function timeBareCompile(submission: ReturnType<typeof smallInput>): number {
  const text = JSON.stringify({
    ...submission.stdJsonInput,
    settings: {
      ...submission.stdJsonInput.settings,
      outputSelection: {
        '*': { '*': ['abi', 'metadata', 'storageLayout', 'evm.bytecode', 'evm.deployedBytecode'] },
      },
    },
  });
  const start = performance.now();
  solc.compile(text);
  return performance.now() - start;
}

async function timeVerification(url: string, address: string, submission: unknown): Promise<number> {
  const start = performance.now();
  const accepted = await fetch(`${url}/v2/verify/${CHAIN}/${address}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(submission),
  });
  const { verificationId } = (await accepted.json()) as { verificationId: string };
  const answer = await fetch(`${url}/v2/verify/${verificationId}`);
  const elapsed = performance.now() - start;
  const job = (await answer.json()) as { isJobCompleted: boolean; contract: { match: string | null } };
  if (!job.isJobCompleted || job.contract.match !== 'exact_match')
    throw new Error(JSON.stringify(job).slice(0, 500));
  return elapsed;
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}
