import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { writeIntoFolder, writeStream } from '../../tools/network/index.ts';
import { startAttacked } from '../attack/attacked-server.ts';
import { manage, nothingAcknowledged, startLoad } from '../faults/mixed-load.ts';

/** Pino's number for the level. */
const ERROR = 50;

test('a stop during verifications, an import and status writes logs no error', async () => {
  const streams = mkdtempSync(join(tmpdir(), 'ledgerlens-stop-'));
  onTestFinished(() => rmSync(streams, { recursive: true, force: true }));
  await writeStream(writeIntoFolder(streams), {
    files: 40,
    transactionsPerFile: 20,
    nodes: 2,
    keyBits: 1024,
  });
  const server = await startAttacked({ env: { MIRROR_IMPORT: streams, MIRROR_WATCH: streams } });
  onTestFinished(() => server.remove());
  const page = await manage<{ readonly id: string }[]>(server.url, 'GET', '');
  const { id } = await manage<{ readonly id: string }>(server.url, 'POST', `/${page[0]?.id}/components`, {
    component: { name: 'A' },
  });
  const load = startLoad(server.url, `/${page[0]?.id}/components/${id}`, nothingAcknowledged());
  await pause(1000);
  const code = await server.stop('SIGTERM');
  await load.stop();
  const lines = server
    .log()
    .split('\n')
    .filter((line) => line.startsWith('{'));
  const errors = lines.filter((line) => (JSON.parse(line) as { readonly level: number }).level >= ERROR);
  expect([code, errors]).toEqual([0, []]);
});
