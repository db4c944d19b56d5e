import { expect, test } from 'vitest';
import { until } from '../support/serve-process.ts';
import { attackTimeout } from './attack-seconds.ts';
import { addressOf, CHAIN, nestedSubmission, readJob } from './contracts.ts';
import { expectAnswered, expectLively, expectQuickReads, expectSmall, printAttack } from './report.ts';
import { underAttack } from './under-attack.ts';

const SHORT_SECONDS = 5;
const SUBMISSIONS = 4;
/** Of structs inside structs. */
const DEPTH = 15;
/** Of the answer with everything that is stored of a contract; the ABI alone would have 10 MB. */
const MAX_CONTRACT_CHARACTERS = 200_000;

const attacked = underAttack();

test('sources of a few lines with outputs of many megabytes cost the others nothing', {
  ...attackTimeout(SHORT_SECONDS + 100),
}, async () => {
  const before = await attacked.probe.take();
  const ids: string[] = [];
  for (let each = 0; each < SUBMISSIONS; each++) {
    const accepted = await fetch(`${attacked.server.url}/v2/verify/${CHAIN}/${addressOf(each + 1)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: nestedSubmission(each, DEPTH),
    });
    expect(accepted.status).toBe(202);
    ids.push(((await accepted.json()) as { readonly verificationId: string }).verificationId);
  }
  for (const id of ids) {
    await until(
      'the job has ended',
      async () => (await readJob(attacked.server.url, id, 10))?.isJobCompleted === true,
    );
    const job = (await (await fetch(`${attacked.server.url}/v2/verify/${id}`)).json()) as {
      readonly warnings: readonly string[];
    };
    expect(job).toMatchObject({ contract: { runtimeMatch: 'match' } });
    expect(job.warnings.join()).toContain('Too large for these sources, and not stored: ABI, metadata');
  }
  const during = await attacked.probe.take();
  printAttack('outputs of many megabytes', attacked.server, { before, during });
  const contract = await fetch(`${attacked.server.url}/v2/contract/${CHAIN}/${addressOf(1)}?fields=all`);
  const text = await contract.text();
  expect(JSON.parse(text)).toMatchObject({ match: 'match', abi: null, metadata: null });
  expect(text.length).toBeLessThan(MAX_CONTRACT_CHARACTERS);
  expect(attacked.server.end()).toBeNull();
  expectAnswered(during);
  expectLively(during);
  expectQuickReads(during);
  expectSmall(attacked.server);
});
