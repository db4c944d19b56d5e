import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeIntoFolder, writeStream } from '../../tools/network/index.ts';
import { runCommand, startServe, until } from '../support/serve-process.ts';
import { databaseUrlOf } from '../support/tested-backend.ts';
import { wholeLedger } from '../support/whole-ledger.ts';

/** `ledgerlens ledger …` as an operator runs it, on a stream of which a file is missing. */
const FILES = 6;

let folder = '';
let stream = '';
let environment: Record<string, string> = {};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerlens-ledger-'));
  stream = join(folder, 'stream');
  environment = { DATABASE_URL: await databaseUrlOf(join(folder, 'ledger.sqlite')), MIRROR_IMPORT: stream };
  await writeStream(writeIntoFolder(stream), { files: FILES, keyBits: 1024, seed: 'ledger command' });
  for (const node of readdirSync(join(stream, 'recordstreams'))) {
    const names = readdirSync(join(stream, 'recordstreams', node)).sort();
    const missing = names.filter((name) => name.endsWith('.rcd.gz'))[3] ?? '';
    rmSync(join(stream, 'recordstreams', node, missing));
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ledger = (...args: string[]) => runCommand(['ledger', ...args], environment, folder);

const dump = () => wholeLedger(environment['DATABASE_URL'] ?? '');

test('tells that there is no ledger, and which actions there are', () => {
  const nowhere = { DATABASE_URL: `sqlite:${join(folder, 'none.sqlite')}` };
  const none = runCommand(['ledger', 'units'], nowhere, folder);
  expect([none.exitCode, none.errors]).toEqual([1, expect.stringContaining('There is no ledger yet')]);
  const unknown = ledger('unit');
  expect(unknown.errors).toContain('Did you mean units?');
  expect(unknown.exitCode).toBe(2);
});

test('an import that stops at a gap continues once the gap is accepted, and readiness knows it', {
  timeout: 120_000,
}, async () => {
  expect(runCommand(['import', stream], environment, folder).exitCode).toBe(1);
  const units = ledger('units');
  expect(units.output).toMatch(
    /^units +transactions +from +to +verified +kind +sidecars +source\n3 .* signatures +record v6 /,
  );
  expect(ledger('units', '--each').output.trim().split('\n')).toHaveLength(4);

  const open = ledger('gaps');
  expect(open.exitCode).toBe(1);
  expect(open.output).toMatch(/open .*\.rcd\.gz +import of .*stream stops here/);
  expect(ledger('accept-gap').errors).toContain('--reason');
  expect(ledger('accept-gap', '--reason', 'the uploader lost it').output).toContain(
    'The next import continues',
  );

  const server = await startServe(environment, folder);
  try {
    await until('the import has ended', async () => {
      const answer = await fetch(`${server.url}/health/readiness`);
      const { ingest } = (await answer.json()) as { ingest: { state: string }[] };
      return ingest[0]?.state === 'finished';
    });
    const readiness = await (await fetch(`${server.url}/health/readiness`)).json();
    expect(readiness).toMatchObject({
      acceptedGaps: [{ reason: 'the uploader lost it', unit: expect.stringContaining('.rcd.gz') }],
    });
    // What was moved inside the gap is unknown.
    expect((await fetch(`${server.url}/api/v1/network/supply`)).status).toBe(404);
  } finally {
    await server.stop('SIGTERM');
  }
  expect(ledger('gaps')).toMatchObject({ exitCode: 0, output: expect.stringContaining('accepted') });
  expect(ledger('accept-gap', '--reason', 'again')).toMatchObject({
    exitCode: 1,
    output: expect.stringContaining('no gap to accept'),
  });
  expect(runCommand(['check'], environment, folder).output).toMatch(/ledger +ok +5 units/);
});

test('size tells bytes per table, rebuild changes nothing, prune needs days', {
  timeout: 120_000,
}, async () => {
  const size = ledger('size');
  expect(size.output).toMatch(/\ntx +\d+ +\d+ +\d+\.\d\n/);
  expect(size.output).toMatch(/\nledger +\d+ +\d+ +\d+\.\d\n/);
  expect(size.output).toMatch(/\d+ transactions; the database file has \d+ bytes/);
  const before = await dump();
  const rebuilt = ledger('rebuild');
  expect(rebuilt, rebuilt.errors).toMatchObject({
    exitCode: 0,
    output: expect.stringMatching(/^\d+ transactions of 5 units rebuilt\.\n$/),
  });
  expect(await dump()).toEqual(before);
  expect(ledger('prune')).toMatchObject({ exitCode: 2, errors: expect.stringContaining('--days') });
  expect(ledger('prune', '--days', '0').exitCode).toBe(2);
  expect(ledger('prune', '--days', '1').output).toContain('0 transactions of 0 units deleted');
});

test('a server with MIRROR_KEEP_DAYS deletes what is older than the newest unit by more', {
  timeout: 120_000,
}, async () => {
  const settings = { DATABASE_URL: await databaseUrlOf(join(folder, 'kept.sqlite')), MIRROR_KEEP_DAYS: '3' };
  const paths = [1, 5, 6].map((day) => {
    const path = join(folder, `day-${day}.ndjson`);
    const at = `${1_700_000_000 + day * 86_400}.000000000`;
    writeFileSync(
      path,
      `{"consensus_timestamp":"${at}","transaction_id":"0.0.1001-1700000000-00000000${day}"}`,
    );
    return path;
  });
  expect(runCommand(['import', ...paths], settings, folder).exitCode).toBe(0);
  const server = await startServe(settings, folder);
  try {
    const ids = async () => {
      const answer = await fetch(`${server.url}/api/v1/transactions`);
      const { transactions } = (await answer.json()) as { transactions: { transaction_id: string }[] };
      return transactions.map(({ transaction_id: id }) => id.slice(-1));
    };
    await until('the first day is gone', async () => (await ids()).length === 2);
    expect(await ids()).toEqual(['6', '5']);
  } finally {
    expect(await server.stop('SIGTERM')).toBe(0);
  }
});
