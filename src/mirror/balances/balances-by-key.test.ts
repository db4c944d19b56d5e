import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { START } from '../../../test/kit/mirror/explorer-ledger.ts';
import { DER, EC, ED, KEYS, ledgerOf, OTHER } from '../../../test/kit/mirror/keyed-ledger.ts';
import { buildMirrorApp, type MirrorApp } from '../../../test/kit/mirror/mirror-app.ts';
import * as fc from '../../../test/support/properties.ts';
import { consensusTimestamp } from '../../values/consensus-timestamp.ts';
import { entityId } from '../../values/entity-id.ts';
import { fixtureUnit } from '../ledger/fixture-unit.ts';

interface Balances {
  readonly timestamp: string | null;
  readonly balances: readonly { readonly account: string; readonly balance: number }[];
  readonly links: { readonly next: string | null };
}

let spec: MirrorApp;
let hiero: MirrorApp;
beforeAll(async () => {
  spec = await buildMirrorApp();
  hiero = await buildMirrorApp({ dialect: 'hiero' });
  for (const { area } of [spec, hiero]) await area.ledger.commitUnit(ledgerOf(KEYS));
});
afterAll(async () => {
  for (const mirror of [spec, hiero]) await mirror.close();
});

const read = async (url: string, { app } = spec) => {
  const answer = await app.inject(url);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json() as Balances;
};
const list = async (query: string, mirror = spec) =>
  (await read(`/api/v1/balances?${query}`, mirror)).balances.map(({ account }) => Number(account.slice(4)));

describe('GET /api/v1/balances?account.publickey=', () => {
  test('lists accounts and contracts with the key, also as the only member of a list or threshold', async () => {
    const expected = {
      timestamp: '1700000000.000000000',
      balances: [10, 9, 8].map((num) => ({ account: `0.0.${num}`, balance: num, tokens: [] })),
      links: { next: null },
    };
    for (const mirror of [spec, hiero]) {
      for (const time of ['', '&timestamp=1700000005']) {
        expect(await read(`/api/v1/balances?account.publickey=${ED}${time}`, mirror)).toEqual(expected);
      }
    }
  });

  test.each([
    ['account.publickey', `0x${ED}`, [10, 9, 8]],
    ['account.publicKey', ED.toUpperCase(), [10, 9, 8]],
    ['account.publickey', DER, [10, 9, 8]],
    ['account.publickey', `eq:0x${DER.toUpperCase()}`, [10, 9, 8]],
    ['account.publickey', EC, [13, 12, 11]],
    ['account.publickey', `0x${EC}`, [13, 12, 11]],
    ['account.publickey', 'ab'.repeat(32), []],
    ['account.publickey', `302a300506032b6570042100${ED}`, []],
  ])('%s=%s lists %j', async (name, key, expected) => {
    for (const mirror of [spec, hiero]) expect(await list(`${name}=${key}`, mirror)).toEqual(expected);
  });

  test.each([
    [`account.publickey=${ED}&order=asc`, [8, 9, 10]],
    [`account.publickey=${ED}&account.id=gte:9`, [10, 9]],
    [`account.publickey=${ED}&account.id=ne:9`, [10, 8]],
    [`account.publickey=${ED}&account.id=8&account.id=11&account.id=10`, [10, 8]],
    [`account.publickey=${ED}&account.balance=lt:10`, [9, 8]],
    [`account.publickey=${ED}&account.balance=gt:8&timestamp=1700000000&order=asc`, [9, 10]],
    [`account.publickey=${ED}&timestamp=1600000000`, []],
    [`account.publickey=${ED}&account.publickey=${EC}`, []],
    [`account.publickey=${ED}&account.publickey=${DER}`, [10, 9, 8]],
    [`account.publickey=${ED}&account.publickey=gt:${EC}`, [10, 9, 8]],
    [`account.publickey=ne:${ED}`, [13, 12, 11, 7]],
    [`account.publickey=gt:${ED}`, [7]],
    [`account.publickey=gte:${ED}&account.id=lt:10`, [9, 8, 7]],
    [`account.publickey=lt:${ED}&account.id=12&account.id=8`, [12]],
    [`account.publickey=lte:${ED}&account.balance=10&timestamp=lt:9999999999`, [10]],
    [`account.publickey=gt:${OTHER}`, []],
    [`account.publickey=lte:${'ff'.repeat(44)}&limit=2`, [13, 12]],
  ])('%s lists %j', async (query, expected) => {
    for (const mirror of [spec, hiero]) expect(await list(query, mirror)).toEqual(expected);
  });

  test('is followed by the link of the dialect', async () => {
    const first = `/api/v1/balances?account.publickey=0x${ED}&limit=2`;
    const second = `${first}&account.id=lt:0.0.9`;
    for (const [mirror, last] of [
      [spec, null],
      [hiero, `${first}&account.id=lt:0.0.8`],
    ] as const) {
      expect((await read(first, mirror)).links.next).toBe(second);
      expect(await read(second, mirror)).toMatchObject({
        balances: [{ account: '0.0.8' }],
        links: { next: null },
      });
      const full = await read(
        `/api/v1/balances?account.publickey=0x${ED}&limit=1&account.id=lt:0.0.9`,
        mirror,
      );
      expect(full.links.next).toBe(last === null ? null : last.replace('limit=2', 'limit=1'));
    }
  });

  test.each(['abcdef', '-2', '', 'gt:', `0X${ED}`, `${ED}0`, `${ED.slice(1)}g`, `like:${ED}`])(
    '%j is refused by its name',
    async (key) => {
      for (const { app } of [spec, hiero]) {
        const answer = await app.inject(`/api/v1/balances?account.publickey=${key}`);
        expect(answer.statusCode).toBe(400);
        expect(answer.json()).toMatchObject({
          _status: { messages: [{ message: 'Invalid parameter: account.publickey' }] },
        });
      }
    },
  );

  test('follows an update to another key, and to none', async () => {
    const mirror = await buildMirrorApp();
    try {
      await mirror.area.ledger.commitUnit(ledgerOf(KEYS));
      const changed = consensusTimestamp(START + 5n);
      const change = (num: bigint, key: string) => ({
        entity: entityId(num),
        changedTimestamp: changed,
        key: Buffer.from(key, 'hex'),
      });
      await mirror.area.ledger.commitUnit(
        fixtureUnit('later', {
          balances: [{ account: entityId(7n), balance: 7n, timestamp: changed }],
          entityChanges: [change(7n, `1220${ED}`), change(8n, '3200'), change(9n, `3a21${EC}`)],
        }),
      );
      expect(await list(`account.publickey=${ED}`, mirror)).toEqual([10, 7]);
      expect(await list(`account.publickey=${EC}`, mirror)).toEqual([13, 12, 11, 9]);
    } finally {
      await mirror.close();
    }
  });

  test('following the links visits what a naive scan selects, of few and of many accounts', async () => {
    const mirror = await buildMirrorApp();
    const publicKey = (seed: bigint) => (seed % 10n).toString(16).padStart(2, '0').repeat(32);
    try {
      const known = Array.from({ length: 2600 }, (_, index) => {
        const num = BigInt(index + 1);
        // One key has most accounts, nine share the others.
        return [num, `1220${publicKey(num % 7n === 0n ? num : 3n)}`] as const;
      });
      await mirror.area.ledger.commitUnit(ledgerOf(known));
      const passes = (operator: string, key: string, bound: string) =>
        ({
          eq: key === bound,
          ne: key !== bound,
          gt: key > bound,
          gte: key >= bound,
          lt: key < bound,
          lte: key <= bound,
        })[operator] === true;
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom('asc', 'desc'),
          fc.constantFrom('', '&timestamp=lte:1700000000'),
          fc.array(
            fc.tuple(fc.constantFrom('eq', 'ne', 'gt', 'gte', 'lt', 'lte'), fc.bigInt({ min: 0n, max: 9n })),
            { minLength: 1, maxLength: 2 },
          ),
          fc.integer({ min: 0, max: 2600 }),
          async (order, time, conditions, least) => {
            const texts = conditions.map(
              ([operator, seed]) => `account.publickey=${operator}:${publicKey(seed)}`,
            );
            let next: string | null =
              `/api/v1/balances?limit=100&order=${order}&account.balance=gte:${least}&${texts.join('&')}${time}`;
            const seen: unknown[] = [];
            while (next !== null) {
              const page: Balances = await read(next, mirror);
              seen.push(...page.balances.map(({ account }) => account));
              next = page.links.next;
            }
            const expected = known
              .filter(([num]) => num >= BigInt(least))
              .filter(([, key]) =>
                conditions.every(([operator, seed]) => passes(operator, key.slice(4), publicKey(seed))),
              )
              .map(([num]) => `0.0.${num}`);
            expect(seen).toEqual(order === 'asc' ? expected : expected.reverse());
          },
        ),
        { numRuns: 40 },
      );
    } finally {
      await mirror.close();
    }
  });
});
