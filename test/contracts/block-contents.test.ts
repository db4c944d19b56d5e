import { createMPT } from '@ethereumjs/mpt';
import { RLP } from '@ethereumjs/rlp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BLOOM_BYTES, bloomOf, orInto } from '../../src/mirror/evm/bloom.ts';
import { receiptsRoot } from '../../src/mirror/evm/receipts-root.ts';
import { createDirectorySource } from '../../src/mirror/ingest/source/directory-source.ts';
import { parseHex, toHex } from '../../src/values/hex.ts';
import { writtenStream } from '../kit/mirror/ingest/memory-file-tree.ts';
import { memoryLedger } from '../kit/mirror/ingest/memory-ledger.ts';
import { buildMirrorApp, type MirrorApp } from '../kit/mirror/mirror-app.ts';

interface BlockRow {
  readonly count: number;
  readonly gas_used: number;
  readonly logs_bloom: string;
  readonly number: number;
  readonly receipts_root: string;
  readonly timestamp: { readonly from: string; readonly to: string };
}

interface ResultRow {
  readonly block_gas_used: number;
  readonly bloom: string;
  readonly gas_used: number | null;
  readonly status: string;
  readonly type: number;
  readonly timestamp: string;
  readonly transaction_index: number;
}

interface LogRow {
  readonly address: string;
  readonly bloom: string;
  readonly data: string;
  readonly index: number;
  readonly block_number: number;
  readonly timestamp: string;
  readonly topics: readonly string[];
  readonly transaction_index: number;
}

let mirror: MirrorApp;
let blocks: readonly BlockRow[];

beforeAll(async () => {
  const { tree } = await writtenStream({ files: 12, transactionsPerFile: 80, nodes: 1, accounts: 40 });
  const ledger = memoryLedger();
  await ledger.import(createDirectorySource('/stream', tree));
  mirror = await buildMirrorApp();
  for (const unit of ledger.units) expect(await mirror.area.ledger.commitUnit(unit)).toBe('stored');
  blocks = await all<BlockRow>('blocks', 'blocks?order=asc');
});
afterAll(() => mirror?.close());

describe('what the routes tell of the blocks of a ledger', () => {
  test('the filter of a block covers exactly the logs of its times', async () => {
    const counts = [];
    for (const block of blocks) {
      const logs = await logsOf(block);
      const expected = new Uint8Array(BLOOM_BYTES);
      for (const { address, block_number, topics } of logs) {
        expect(block_number).toBe(block.number);
        orInto(expected, bloomOf(bytesOf(address), topics.map(bytesOf)));
      }
      const isEmpty = logs.length === 0 && block.logs_bloom === '0x';
      if (!isEmpty) expect(block.logs_bloom).toBe(toHex(expected));
      counts.push(logs.length);
    }
    expect(counts.filter((count) => count > 0).length).toBeGreaterThan(5);
    const everyLog = await all<LogRow>('logs', 'contracts/results/logs?order=asc');
    expect(everyLog.length).toBe(counts.reduce((sum, count) => sum + count, 0));
  });

  test('the gas of a block is that of its results', async () => {
    let results = 0;
    for (const { gas_used, number } of blocks) {
      const shown = await resultsOf(number);
      expect(gas_used).toBe(shown.reduce((sum, result) => sum + (result.gas_used ?? 0), 0));
      for (const result of shown) expect(result.block_gas_used).toBe(gas_used);
      results += shown.length;
    }
    expect(results).toBeGreaterThan(20);
  });

  test('results are numbered from 0 as transactions of an EVM, and logs from 0 in their block', async () => {
    for (const block of blocks) {
      const numbers = (await resultsOf(block.number)).map((row) => row.transaction_index);
      expect(numbers.sort((one, other) => one - other)).toEqual(numbers.map((_, place) => place));
      const logs = await logsOf(block);
      const indexes = logs.map(({ index }) => index).sort((one, other) => one - other);
      expect(indexes).toEqual(indexes.map((_, place) => place));
      for (const log of logs) expect(numbers).toContain(log.transaction_index);
    }
  });

  test('the receipts root of a block is that of a trie of what results and logs show', async () => {
    let receipts = 0;
    for (const block of blocks) {
      const [results, logs] = [await resultsOf(block.number), await logsOf(block)];
      const trie = await createMPT();
      let gas = 0;
      for (const row of [...results].sort((one, other) => one.transaction_index - other.transaction_index)) {
        // A result that stands for logs has no gas.
        const isRun = row.gas_used !== null;
        gas += row.gas_used ?? 0;
        const own = logs.filter((log) => log.transaction_index === row.transaction_index);
        const entry = RLP.encode([
          isRun ? (row.status === '0x1' ? 1 : 0) : new Uint8Array(32),
          gas,
          isRun ? bytesOf(row.bloom) : bloomOfLogs(own),
          own
            .sort((one, other) => one.index - other.index)
            .map(({ address, data, topics }) => [bytesOf(address), topics.map(bytesOf), bytesOf(data)]),
        ]);
        const value = row.type === 0 ? entry : Uint8Array.from([row.type, ...entry]);
        await trie.put(RLP.encode(row.transaction_index), value);
        receipts += 1;
      }
      expect(block.receipts_root).toBe(results.length === 0 ? `0x${'0'.repeat(64)}` : toHex(trie.root()));
    }
    expect(receipts).toBeGreaterThan(50);
  });

  test('the receipts root is that of a trie with any number of entries', async () => {
    for (const count of [1, 2, 16, 17, 127, 128, 129, 300]) {
      const trie = await createMPT();
      const entries = Array.from({ length: count }, (_, index) => index);
      for (const index of entries) {
        const entry = RLP.encode([index % 3 === 0 ? 0 : 1, 7 * (index + 1), new Uint8Array(BLOOM_BYTES), []]);
        await trie.put(RLP.encode(index), index % 2 === 0 ? entry : Uint8Array.from([2, ...entry]));
      }
      const receipts = entries.map((index) => ({
        ...{ index, type: index % 2 === 0 ? 0 : 2, isSuccessful: index % 3 !== 0 },
        ...{ gasUsed: 7n, bloom: null, logs: [] },
      }));
      expect(toHex(receiptsRoot(receipts.reverse())), `${count}`).toBe(toHex(trie.root()));
    }
  });
});

function bloomOfLogs(logs: readonly LogRow[]): Uint8Array {
  const bloom = new Uint8Array(BLOOM_BYTES);
  for (const log of logs) orInto(bloom, bytesOf(log.bloom));
  return bloom;
}

function within({ timestamp: { from, to } }: BlockRow): string {
  return `timestamp=gte:${from}&timestamp=lte:${to}`;
}

function logsOf(block: BlockRow): Promise<readonly LogRow[]> {
  return all('logs', `contracts/results/logs?order=asc&${within(block)}`);
}

function resultsOf(block: number): Promise<readonly ResultRow[]> {
  return all('results', `contracts/results?order=asc&block.number=${block}`);
}

/** The rows of all pages. */
async function all<Row>(name: string, request: string): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let next: string | null = `/api/v1/${request}&limit=100`; next !== null; ) {
    const answer = await mirror.app.inject(next);
    expect(answer.statusCode, `${next} ${answer.body}`).toBe(200);
    const page = answer.json() as Record<string, readonly Row[]> & { links: { next: string | null } };
    rows.push(...(page[name] ?? []));
    next = page.links.next;
  }
  return rows;
}

function bytesOf(hex: string): Uint8Array {
  return parseHex(hex) ?? new Uint8Array();
}
