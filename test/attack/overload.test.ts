import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aTransfer } from '../../src/mirror/fees/sample-transfer.ts';
import { type HeldChain, startHeldChain } from '../support/held-chain.ts';
import { attackMs, attackTimeout, IS_FULL } from './attack-seconds.ts';
import { type AttackedServer, startAttacked } from './attacked-server.ts';
import { RUNTIME_BYTECODE, submissionText } from './contracts.ts';
import { type LoadCount, type LoadOrder, type LoadRequest, sendLoad } from './load.ts';
import { type Probe, startProbe } from './probe.ts';
import { expectLively, expectSmall, printAttack } from './report.ts';

const SHORT_SECONDS = 1;
/** Each area for two minutes when an attack takes one. */
const SECONDS = (attackMs(SHORT_SECONDS) / 1000) * (IS_FULL ? 2 : 1);
const PEAK_SECONDS = IS_FULL ? 10 : 1;
const WARM_UP_SECONDS = 5;
/** Enough to keep the server busy without waiting. */
const PEAK_CONNECTIONS = 16;
/** What a second of the short form may be too short to show. */
const LEAST_PEAK = 3;
const TIMES_THE_PEAK = 10;
const OVERLOAD_CONNECTIONS = 400;
const LEAST_SHARE = 0.9;
const RPC_CHAIN = '31337';

let server: AttackedServer;
let probe: Probe;
let chain: HeldChain;
/** Addresses of all loads differ. */
let sent = 0;
beforeAll(async () => {
  chain = await startHeldChain(RUNTIME_BYTECODE);
  chain.release();
  server = await startAttacked({ chains: { [RPC_CHAIN]: { rpc: [chain.url] } } });
  probe = await startProbe(server.url);
});
afterAll(async () => {
  await probe.stop();
  await server.remove();
  await chain.close();
});

/** What clients of each area ask. */
const REQUESTS: Readonly<Record<string, readonly LoadRequest[]>> = {
  status: [{ method: 'GET', path: '/api/v2/summary.json' }],
  mirror: [
    { method: 'GET', path: '/api/v1/transactions' },
    { method: 'GET', path: '/api/v1/transactions?account.id=0.0.1001&limit=10' },
    {
      method: 'POST',
      path: '/api/v1/network/fees/estimate',
      body: JSON.stringify({ transaction: aTransfer(1).toString('base64') }),
    },
  ],
  verify: [{ method: 'POST', path: `/v2/verify/${RPC_CHAIN}/{address}`, body: submissionText('number {n}') }],
};

/** Work that was done, not only taken on: verifications count when they have ended. */
async function finishedJobs(): Promise<number> {
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  return [...metrics.matchAll(/^ledgerlens_verify_jobs_finished_total\{[^}]*\} (\d+)/gm)]
    .map(([, count]) => Number(count))
    .reduce((sum, count) => sum + count, 0);
}

const succeeded = ({ statuses }: LoadCount) => (statuses['200'] ?? 0) + (statuses['202'] ?? 0);

test.each(Object.entries(REQUESTS))(
  'ten times what %s can do leaves what it can do',
  {
    timeout: attackTimeout(SHORT_SECONDS).timeout + 2000 * SECONDS,
  },
  async (area, requests) => {
    const { url } = server;
    await probe.take();
    await pause(500);
    const before = await probe.take();
    /** The load, and how many answers of use came a second. */
    async function measure(order: Pick<LoadOrder, 'connections' | 'seconds' | 'perSecond'>) {
      const done = await finishedJobs();
      const load = await sendLoad({ url, requests, first: sent, ...order });
      sent += load.offered;
      const useful = area === 'verify' ? (await finishedJobs()) - done : succeeded(load);
      return { load, perSecond: useful / load.seconds };
    }
    const closed = { connections: PEAK_CONNECTIONS, perSecond: null };
    // The first answers of a process are its slowest.
    if (IS_FULL) await measure({ ...closed, seconds: WARM_UP_SECONDS });
    const peak = await measure({ ...closed, seconds: PEAK_SECONDS });
    await probe.take();
    const overload = await measure({
      connections: OVERLOAD_CONNECTIONS,
      seconds: SECONDS,
      perSecond: Math.ceil(Math.max(peak.perSecond, LEAST_PEAK) * TIMES_THE_PEAK),
    });
    const during = await probe.take();
    printAttack(`overload of ${area}`, server, { before, during });
    const { statuses, offered, wanted, withoutRetryAfter } = overload.load;
    console.log(
      `overload of ${area}: peak ${Math.round(peak.perSecond)} a second, under ${TIMES_THE_PEAK} times as many ` +
        `(${wanted} wanted, ${offered} sent) ${Math.round(overload.perSecond)}: ${JSON.stringify(statuses)}`,
    );
    expect(server.end()).toBeNull();
    for (const status of Object.keys(statuses)) expect(['200', '202', '429', '503']).toContain(status);
    expect(withoutRetryAfter).toBe(0);
    expect(Object.keys(during['liveness']!.statuses)).toEqual(['200']);
    expectSmall(server);
    expectLively(during);
    if (IS_FULL) expect(overload.perSecond).toBeGreaterThanOrEqual(LEAST_SHARE * peak.perSecond);
  },
);
