import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../support/serve-process.ts';
import { attackMs, attackTimeout, IS_FULL } from './attack-seconds.ts';
import { type AttackedServer, startAttacked } from './attacked-server.ts';
import { brokenJobs, submit } from './contracts.ts';
import { BODY_ATTACKS } from './hostile-bodies.ts';
import { type Probe, startProbe } from './probe.ts';
import { expectAnswered, expectLively, expectSmall, expectSoonOver, printAttack } from './report.ts';

const SHORT_SECONDS = 1;

let server: AttackedServer;
let last = 2000;
let probe: Probe;
beforeAll(async () => {
  server = await startAttacked();
  probe = await startProbe(server.url);
});
afterAll(async () => {
  await probe.stop();
  await server.remove();
});

/** Slow bodies are ended after a time that only the full form waits for. */
const ATTACKS = Object.entries(BODY_ATTACKS).filter(
  ([name]) => IS_FULL || !name.includes('a byte at a time'),
);

test.each(ATTACKS)(
  '%s take nothing from other clients',
  {
    ...attackTimeout(SHORT_SECONDS),
  },
  async (name, begin) => {
    await probe.take();
    await pause(1000);
    const before = await probe.take();
    const attack = begin(server.url);
    await pause(attackMs(SHORT_SECONDS));
    const during = await probe.take();
    await attack.stop();
    const recovery = performance.now();
    expect(server.end()).toBeNull();
    await until('a submission is taken again', async () => (await submit(server.url, last++)).status === 202);
    const recoveredMs = Math.round(performance.now() - recovery);
    printAttack(name, server, { before, during });
    console.log(
      `${name}: the attacker got ${JSON.stringify(attack.outcomes)}; recovered in ${recoveredMs} ms`,
    );

    expectAnswered(during);
    expectSmall(server);
    expectLively(during);
    expect(attack.outcomes).not.toHaveProperty('hung');
    expectSoonOver(recoveredMs);
    expect(await brokenJobs(server.url, during['submission']!.accepted)).toEqual([]);
  },
);
