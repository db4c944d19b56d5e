import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { until } from '../support/serve-process.ts';
import { attackMs, attackTimeout, IS_FULL } from './attack-seconds.ts';
import { brokenJobs, submit } from './contracts.ts';
import { BODY_ATTACKS } from './hostile-bodies.ts';
import { expectAnswered, expectLively, expectSmall, expectSoonOver, printAttack } from './report.ts';
import { underAttack } from './under-attack.ts';

const SHORT_SECONDS = 1;

let last = 2000;
const attacked = underAttack();

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
    await attacked.probe.take();
    await pause(1000);
    const before = await attacked.probe.take();
    const attack = begin(attacked.server.url);
    await pause(attackMs(SHORT_SECONDS));
    const during = await attacked.probe.take();
    await attack.stop();
    const recovery = performance.now();
    expect(attacked.server.end()).toBeNull();
    await until(
      'a submission is taken again',
      async () => (await submit(attacked.server.url, last++)).status === 202,
    );
    const recoveredMs = Math.round(performance.now() - recovery);
    printAttack(name, attacked.server, { before, during });
    console.log(
      `${name}: the attacker got ${JSON.stringify(attack.outcomes)}; recovered in ${recoveredMs} ms`,
    );

    expectAnswered(during);
    expectSmall(attacked.server);
    expectLively(during);
    expect(attack.outcomes).not.toHaveProperty('hung');
    expectSoonOver(recoveredMs);
    expect(await brokenJobs(attacked.server.url, during['submission']!.accepted)).toEqual([]);
  },
);
