import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startBlockNode, type TestBlockNode } from '../kit/mirror/ingest/block-node.ts';
import { sharedBlock } from '../kit/mirror/ingest/listed-blocks.ts';
import { type BlockSetFacts, blockSets } from '../kit/mirror/ingest/stream-facts.ts';
import { type ServeProcess, startServe } from '../support/serve-process.ts';
import { describeShared } from '../support/shared-suites.ts';
import { ledgerDump } from '../support/sqlite-file.ts';

/** A server follows block nodes over gRPC. */
let folder = '';
let server: ServeProcess | null = null;
const nodes: TestBlockNode[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerlens-nodes-'));
});

afterEach(async () => {
  await server?.stop('SIGKILL');
  server = null;
  for (const node of nodes.splice(0)) await node.close();
  rmSync(folder, { recursive: true, force: true });
});

async function aNode(): Promise<TestBlockNode> {
  const node = await startBlockNode({ setItems: 40 });
  nodes.push(node);
  return node;
}

const url = (file: string) => `sqlite:${join(folder, file)}`;
const serve = (file: string) =>
  startServe(
    {
      DATABASE_URL: url(file),
      MIRROR_BLOCK_NODES: nodes.map(({ address }) => address.name).join(','),
      MIRROR_SHARD: '11',
      MIRROR_REALM: '12',
      MIRROR_PROOF_GENERATION: '1',
    },
    folder,
  );

async function answer<T>(path: string): Promise<T> {
  return (await fetch(`${server?.url}${path}`)).json() as Promise<T>;
}

async function newestTransaction(): Promise<string | undefined> {
  const { transactions } = await answer<{ transactions: { consensus_timestamp: string }[] }>(
    '/api/v1/transactions?limit=1',
  );
  return transactions[0]?.consensus_timestamp;
}

async function ingest(): Promise<Record<string, unknown>> {
  const readiness = await answer<{ ingest: Record<string, unknown>[] }>('/health/readiness');
  return readiness.ingest[0] ?? {};
}

describeShared('a server that follows block nodes', () => {
  const [facts] = blockSets().filter(({ set }) => set === 'blocks-0.78') as [BlockSetFacts];
  const files = facts?.files ?? [];

  test('serves the past and each block as it comes, changes the node, and ends when it is told', async () => {
    const [first, second] = [await aNode(), await aNode()];
    for (const node of nodes) node.push(0n, sharedBlock(files[0]?.file ?? ''));
    server = await serve('l.sqlite');
    await expect.poll(newestTransaction).toBe(files[0]?.consensus_end);
    for (const node of nodes) node.push(1n, sharedBlock(files[1]?.file ?? ''));
    await expect.poll(newestTransaction).toBe(files[1]?.consensus_end);
    expect(second?.subscriptions).toEqual([]);
    if (first !== undefined) first.faults.isDown = true;
    first?.breakOff();
    for (const node of nodes) node.push(2n, sharedBlock(files[2]?.file ?? ''));
    await expect.poll(newestTransaction).toBe(files[2]?.consensus_end);
    expect(second?.subscriptions).not.toEqual([]);
    const { blocks } = await answer<{ blocks: Record<string, unknown>[] }>('/api/v1/blocks');
    expect(blocks.map(({ count, hash, number }) => ({ count, hash, number }))).toEqual(
      files.map(({ count, root_hash }, number) => ({ count, hash: `0x${root_hash}`, number })).reverse(),
    );
    expect(await ingest()).toMatchObject({ node: second?.address.name, state: 'idle' });
    expect(await server.stop('SIGTERM')).toBe(0);
  });

  test('has the same ledger after it was killed at every stage', async () => {
    const node = await aNode();
    for (const [number, { file, consensus_end }] of files.entries()) {
      node.push(BigInt(number), sharedBlock(file));
      server = await serve('cut.sqlite');
      await expect.poll(newestTransaction).toBe(consensus_end);
      await server.stop('SIGKILL');
    }
    server = await serve('whole.sqlite');
    await expect.poll(newestTransaction).toBe(files.at(-1)?.consensus_end);
    await server.stop('SIGTERM');
    expect(ledgerDump(url('cut.sqlite'))).toBe(ledgerDump(url('whole.sqlite')));
  });
});
