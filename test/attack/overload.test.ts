import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HeldChain, startHeldChain } from '../support/held-chain.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { until } from '../support/serve-process.ts';
import { usesPostgres } from '../support/tested-backend.ts';
import { IS_FULL as IS_ATTACK } from './attack-seconds.ts';
import { type AttackedServer, startAttacked } from './attacked-server.ts';
import { bareCost } from './bare-cost.ts';
import { RUNTIME_BYTECODE } from './contracts.ts';
import { findPeak, meanOf } from './peak.ts';
import { type Probe, startProbe } from './probe.ts';
import { recoveryMs } from './recovery.ts';
import { expectLively, expectSmall, printAttack } from './report.ts';
import { type Measured, type Pace, type Rates, requestsByArea, UsefulAnswers } from './useful-answers.ts';

const given = process.env['OVERLOAD_SECONDS'];
const IS_FULL = given !== undefined || IS_ATTACK;
/** `npm run test:overload` takes five minutes for each area, `npm run test:attack` twice what an attack takes. */
const SECONDS = Number(given ?? (IS_ATTACK ? 2 * Number(process.env['ATTACK_SECONDS']) : 1));
/** Of the load that did best, before the overload and after it. */
const PEAK_SECONDS = 25;
/** What a second of the short form may be too short to show. */
const MIN_PEAK = 3;
const TIMES_THE_PEAK = 10;
/** Client programs send one request after the other on each of theirs. */
const OVERLOAD = { connections: 400, pipeline: 1 };
const MIN_SHARE = 0.9;
const RECOVERED_WITHIN_MS = 10_000;
const RPC_CHAIN = '31337';

let server: AttackedServer;
let probe: Probe;
let chain: HeldChain;
let databaseUrl: string;
/** Addresses of all loads differ. */
let sent = 0;
beforeAll(async () => {
  chain = await startHeldChain(RUNTIME_BYTECODE);
  chain.release();
  databaseUrl = usesPostgres() ? await (await sharedPostgres()).createMigrated() : '';
  const env = usesPostgres() ? { DATABASE_URL: databaseUrl } : {};
  server = await startAttacked({ env, chains: { [RPC_CHAIN]: { rpc: [chain.url] } } });
  await until('the ledger is imported', async () => (await fetch(`${server.url}/health/readiness`)).ok);
  probe = await startProbe(server.url);
}, 120_000);
afterAll(async () => {
  await probe?.stop();
  await server?.remove();
  await chain?.close();
});

test.each(Object.entries(requestsByArea(RPC_CHAIN)))(
  'ten times what %s can do leaves what it can do',
  { timeout: 300_000 + 2000 * SECONDS },
  async (area, requests) => {
    const to = { url: server.url, pid: server.child.pid, databaseUrl };
    const answers = new UsefulAnswers(to, area, requests, () => sent);
    const measure = async (pace: Pace): Promise<Measured> => {
      const measured = await answers.measure(pace);
      sent += measured.load.offered;
      return measured;
    };
    // Verifications are taken on, and done by compilers.
    const isQueued = area === 'verify';
    await probe.take();
    await pause(500);
    const before = await probe.take();
    const best = await findPeak(measure, { isQuick: !IS_FULL, isQueued });
    // The best of several short looks is more than the same load sustains, and a machine is not as fast all the time.
    const again = { ...best.pace, seconds: PEAK_SECONDS };
    const first = IS_FULL ? await measure(again) : best;
    const capacity = Math.max(first.perSecond, MIN_PEAK);
    const pace = { ...OVERLOAD, perSecond: Math.ceil(capacity * TIMES_THE_PEAK) };
    // What so many connections cost, whoever answers. To submissions, which are many fewer, it is nothing.
    const bare = IS_FULL && !isQueued ? await bareCost(best.pace, pace) : 0;
    await probe.take();
    const overload = await measure({ ...pace, seconds: SECONDS });
    const recoveredMs = await recoveryMs(measure, capacity, RECOVERED_WITHIN_MS);
    const peak = meanOf(first, IS_FULL ? await measure(again) : best);
    const during = await probe.take();
    printAttack(`overload of ${area}`, server, { before, during });
    printOverload(area, { peak, overload, bare, recoveredMs });
    const { statuses, withoutRetryAfter, offered, wanted } = overload.load;
    expect(server.end()).toBeNull();
    for (const status of Object.keys(statuses)) expect(['200', '202', '429', '503']).toContain(status);
    expect(withoutRetryAfter).toBe(0);
    expect(Object.keys(during['liveness']!.statuses)).toEqual(['200']);
    expectSmall(server);
    expectLively(during);
    expect(recoveredMs).toBeLessThanOrEqual(RECOVERED_WITHIN_MS);
    if (!IS_FULL) return;
    // It never had nothing to do: its queue was full, or the connections were.
    expect((statuses['503'] ?? 0) + wanted - offered).toBeGreaterThan(0);
    // The clock decides on a dedicated machine, processor time on a shared one, where others slow either down.
    const byClock = overload.perSecond / peak.perSecond;
    const byWork = overload.perWorkSecond * (1 / peak.perWorkSecond + bare);
    expect(Math.max(byClock, byWork)).toBeGreaterThanOrEqual(MIN_SHARE);
  },
);

function printOverload(
  area: string,
  parts: {
    readonly peak: Rates;
    readonly overload: Measured;
    readonly bare: number;
    readonly recoveredMs: number;
  },
): void {
  const { peak, overload, bare, recoveredMs } = parts;
  const { offered, wanted, statuses, seconds } = overload.load;
  const rates = ({ perSecond, perWorkSecond }: Rates) =>
    `${perSecond.toFixed(1)} a second, ${perWorkSecond.toFixed(1)} for one of processor time`;
  const { ran, waited } = overload.work;
  const share = (of: 'perSecond' | 'perWorkSecond') => (overload[of] / peak[of]).toFixed(2);
  console.log(
    `overload of ${area} on ${usesPostgres() ? 'PostgreSQL' : 'SQLite'}: peak ${rates(peak)}; ` +
      `${TIMES_THE_PEAK} times as many (${wanted} wanted, ${offered} sent in ${seconds.toFixed(0)} s) ${rates(overload)} ` +
      `(ran ${(ran / seconds).toFixed(2)}, waited ${(waited / seconds).toFixed(2)} s a second); ` +
      `${share('perSecond')} of the rate, ${share('perWorkSecond')} for processor time, ` +
      `its connections cost a bare server ${(bare * 1e6).toFixed(1)} µs an answer; ` +
      `${JSON.stringify(statuses)}; recovered after ${Math.round(recoveredMs)} ms`,
  );
}
