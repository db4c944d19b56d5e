import { expect, test } from 'vitest';
import { attackMs, attackTimeout } from './attack-seconds.ts';
import { sendLoad } from './load.ts';
import { expectAnswered, expectLively, expectSmall, printAttack } from './report.ts';
import { underAttack } from './under-attack.ts';

const SHORT_SECONDS = 5;
/** The shortest transfer, as a member of a `TransactionList`. */
const MEMBER = Buffer.from('0a062a040a027200', 'hex');
/** As many as one request may have, and as fit into the largest body. */
const [MOST, TOO_MANY] = [1_000, 17_000];

const attacked = underAttack();

const listOf = (members: number) => ({
  method: 'POST',
  path: '/api/v1/network/fees/estimate',
  body: JSON.stringify({
    transaction: Buffer.concat(new Array(members).fill(MEMBER)).toString('base64'),
  }),
});

test('prices of long lists of transactions delay no client', attackTimeout(SHORT_SECONDS), async () => {
  await attacked.probe.take();
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const before = await attacked.probe.take();
  const { statuses } = await sendLoad({
    url: attacked.server.url,
    requests: [listOf(MOST), listOf(TOO_MANY)],
    connections: 4,
    seconds: attackMs(SHORT_SECONDS) / 1000,
    perSecond: null,
  });
  const during = await attacked.probe.take();
  printAttack('lists of transactions to be priced', attacked.server, { before, during });
  expect(statuses['200']).toBeGreaterThan(0);
  expect(statuses['400']).toBeGreaterThan(0);
  expect(attacked.server.end()).toBeNull();
  expectAnswered(during);
  expectLively(during);
  expectSmall(attacked.server);
});
