import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writtenStream } from '../../../test/kit/mirror/ingest/memory-file-tree.ts';
import { memoryLedger } from '../../../test/kit/mirror/ingest/memory-ledger.ts';
import { buildMirrorApp, type MirrorApp } from '../../../test/kit/mirror/mirror-app.ts';
import { parseHex, toHex } from '../../values/hex.ts';
import { BLOOM_BYTES, bloomOf, orInto } from '../evm/bloom.ts';
import { createDirectorySource } from '../ingest/source/directory-source.ts';

interface BlockRow {
  readonly count: number;
  readonly gas_used: number;
  readonly logs_bloom: string;
  readonly number: number;
  readonly timestamp: { readonly from: string; readonly to: string };
}

interface ResultRow {
  readonly block_gas_used: number;
  readonly gas_used: number;
  readonly timestamp: string;
  readonly transaction_index: number;
}

interface LogRow {
  readonly address: string;
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

  test('results and logs have the place of their transaction in the block', async () => {
    for (const block of blocks) {
      const times = await all<{ readonly consensus_timestamp: string }>(
        'transactions',
        `transactions?order=asc&${within(block)}`,
      );
      const placeOf = new Map(times.map(({ consensus_timestamp: at }, place) => [at, place]));
      expect(placeOf.size).toBe(block.count);
      for (const row of [...(await resultsOf(block.number, true)), ...(await logsOf(block))]) {
        expect(row.transaction_index, row.timestamp).toBe(placeOf.get(row.timestamp));
      }
    }
  });
});

function within({ timestamp: { from, to } }: BlockRow): string {
  return `timestamp=gte:${from}&timestamp=lte:${to}`;
}

function logsOf(block: BlockRow): Promise<readonly LogRow[]> {
  return all('logs', `contracts/results/logs?order=asc&${within(block)}`);
}

/** Those that synthetic logs stand for have no gas. */
function resultsOf(block: number, isInternal = false): Promise<readonly ResultRow[]> {
  return all('results', `contracts/results?order=asc&block.number=${block}&internal=${isInternal}`);
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
