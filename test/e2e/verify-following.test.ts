import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type HeldChain, startHeldChain } from '../support/held-chain.ts';
import { type ServeProcess, startServe, until } from '../support/serve-process.ts';
import { databaseUrlOf } from '../support/tested-backend.ts';

/** A job waits for its chain; clients follow it through one process or two. */
const ADDRESS = `0x${'1'.repeat(40)}`;

let folder: string;
let chain: HeldChain;
let processes: ServeProcess[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerlens-following-'));
  chain = await startHeldChain('0x');
  processes = [];
});

afterEach(async () => {
  for (const each of processes) await each.stop('SIGKILL');
  await chain.close();
  rmSync(folder, { recursive: true, force: true });
});

async function serve(): Promise<ServeProcess> {
  const started = await startServe(
    {
      DATABASE_URL: await databaseUrlOf(join(folder, 'jobs.sqlite')),
      VERIFY_CHAINS: JSON.stringify({ '31337': { rpc: [{ url: chain.url, timeoutMs: 60_000 }] } }),
      VERIFY_FIRST_POLL_MS: '0',
    },
    folder,
  );
  processes.push(started);
  return started;
}

async function submit({ url }: ServeProcess): Promise<string> {
  const accepted = await fetch(`${url}/v2/verify/31337/${ADDRESS}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      stdJsonInput: { language: 'Solidity', sources: { 'a.sol': { content: '' } } },
      compilerVersion: '0.8.30',
      contractIdentifier: 'a.sol:A',
    }),
  });
  expect(accepted.status).toBe(202);
  const { verificationId } = (await accepted.json()) as { verificationId: string };
  await until('the job has asked the chain', async () => chain.wasAsked());
  return verificationId;
}

const status = async ({ url }: ServeProcess, id: string, query = '') =>
  (await (await fetch(`${url}/v2/verify/${id}${query}`)).json()) as Record<string, unknown>;

test('a held request is answered when the server is told to stop, and does not delay it', async () => {
  const only = await serve();
  const id = await submit(only);
  const held = status(only, id, '?wait=60');
  await until('the request is held', async () => {
    const metrics = await (await fetch(`${only.url}/metrics`)).text();
    return /ledgerlens_verify_waiting_requests 1\b/.test(metrics);
  });
  // A stop that waited for the request would be ended by force before its 60 s, with another exit code.
  expect(await only.stop('SIGTERM')).toBe(0);
  expect(await held).toMatchObject({ isJobCompleted: false });
});

test('a second process on the same file leaves the running job alone, follows it and can cancel it', async () => {
  const first = await serve();
  const id = await submit(first);
  const second = await serve();
  const job = await status(second, id);
  expect(job).toMatchObject({ isJobCompleted: false });
  // Taken over it would be busy here, given back it would wait.
  expect(job).not.toHaveProperty('stage');
  expect(await status(first, id)).toMatchObject({ stage: 'fetching' });
  const held = status(first, id, '?wait=60');
  expect((await fetch(`${second.url}/v2/verify/${id}`, { method: 'DELETE' })).status).toBe(204);
  expect(await held).toMatchObject({ isJobCompleted: true, error: { customCode: 'job_cancelled' } });
});
