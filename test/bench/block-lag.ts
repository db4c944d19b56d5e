import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { printTimestamp } from '../../src/values/consensus-timestamp.ts';
import { writeBlocks } from '../../tools/network/write-blocks.ts';
import { startBlockNode } from '../kit/mirror/ingest/block-node.ts';
import { startServe } from '../support/serve-process.ts';
import type { BenchmarkResult } from './benchmarks.ts';
import { median, percentile } from './statistics.ts';

const WARM_UP = 10;
const MEASURED = 100;
const TRANSACTIONS = 100;
const EVERY_MS = 1000;
const BAR_MS = 500;
const POLL_MS = 2;

/**
 * From the moment at which a node begins to send a block, one a second, to the answer of a running server that shows its
 * last transaction; each block wraps a record file whose four signatures are checked.
 */
export async function measureBlockLag(): Promise<BenchmarkResult> {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerlens-lag-'));
  const node = await startBlockNode({ setItems: 50 });
  const files = WARM_UP + MEASURED;
  const { blocks, book } = writeBlocks({ files, transactionsPerFile: TRANSACTIONS, seed: 'lag' });
  const bookPath = join(folder, 'address_book.bin');
  writeFileSync(bookPath, book);
  const server = await startServe(
    {
      DATABASE_URL: `sqlite:${join(folder, 'l.sqlite')}`,
      MIRROR_BLOCK_NODES: node.address.name,
      MIRROR_ADDRESS_BOOK: bookPath,
    },
    folder,
  );
  const newest = async (): Promise<string | undefined> => {
    const answer = await fetch(`${server.url}/api/v1/transactions?limit=1`);
    const { transactions } = (await answer.json()) as { transactions: { consensus_timestamp: string }[] };
    return transactions[0]?.consensus_timestamp;
  };
  try {
    const lags: number[] = [];
    const requests: number[] = [];
    for (const { bytes, number, unit } of blocks) {
      const wanted = printTimestamp(unit.last);
      const begin = performance.now();
      node.push(number, bytes);
      for (let asked = performance.now(); (await newest()) !== wanted; asked = performance.now()) {
        requests.push(performance.now() - asked);
        await pause(POLL_MS);
      }
      lags.push(performance.now() - begin);
      await pause(Math.max(0, EVERY_MS - (performance.now() - begin)));
    }
    const measured = lags.slice(WARM_UP);
    const [middle, high] = [median(measured), percentile(measured, 0.99)];
    const ceiling = median(requests);
    return {
      what: `lag of ${MEASURED} live blocks of ${TRANSACTIONS} transactions, one a second, until a page shows them`,
      ceiling: `${ceiling.toFixed(1)} ms for the page alone`,
      product: `median ${middle.toFixed(0)} ms, p99 ${high.toFixed(0)} ms`,
      ratio: ceiling / middle,
      target: `p99 <= ${BAR_MS} ms`,
      bar: high <= BAR_MS ? 'kept' : 'MISSED',
    };
  } finally {
    await server.stop('SIGTERM');
    await node.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
