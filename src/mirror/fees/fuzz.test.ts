import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { buildFeeApp, stateOf } from '../../../test/kit/mirror/fees/fee-app.ts';
import { mutateBytes } from '../../../test/kit/mirror/fees/mutate-bytes.ts';
import { randomTransaction, TRANSACTION_MEMBERS } from '../../../test/kit/mirror/fees/random-transaction.ts';
import { repetitions } from '../../../test/support/depth.ts';
import { seedOf } from '../../../test/support/seed.ts';
import { seededRandom } from '../../../tools/network/seeded-random.ts';

/** `npm run test:fuzz` sends 200 000; `TEST_SEED` draws others. */
const BODIES = Number(process.env['FEE_FUZZ_BODIES'] ?? repetitions(6000));
const SEED = seedOf('fuzz');
const MILLIS_PER_BODY = 20;
const MAX_GROWTH_BYTES = 12 * 1024 * 1024;
const QUERIES = [
  '',
  '?mode=state',
  '?mode=state&high_volume_throttle=5000',
  '?include=money,explanation,inner&mode=state',
  '?include=inner&signatures=100',
  '?mode=x',
  '?signatures=-1',
];

/** The heap after a full collection. */
function heapBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

describe('fee estimates of hostile bodies', () => {
  test(`answer 200 or 4xx to ${BODIES} random and changed bodies, and keep nothing of them`, {
    timeout: 30_000 + BODIES * MILLIS_PER_BODY,
  }, async () => {
    const random = seededRandom(SEED);
    const app = await buildFeeApp({
      state: stateOf({ tokens: { '0.0.1': { kind: 'FUNGIBLE_COMMON', customFeeCount: 1 } } }),
    });
    const statuses = new Map<number, number>();
    let before = 0;
    for (let index = 0; index < BODIES; index += 1) {
      // Everything that is made once has been made by then.
      if (index === Math.floor(BODIES / 3)) before = heapBytes();
      const { body, kind } = draw();
      const query = QUERIES[random.below(QUERIES.length)] ?? '';
      const isText = random.below(5) === 0;
      const response = await app.inject({
        method: 'POST',
        url: `/api/v1/network/fees${isText ? '/estimate' : ''}${query}`,
        headers: { 'content-type': isText ? 'application/json' : 'application/protobuf' },
        payload: isText ? JSON.stringify({ transaction: body.toString('base64') }) : body,
      });
      const { statusCode } = response;
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
      if (statusCode !== 200 && (statusCode < 400 || statusCode > 499)) {
        expect.unreachable(`${statusCode} for ${kind} ${index} of ${SEED}${query}: ${body.toString('hex')}`);
      }
      // Whatever is answered is JSON.
      JSON.parse(response.body);
    }
    const growth = heapBytes() - before;
    await app.close();
    expect(growth).toBeLessThan(MAX_GROWTH_BYTES);
    // Otherwise the bodies were all too good or all too bad to find anything.
    expect([...statuses.keys()].toSorted()).toEqual([200, 400]);
    for (const count of statuses.values()) expect(count).toBeGreaterThan(BODIES / 20);

    function draw(): { readonly kind: string; readonly body: Buffer } {
      const choice = random.below(6);
      if (choice === 0) return { kind: 'random bytes', body: Buffer.from(random.bytes(random.below(300))) };
      const member = TRANSACTION_MEMBERS[random.below(TRANSACTION_MEMBERS.length)] ?? 'cryptoTransfer';
      const { payload } = randomTransaction(member, random);
      return choice < 3
        ? { kind: member, body: payload }
        : { kind: `changed ${member}`, body: mutateBytes(payload, random) };
    }
  });
});
