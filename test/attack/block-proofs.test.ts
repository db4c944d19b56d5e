import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { startBlockNode, type TestBlockNode } from '../kit/mirror/ingest/block-node.ts';
import { SignedBlocks } from '../kit/mirror/ingest/signed-blocks.ts';
import { isLeftOut, notLinux } from '../support/left-out.ts';
import { runCommandBeside, until } from '../support/serve-process.ts';
import { attackTimeout, IS_FULL } from './attack-seconds.ts';
import { type AttackedServer, startAttacked } from './attacked-server.ts';
import { type Probe, startProbe } from './probe.ts';
import { expectAnswered, expectLively, expectQuickReads, expectSmall, printAttack } from './report.ts';

/** Blocks in each of the two rounds; signing one costs as much as checking it. */
const BLOCKS = IS_FULL ? 200 : 40;
/** Pushed at a time, so that the wait for them is short on any machine. */
const AT_ONCE = 20;
const SECONDS = IS_FULL ? 120 : 20;
const LONG_AGO = 1_700_000_000_000_000_000n;
/** What the main thread may have of the processor time: it checks nothing and imports nothing. */
const MAX_OF_MAIN_THREAD = 0.5;
const TICK_MS = 10;

let server: AttackedServer;
let node: TestBlockNode | null = null;
let probe: Probe | null = null;
afterEach(async () => {
  await probe?.stop();
  await server.remove();
  await node?.close();
});

/** Of all threads, those that ended as well. */
function processCpuMs(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return TICK_MS * (Number(fields[11]) + Number(fields[12]));
}

async function newestBlock(): Promise<number> {
  const answer = await fetch(`${server.url}/api/v1/blocks?order=desc&limit=1`);
  const { blocks } = (await answer.json()) as { readonly blocks: readonly { readonly number: number }[] };
  return blocks[0]?.number ?? -1;
}

test.skipIf(isLeftOut(notLinux))('the proofs of blocks delay no client', attackTimeout(SECONDS), async () => {
  const signed = new SignedBlocks(LONG_AGO);
  const blocks = Array.from({ length: 2 * BLOCKS }, () => signed.next());
  node = await startBlockNode();
  const pushed = node;
  const { host, streamPort } = node.address;
  server = await startAttacked({
    env: {
      MIRROR_IMPORT: '',
      MIRROR_BLOCK_NODES: `${host}:${streamPort}`,
      MIRROR_LEDGER_ID: signed.ledgerId,
    },
  });
  const push = async (from: number, to: number): Promise<void> => {
    for (let at = from; at < to; at += AT_ONCE) {
      const end = Math.min(to, at + AT_ONCE);
      for (const [index, bytes] of blocks.slice(at, end).entries()) pushed.push(BigInt(at + index), bytes);
      await until(`block ${end - 1} is stored`, async () => (await newestBlock()) === end - 1);
    }
  };

  const { pid } = server.child;
  const [ranBefore, usedBefore] = [server.mainThread().ranMs, processCpuMs(pid)];
  await push(0, BLOCKS);
  const [ran, used] = [server.mainThread().ranMs - ranBefore, processCpuMs(pid) - usedBefore];
  console.log(`${BLOCKS} proofs: the main thread ran ${ran} ms of the ${used} ms of its process`);
  expect(ran).toBeLessThan(MAX_OF_MAIN_THREAD * used);

  probe = await startProbe(server.url);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const before = await probe.take();
  await push(BLOCKS, 2 * BLOCKS);
  const during = await probe.take();
  printAttack(`${BLOCKS} proofs of blocks`, server, { before, during });
  expectAnswered(during);
  expectLively(during);
  expectQuickReads(during);
  expectSmall(server);

  const environment = { DATABASE_URL: `sqlite:${server.database}` };
  const { exitCode, output } = await runCommandBeside(['ledger', 'units'], environment, server.folder);
  expect(exitCode).toBe(0);
  expect(output).toMatch(/signatures: generation 2/);
  expect(output).not.toMatch(/\b(chain|none)\b: /);
});
