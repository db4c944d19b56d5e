import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import type { SummaryDocument } from '../../src/status/documents/schemas.ts';
import { type HeldChain, startHeldChain } from '../support/held-chain.ts';
import { isLeftOut, NO_SMALL_DISK } from '../support/left-out.ts';
import { until } from '../support/serve-process.ts';
import { attackMs, attackTimeout, IS_FULL } from './attack-seconds.ts';
import { type AttackedServer, startAttacked } from './attacked-server.ts';
import { brokenJobs, RUNTIME_BYTECODE, submissionText, submit } from './contracts.ts';
import { type Probe, startProbe } from './probe.ts';
import { expectAnswered, expectLively, expectSmall, expectSoonOver, printAttack } from './report.ts';
import { mountSmallDisk, type SmallDisk } from './small-disk.ts';

const SHORT_SECONDS = 1;
const DISK_MIB = 24;
const ACCEPTED = 20;
const HELD_CHAIN = '31337';
const SHOWN_WITHIN_MS = 90_000;

let disk: SmallDisk | null = null;
let chain: HeldChain;
let server: AttackedServer | null = null;
let probe: Probe | null = null;
afterEach(async () => {
  await probe?.stop();
  await server?.remove();
  await chain?.close();
  disk?.remove();
});

/** Takes more room than pages that are allotted already may have, packed or not. */
const largeSubmission = () => submissionText(randomBytes(150_000).toString('hex'));

const isDatabaseRed = async (url: string) => {
  const { components } = (await (await fetch(`${url}/api/v2/summary.json`)).json()) as SummaryDocument;
  return components.some(({ name, status }) => /database/i.test(name) && /outage/.test(status));
};

test('a full disk refuses writes, says so, and is over when there is space', {
  ...attackTimeout(SHORT_SECONDS),
}, async (context) => {
  disk = mountSmallDisk(DISK_MIB);
  if (disk === null) {
    isLeftOut(NO_SMALL_DISK);
    return context.skip(NO_SMALL_DISK);
  }
  chain = await startHeldChain(RUNTIME_BYTECODE);
  const env = {
    DATABASE_URL: `sqlite:${disk.folder}/l.sqlite`,
    VERIFY_OUTPUT_CACHE_MB: '0',
  };
  server = await startAttacked({ env, chains: { [HELD_CHAIN]: { rpc: [chain.url] } } });
  const { url } = server;
  probe = await startProbe(url);
  const accepted: string[] = [];
  for (let index = 0; index < ACCEPTED; index += 1) {
    const { verificationId, text } = await submit(url, index, { chain: HELD_CHAIN });
    accepted.push(verificationId ?? expect.fail(text));
  }
  await pause(500);
  const before = await probe.take();

  disk.fill();
  chain.release();
  let turn = ACCEPTED;
  const refused = { status: 0, text: '', retryAfter: null as string | null };
  await until('a submission is refused', async () => {
    const answer = await submit(url, turn++, { chain: HELD_CHAIN, body: largeSubmission() });
    // It may have found room; then it counts like any other.
    if (answer.verificationId !== null) accepted.push(answer.verificationId);
    Object.assign(refused, answer);
    return answer.status === 503;
  });
  const readiness = await (await fetch(`${url}/health/readiness`)).text();
  const filled = performance.now();
  // The status page takes its time to be sure.
  if (IS_FULL) await until('the status page shows it', () => isDatabaseRed(url), SHOWN_WITHIN_MS);
  const shownMs = Math.round(performance.now() - filled);
  await pause(attackMs(SHORT_SECONDS));
  const during = await probe.take();
  printAttack('full disk', server, { before, during });

  disk.free();
  const freed = performance.now();
  await until('a submission is taken again', async () => {
    const answer = await submit(url, turn++, { chain: HELD_CHAIN });
    if (answer.verificationId !== null) accepted.push(answer.verificationId);
    return answer.status === 202;
  });
  const recoveredMs = Math.round(performance.now() - freed);
  expectSmall(server);
  expect(await brokenJobs(url, accepted)).toEqual([]);
  console.log(
    `full disk: ${accepted.length} accepted, all ended; ${IS_FULL ? `the page red after ${shownMs} ms, ` : ''}taken again after ${recoveredMs} ms`,
  );

  disk.fill();
  await until('a submission is refused again', async () => {
    return (await submit(url, turn++, { chain: HELD_CHAIN, body: largeSubmission() })).status === 503;
  });
  expect(await server.stop('SIGTERM'), server.log().slice(-2000)).toBe(0);

  expect(refused.text).toMatch(/disk|space/i);
  expect(readiness).toMatch(/disk is full/);
  expect(refused.retryAfter).toMatch(/^\d+$/);
  expectAnswered(during);
  expect(server.log()).toMatch(/disk.*full|no space|ENOSPC|SQLITE_FULL/i);
  expectLively(during);
  expectSoonOver(recoveredMs);
});
