import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { parseExact } from '../../src/commands/exact-json.ts';
import { writeIntoFolder, writeStream } from '../../tools/network/index.ts';
import { differences } from '../conformance/report.ts';
import type { StreamCase } from '../conformance/streams-suite.ts';
import { sharedPath } from '../shared-data.ts';
import { describeShared } from '../support/shared-suites.ts';
import { ledgerDump } from '../support/sqlite-file.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const cleanups: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerlens-import-'));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function server(env: Readonly<Record<string, string>> = {}): Promise<TestServer> {
  const started = await startTestServer({ env, onDisk: true });
  cleanups.push(() => started.close());
  return started;
}

async function importPath({ services }: TestServer, path: string) {
  const [report] = await services.imports.run([path]);
  return report;
}

async function get({ url }: TestServer, path: string): Promise<Record<string, unknown>> {
  const answer = await fetch(url + path);
  expect(answer.status, path).toBe(200);
  return parseExact(await answer.text()) as Record<string, unknown>;
}

/** Follows the next links and gives the consensus timestamps in the order they came. */
async function pageThrough(from: TestServer, first: string): Promise<readonly string[]> {
  const seen: string[] = [];
  let path: string | null = first;
  for (let pages = 0; path !== null; pages++) {
    expect(pages).toBeLessThan(200);
    const page = await get(from, path);
    const rows = page['transactions'] as readonly { readonly consensus_timestamp: string }[];
    seen.push(...rows.map((row) => row.consensus_timestamp));
    path = (page['links'] as { readonly next: string | null }).next;
  }
  return seen;
}

describeShared('import of real streams', () => {
  test.each(['mainnet-v5', 'mainnet-v6', 'chain-v6-sidecar'])(
    '%s answers what its case expects',
    async (name) => {
      const each = JSON.parse(
        readFileSync(sharedPath('cases', 'streams', `${name}.json`), 'utf8'),
      ) as StreamCase;
      const hiero = await server({ MIRROR_DIALECT: 'hiero' });
      const path = sharedPath('data', 'streams', (each.ingest[0] ?? '').replace(/\s*\(.*\)$/, ''));
      expect(await importPath(hiero, path)).toMatchObject({
        transactions: each.ingested_transactions,
        refused: [],
        verification: 'signatures',
      });
      const actual = await get(hiero, each.request.replace(/^GET /, ''));
      expect(
        differences(each.response, actual, {
          numberOrText: new Set(each.compare.number_or_decimal_string),
          absentEqualsNull: new Set(each.compare.absent_equals_null),
          additionalMembers: true,
        }),
      ).toEqual([]);
    },
  );

  test('the nodes of the address book beside mainnet-v6 are listed', async () => {
    const hiero = await server();
    await importPath(hiero, sharedPath('data', 'streams', 'mainnet-v6'));
    const { nodes } = await get(hiero, '/api/v1/network/nodes?limit=25');
    expect(nodes).toHaveLength(25);
    expect(nodes).toContainEqual(expect.objectContaining({ node_account_id: '0.0.3', file_id: '0.0.102' }));
  });

  test('a flipped byte is refused by name, and nothing of the file is stored', async () => {
    const folder = temporaryFolder();
    const set = sharedPath('data', 'streams', 'mainnet-v6');
    for (const file of readdirSync(set)) copyFileSync(join(set, file), join(folder, file));
    const name = '2025-07-23T20_37_42.076472454Z.rcd';
    const bytes = readFileSync(join(folder, name));
    bytes[20_000] = (bytes[20_000] ?? 0) ^ 0x01;
    writeFileSync(join(folder, name), bytes);
    const hiero = await server();
    const report = await importPath(hiero, folder);
    expect(report).toMatchObject({ units: 0, refused: [{ name, code: 'file_hash_mismatch' }] });
    expect(report?.refused[0]?.message).toContain(name);
    expect(await get(hiero, '/api/v1/transactions')).toMatchObject({ transactions: [] });
    const untouched = await server();
    expect(ledgerDump(hiero.databaseUrl)).toBe(ledgerDump(untouched.databaseUrl));
  });

  test.each(['chain-v1', 'chain-v2v5', 'chain-v5v6', 'chain-v6-sidecar'])(
    '%s imported twice leaves the ledger as it was',
    async (set) => {
      const hiero = await server();
      expect(await importPath(hiero, sharedPath('data', 'streams', set))).toMatchObject({
        units: 2,
        refused: [],
      });
      const before = ledgerDump(hiero.databaseUrl);
      expect(await importPath(hiero, sharedPath('data', 'streams', set))).toMatchObject({
        units: 0,
        skipped: 2,
      });
      expect(ledgerDump(hiero.databaseUrl)).toBe(before);
    },
  );
});

describe('import of a written stream', () => {
  test('with a gap is served up to it, and readiness names the gap without turning the server off', async () => {
    const folder = temporaryFolder();
    await writeStream(writeIntoFolder(folder), { files: 4, keyBits: 1024 });
    for (const node of readdirSync(join(folder, 'recordstreams'))) {
      const files = readdirSync(join(folder, 'recordstreams', node)).sort();
      const [, second = ''] = files.filter((name) => name.endsWith('.rcd.gz'));
      rmSync(join(folder, 'recordstreams', node, second));
    }
    const running = await server();
    expect(await importPath(running, folder)).toMatchObject({
      units: 1,
      refused: [{ code: 'record_file_missing' }],
    });
    expect(await get(running, '/health/readiness')).toMatchObject({
      status: 'ok',
      ingest: [{ state: 'gap', gap: { name: expect.stringContaining('.rcd') } }],
    });
    expect((await pageThrough(running, '/api/v1/transactions')).length).toBeGreaterThan(0);
  });

  test('is served, page by page in both directions, and a second import changes nothing', async () => {
    const folder = temporaryFolder();
    const written = await writeStream(writeIntoFolder(folder), { files: 8, keyBits: 1024 });
    const running = await server();
    expect(await importPath(running, folder)).toMatchObject({
      units: 8,
      transactions: written.transactions,
      refused: [],
      verification: 'signatures',
    });
    const down = await pageThrough(running, '/api/v1/transactions?limit=7');
    const up = await pageThrough(running, '/api/v1/transactions?limit=7&order=asc');
    expect(new Set(down).size).toBe(written.transactions);
    expect(down).toHaveLength(written.transactions);
    expect([...down].reverse()).toEqual(up);
    expect((await get(running, '/api/v1/network/nodes'))['nodes']).toHaveLength(4);
    expect(await get(running, '/api/v1/network/exchangerate')).toMatchObject({
      current_rate: { cent_equivalent: 12, hbar_equivalent: 1 },
    });
    const before = ledgerDump(running.databaseUrl);
    expect(await importPath(running, folder)).toMatchObject({ units: 0, skipped: 8 });
    expect(ledgerDump(running.databaseUrl)).toBe(before);
    const { ingest } = await get(running, '/health/readiness');
    expect(ingest).toContainEqual(expect.objectContaining({ state: 'finished', verification: 'signatures' }));
  });

  test('created accounts are found by the address that they were given', async () => {
    const folder = temporaryFolder();
    await writeStream(writeIntoFolder(folder), { files: 16, keyBits: 1024 });
    const running = await server();
    await importPath(running, folder);
    const { transactions } = (await get(
      running,
      '/api/v1/transactions?transactiontype=CRYPTOCREATEACCOUNT&result=success&limit=100',
    )) as { transactions: readonly { readonly entity_id: string }[] };
    const created = await Promise.all(
      transactions.map(({ entity_id: id }) => get(running, `/api/v1/accounts/${id}`)),
    );
    // An address that was given is not made of the number.
    const found = created.find((each) => !String(each['evm_address']).startsWith(`0x${'0'.repeat(24)}`));
    const byAddress = await pageThrough(running, `/api/v1/transactions?account.id=${found?.['evm_address']}`);
    expect(byAddress.length).toBeGreaterThan(0);
    expect(byAddress).toEqual(
      await pageThrough(running, `/api/v1/transactions?account.id=${found?.['account']}`),
    );
  });
});
