import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aTransaction, aTransfer } from '../../../test/kit/mirror/ledger-rows.ts';
import { buildMirrorApp, type MirrorApp } from '../../../test/kit/mirror/mirror-app.ts';
import { consensusTimestamp } from '../../values/consensus-timestamp.ts';
import { entityId } from '../../values/entity-id.ts';
import { fixtureUnit } from '../ledger/fixture-unit.ts';

const START = 1_700_000_000_000_000_000n;
const account = entityId(1001n);

let spec: MirrorApp;
let hiero: MirrorApp;
beforeAll(async () => {
  spec = await buildMirrorApp();
  hiero = await buildMirrorApp({ dialect: 'hiero' });
  const transactions = [1n, 2n].map((offset) =>
    aTransaction(START + offset, {
      transfers: [aTransfer(800n, -offset), aTransfer(1001n, offset)],
      stakingRewards: [
        { account, amount: offset },
        { account: entityId(1002n), amount: 50n },
      ],
    }),
  );
  const statedRewards = [{ account, amount: 3n, consensusTimestamp: consensusTimestamp(START + 3n) }];
  for (const { area } of [spec, hiero]) {
    await area.ledger.commitUnit(fixtureUnit('rewards', { transactions, statedRewards }));
  }
});
afterAll(async () => {
  for (const mirror of [spec, hiero]) await mirror.close();
});

const get = (query: string, { app } = spec) => app.inject(`/api/v1/accounts/${query}`);

describe('GET /api/v1/accounts/{id}/rewards', () => {
  test('lists what was paid, the newest first', async () => {
    const answer = await get('0.0.1001/rewards');
    expect(answer.headers['cache-control']).toBe('public, max-age=60');
    expect(answer.json()).toEqual({
      rewards: [3, 2, 1].map((amount) => ({
        account_id: '0.0.1001',
        amount,
        timestamp: `1700000000.00000000${amount}`,
      })),
      links: { next: null },
    });
  });

  test.each([
    ['?order=asc', [1, 2, 3]],
    ['?timestamp=1700000000.000000001&timestamp=1700000000.000000003', [3, 1]],
    ['?timestamp=1700000000.000000001&timestamp=gt:1700000000.000000002', []],
    ['?timestamp=gte:1700000000.000000002&timestamp=lt:1700000000.000000003', [2]],
    ['?timestamp=gt:5&timestamp=lt:4', []],
    ['?limit=2', [3, 2]],
  ])('%s lists %j', async (query, amounts) => {
    const { rewards } = (await get(`1001/rewards${query}`)).json();
    expect(rewards.map(({ amount }: { amount: number }) => amount)).toEqual(amounts);
  });

  test.each([
    ['?limit=2', 'lt:1700000000.000000002', 'lt:1700000000.000000002'],
    ['?limit=3', null, 'lt:1700000000.000000001'],
  ])('%s is followed by %s, in the other dialect by %s', async (query, inSpec, inHiero) => {
    const link = (bound: string | null) =>
      bound === null ? null : `/api/v1/accounts/1001/rewards${query}&timestamp=${bound}`;
    expect((await get(`1001/rewards${query}`)).json().links.next).toBe(link(inSpec));
    expect((await get(`1001/rewards${query}`, hiero)).json().links.next).toBe(link(inHiero));
  });

  test('needs an account that the ledger knows', async () => {
    expect((await get('0.0.5/rewards?limit=x')).statusCode).toBe(404);
    expect((await get('0.0.800/rewards')).json()).toEqual({ rewards: [], links: { next: null } });
  });

  test('ne is refused', async () => {
    const answer = await get('1001/rewards?timestamp=ne:5');
    expect(answer.statusCode).toBe(400);
    expect(answer.json()._status.messages).toEqual([
      { message: 'Not equals (ne) operator is not supported for timestamp' },
    ]);
  });
});
