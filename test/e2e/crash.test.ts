import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeIntoFolder } from '../../tools/network/folder-writer.ts';
import { writeStream } from '../../tools/network/write-stream.ts';
import { type HeldChain, startHeldChain } from '../support/held-chain.ts';
import { runCommand, type ServeProcess, startServe, until } from '../support/serve-process.ts';
import { databaseUrlOf } from '../support/tested-backend.ts';
import { wholeLedger } from '../support/whole-ledger.ts';

/** One process is killed in the middle of a verification and of an import; the next one ends both. */
const FILES = 120;

const contract = JSON.parse(
  readFileSync(new URL('../../src/commands/demo-contract.json', import.meta.url), 'utf8'),
) as { address: string; submission: unknown; creationBytecode: string; runtimeBytecode: string };

let folder: string;
let chain: HeldChain;
let serve: ServeProcess | null = null;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerlens-crash-'));
  await writeStream(writeIntoFolder(join(folder, 'streams')), { seed: 'crash', files: FILES, keyBits: 2048 });
  chain = await startHeldChain(contract.runtimeBytecode);
}, 120_000);

afterAll(async () => {
  await serve?.stop('SIGKILL');
  await chain.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a job and an import that were running when the server was killed end after its restart', {
  timeout: 120_000,
}, async () => {
  const environment = {
    DATABASE_URL: await databaseUrlOf(join(folder, 'killed.sqlite')),
    MIRROR_IMPORT: join(folder, 'streams'),
    VERIFY_CHAINS: JSON.stringify({ '31337': { name: 'held', rpc: [chain.url] } }),
    VERIFY_FIRST_POLL_MS: '0',
  };
  serve = await startServe(environment, folder);
  const accepted = await fetch(`${serve.url}/v2/verify/31337/${contract.address}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(contract.submission),
  });
  expect(accepted.status).toBe(202);
  const { verificationId } = (await accepted.json()) as { verificationId: string };
  await until('the job has asked the chain', async () => chain.wasAsked());
  await until(
    'a part of the ledger is imported',
    async () => (await ingest(serve)).lastConsensusTimestamp !== null,
  );
  expect((await ingest(serve)).state).toBe('running');
  expect(await isCompleted(serve, verificationId)).toBe(false);
  await serve.stop('SIGKILL');

  chain.release();
  serve = await startServe(environment, folder);
  await until('the job has ended', () => isCompleted(serve, verificationId));
  const job = (await (await fetch(`${serve.url}/v2/verify/${verificationId}`)).json()) as Record<
    string,
    unknown
  >;
  expect(job).toMatchObject({ contract: { runtimeMatch: 'exact_match' } });
  expect(job).not.toHaveProperty('error');
  await until('the import has ended', async () => (await ingest(serve)).state === 'finished');
  expect(await serve.stop('SIGTERM')).toBe(0);
  serve = null;

  const undisturbed = await databaseUrlOf(join(folder, 'undisturbed.sqlite'));
  const imported = runCommand(['import', join(folder, 'streams')], { DATABASE_URL: undisturbed }, folder);
  expect(imported.exitCode, imported.errors).toBe(0);
  expect(imported.output).toContain(`${FILES} units`);
  expect(await wholeLedger(environment.DATABASE_URL)).toEqual(await wholeLedger(undisturbed));
});

async function ingest(
  from: ServeProcess | null,
): Promise<{ state: string; lastConsensusTimestamp: string | null }> {
  const answer = await fetch(`${from?.url}/health/readiness`);
  const body = (await answer.json()) as {
    ingest: { state: string; lastConsensusTimestamp: string | null }[];
  };
  return body.ingest[0] ?? { state: 'none', lastConsensusTimestamp: null };
}

async function isCompleted(from: ServeProcess | null, id: string): Promise<boolean> {
  const answer = await fetch(`${from?.url}/v2/verify/${id}`);
  return ((await answer.json()) as { isJobCompleted: boolean }).isJobCompleted;
}
