import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writeIntoFolder, writeStream } from '../../tools/network/index.ts';
import { runCommand, startServe, until } from '../support/serve-process.ts';
import { databaseUrlOf } from '../support/tested-backend.ts';

interface Summary {
  readonly components: readonly { readonly name: string }[];
}

/** What a JSON-RPC relay reads (contracts/status.md section 6): the version between `(v` and `)`. */
const RELAY_NAME = /testnet.*\(v([^)]+)\).* \| Network Uptime$/i;

test('the component of the mirror API names network and version once the ledger tells them', {
  timeout: 120_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerlens-name-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const environment = {
    DATABASE_URL: await databaseUrlOf(join(folder, 'ledger.sqlite')),
    MIRROR_IMPORT: join(folder, 'stream'),
    STATUS_MIRROR_NAME: 'Hedera {network} (v{version}) | Network Uptime',
    STATUS_NETWORK: 'Testnet',
  };
  const names = async (url: string) => {
    const summary = (await (await fetch(`${url}/api/v2/summary.json`)).json()) as Summary;
    return summary.components.map(({ name }) => name);
  };

  const empty = await startServe({ ...environment, MIRROR_IMPORT: '' }, folder);
  expect(await names(empty.url)).toContain('Mirror REST API');
  await empty.stop('SIGTERM');

  await writeStream(writeIntoFolder(environment.MIRROR_IMPORT), { files: 2, keyBits: 1024, seed: 'name' });
  expect(runCommand(['import', environment.MIRROR_IMPORT], environment, folder).exitCode).toBe(0);
  const full = await startServe(environment, folder);
  onTestFinished(async () => void (await full.stop('SIGTERM')));
  await until('the component has its name', async () =>
    (await names(full.url)).some((name) => RELAY_NAME.test(name)),
  );
  const named = (await names(full.url)).find((name) => RELAY_NAME.test(name)) ?? '';
  const answer = await fetch(`${full.url}/api/v1/blocks`);
  const { blocks } = (await answer.json()) as { blocks: readonly { readonly hapi_version: string }[] };
  const versions = new Set(blocks.map((block) => block.hapi_version));
  expect(new Set([RELAY_NAME.exec(named)?.[1]])).toEqual(versions);
});
