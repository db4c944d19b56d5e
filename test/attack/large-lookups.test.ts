import { expect, test } from 'vitest';
import { until } from '../support/serve-process.ts';
import { attackMs, attackTimeout } from './attack-seconds.ts';
import { addressOf, CHAIN, nestedSubmission, readJob, submit } from './contracts.ts';
import { sendLoad } from './load.ts';
import { expectAnswered, expectLively, expectSmall, printAttack } from './report.ts';
import { underAttack } from './under-attack.ts';

const SHORT_SECONDS = 5;
/** Of structs inside structs: as large as what is kept of an output, 2 MiB, allows. */
const DEPTH = 13;
const MIN_CHARACTERS = 1_000_000;

const attacked = underAttack();

test('lookups of a large contract read no more than their fields', {
  ...attackTimeout(SHORT_SECONDS + 100),
}, async () => {
  const body = nestedSubmission(1, DEPTH, `// ${'x'.repeat(1_000_000)}\n`);
  const { verificationId } = await submit(attacked.server.url, 1, { body });
  const ended = async () =>
    (await readJob(attacked.server.url, verificationId ?? '', 10))?.isJobCompleted === true;
  await until('the contract is verified', ended);
  const before = await attacked.probe.take();
  const contract = `/v2/contract/${CHAIN}/${addressOf(1)}`;
  const whole = await (await fetch(`${attacked.server.url}${contract}?fields=abi,metadata`)).text();
  expect(whole.length).toBeGreaterThan(MIN_CHARACTERS);
  const { statuses } = await sendLoad({
    url: attacked.server.url,
    requests: ['deployment', 'compilation', 'abi,metadata'].map((fields) => ({
      method: 'GET',
      path: `${contract}?fields=${fields}`,
    })),
    connections: 4,
    seconds: attackMs(SHORT_SECONDS) / 1000,
    perSecond: null,
  });
  const during = await attacked.probe.take();
  printAttack('lookups of a large contract', attacked.server, { before, during });
  expect(Object.keys(statuses)).toEqual(['200']);
  expect(attacked.server.end()).toBeNull();
  expectAnswered(during);
  expectLively(during);
  expectSmall(attacked.server);
});
