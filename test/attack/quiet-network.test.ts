import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { type NodeFaults, startBlockNode, type TestBlockNode } from '../kit/mirror/ingest/block-node.ts';
import { SignedBlocks } from '../kit/mirror/ingest/signed-blocks.ts';
import { until } from '../support/serve-process.ts';
import { attackTimeout, IS_FULL } from './attack-seconds.ts';
import { type AttackedServer, startAttacked } from './attacked-server.ts';
import { besideInnocents } from './report.ts';

/** Between two blocks: nodes are polled after ten silent seconds, and a thread or connection may rest after thirty. */
const GAPS_MS = IS_FULL ? [2_000, 9_985, 10_005, 12_000, 31_000, 31_000, 2_000] : [1_000, 9_985, 10_500];
/** From when the node has a block until it is shown, on a quiet machine; the first one also loads what checks proofs. */
const MAX_LATE_MS = 500;
/** After a request for what it claims it is not retried for half a second. */
const MAX_LATE_OF_BOAST_MS = 1_500;
const BOAST = { status: { first: 0n, last: 10n ** 12n } };

const servers: AttackedServer[] = [];
const nodes: TestBlockNode[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.remove();
  for (const node of nodes.splice(0)) await node.close();
});

test.each<[string, readonly NodeFaults[]]>([
  ['one node', [{}]],
  ['a node that hangs before one that serves', [{ status: 'silent' }, {}]],
  ['a node that claims a million million blocks', [BOAST]],
  ['a node that sends every block twice', [{ messages: (_, messages) => [...messages, ...messages] }]],
  ['a node that sends no ends', [{ sendsNoEnds: true }]],
])('blocks of a quiet network are shown at once: %s', attackTimeout(150), async (what, faults) => {
  const signed = new SignedBlocks(BigInt(Date.now()) * 1_000_000n);
  const own = await Promise.all(faults.map((each) => startBlockNode({ ...each })));
  nodes.push(...own);
  const server = await startAttacked({
    env: {
      MIRROR_IMPORT: '',
      MIRROR_BLOCK_NODES: own.map(({ address }) => address.name).join(','),
      MIRROR_LEDGER_ID: signed.ledgerId,
      STATUS_PROBES_OFF: 'all',
    },
  });
  servers.push(server);
  const newest = async () => {
    const answer = await fetch(`${server.url}/api/v1/blocks?order=desc&limit=1`);
    return ((await answer.json()) as { blocks: { number: number }[] }).blocks[0]?.number ?? -1;
  };
  const late: number[] = [];
  await besideInnocents(`a quiet network: ${what}`, server, async () => {
    for (const [at, gap] of [0, ...GAPS_MS].entries()) {
      await pause(gap);
      const bytes = signed.next();
      const since = performance.now();
      for (const node of own) node.push(BigInt(at), bytes);
      await until(`block ${at} is shown`, async () => (await newest()) === at);
      late.push(Math.round(performance.now() - since));
    }
  });
  console.log(`${what}: blocks shown after ${late.join(', ')} ms`);
  const isBoast = faults.includes(BOAST);
  if (IS_FULL) {
    expect(Math.max(...late.slice(1))).toBeLessThan(isBoast ? MAX_LATE_OF_BOAST_MS : MAX_LATE_MS);
  }
  // No stream was given up.
  if (!isBoast) expect(Math.max(...own.map(({ subscriptions }) => subscriptions.length))).toBe(1);
  const networks = async () => {
    const answer = await fetch(`${server.url}/health/readiness`);
    const { ingest } = (await answer.json()) as { ingest: { network: { blocksBehind: number } | null }[] };
    return ingest.map(({ network }) => network);
  };
  await expect.poll(networks).toMatchObject([isBoast ? null : { blocksBehind: 0 }]);
});
