import { expect, test } from 'vitest';
import { until } from '../support/serve-process.ts';
import { attackMs, attackTimeout } from './attack-seconds.ts';
import { addressOf, CHAIN, readJob, submissionText } from './contracts.ts';
import { expectAnswered, expectLively, expectSmall, printAttack } from './report.ts';
import { underAttack } from './under-attack.ts';

const SHORT_SECONDS = 5;
/** Of the data that the code has twice, as it is deployed and as it is created. */
const DATA_BYTES = 2_000_000;
const READERS = 8;
const MAX_RECORD_BYTES = 600_000;
/** Of the main thread, for one reading of the record with all requests of the others meanwhile. */
const MAX_RAN_MS = 50;

const attacked = underAttack();

/** Yul whose code is as long as its text, and like no code on the chain. */
function longCode(): string {
  const deployed = `object "A_deployed" { code { datacopy(0, dataoffset("long"), 32) } data "long" "${'a'.repeat(DATA_BYTES)}" }`;
  const content = `object "A" { code { let size := datasize("A_deployed")
    datacopy(0, dataoffset("A_deployed"), size) return(0, size) } ${deployed} }`;
  return JSON.stringify({
    stdJsonInput: { language: 'Yul', sources: { 'a.yul': { content } }, settings: {} },
    compilerVersion: (JSON.parse(submissionText()) as { readonly compilerVersion: string }).compilerVersion,
    contractIdentifier: 'a.yul:A',
  });
}

test('a failed job with a code of 2 MB can be read by everybody, and everybody else is answered', {
  ...attackTimeout(SHORT_SECONDS + 100),
}, async () => {
  const accepted = await fetch(`${attacked.server.url}/v2/verify/${CHAIN}/${addressOf(1)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: longCode(),
  });
  expect(accepted.status).toBe(202);
  const { verificationId: id } = (await accepted.json()) as { readonly verificationId: string };
  await until(
    'the job has ended',
    async () => (await readJob(attacked.server.url, id, 10))?.isJobCompleted === true,
  );

  const record = await fetch(`${attacked.server.url}/v2/verify/${id}`);
  const text = await record.text();
  const { error, warnings } = JSON.parse(text);
  expect(error.customCode).toBe('no_match');
  expect(error.errorData.diff.recompiledLength).toBeGreaterThan(DATA_BYTES);
  expect(warnings.join()).toMatch(
    /recompiled runtime code has 2000\d+ bytes; this record keeps the first 65536/,
  );
  expect(text.length).toBeLessThan(MAX_RECORD_BYTES);

  const before = await attacked.probe.take();
  let isOver = false;
  let answers = 0;
  const ranBefore = attacked.server.mainThread().ranMs;
  const read = async (path: string, init: RequestInit = {}) => {
    while (!isOver) {
      const answer = await fetch(`${attacked.server.url}${path}`, init);
      await answer.arrayBuffer();
      expect([200, 503]).toContain(answer.status);
      answers += 1;
    }
  };
  const html = { headers: { accept: 'text/html' } };
  const status = `/api?chainid=${CHAIN}&module=contract&action=checkverifystatus&guid=${id}`;
  const readers = Array.from({ length: READERS }, () => [
    read(`/v2/verify/${id}`),
    read(`/v2/verify/${id}`, { method: 'HEAD' }),
    read(`/verify-ui/jobs/${id}`, html),
    read(status),
  ]);
  await new Promise((resolve) => setTimeout(resolve, attackMs(SHORT_SECONDS)));
  const during = await attacked.probe.take();
  isOver = true;
  await Promise.all(readers.flat());

  printAttack('records of a long code', attacked.server, { before, during });
  const ranMs = (attacked.server.mainThread().ranMs - ranBefore) / answers;
  console.log(`${answers} readings, ${ranMs.toFixed(1)} ms of the main thread for each`);
  expect(ranMs).toBeLessThanOrEqual(MAX_RAN_MS);
  expect(attacked.server.end()).toBeNull();
  expectAnswered(during);
  expectLively(during);
  expectSmall(attacked.server);
});
