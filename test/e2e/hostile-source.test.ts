import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServeProcess, startServe, until } from '../support/serve-process.ts';

/** Sources that break the compiler must not break the server; only the real process shows whether they do. */
let folder: string;
let serve: ServeProcess;

const address = (index: number) => `0x${index.toString(16).padStart(40, 'b')}`;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerlens-hostile-'));
  const contracts = Object.fromEntries(
    [1, 2, 3].map((index) => [address(index), { runtimeBytecode: '0x6001600101' }]),
  );
  serve = await startServe(
    {
      DATABASE_URL: `sqlite:${join(folder, 'l.sqlite')}`,
      VERIFY_JOB_SECONDS: '20',
      VERIFY_FIRST_POLL_MS: '0',
      VERIFY_CHAINS: JSON.stringify({ '1337': { static: contracts } }),
    },
    folder,
  );
});

afterAll(async () => {
  await serve.stop('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

async function verify(index: number, content: string): Promise<{ error?: { customCode: string } }> {
  const accepted = await fetch(`${serve.url}/v2/verify/1337/${address(index)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      stdJsonInput: { language: 'Solidity', sources: { 'a.sol': { content } } },
      compilerVersion: '0.8.30+commit.73712a01',
      contractIdentifier: 'a.sol:A',
    }),
  });
  const { verificationId } = (await accepted.json()) as { verificationId: string };
  let job: { isJobCompleted: boolean; error?: { customCode: string } } = { isJobCompleted: false };
  await until(
    'the job has ended',
    async () => {
      const answer = await fetch(`${serve.url}/v2/verify/${verificationId}`, {
        signal: AbortSignal.timeout(5000),
      });
      job = (await answer.json()) as typeof job;
      return job.isJobCompleted;
    },
    60_000,
  );
  return job;
}

test('an access beyond the memory of the compiler ends its job, and the server goes on', {
  timeout: 120_000,
}, async () => {
  // The fault handling of the engine is set up by the first compilation.
  expect((await verify(1, 'contract A { uint x; }')).error?.customCode).toBe('no_match');
  const name = 'T'.repeat(3_000_000);
  const uses = Array.from({ length: 200 }, (_, index) => `uint v${index} = s;`).join('\n');
  const hostile = `contract A { struct ${name} {uint a;} function f() public { x=1; ${name} memory s; ${uses} } }`;
  expect(['compiler_out_of_memory', 'compiler_timeout', 'compiler_error']).toContain(
    (await verify(2, hostile)).error?.customCode,
  );
  expect(serve.child.exitCode).toBeNull();
  expect((await fetch(`${serve.url}/health`)).status).toBe(200);
  expect((await verify(3, 'contract A { uint y; }')).error?.customCode).toBe('no_match');
});
