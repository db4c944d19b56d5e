import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EC, ED } from '../../../test/kit/mirror/keyed-ledger.ts';
import { buildMirrorApp, type MirrorApp } from '../../../test/kit/mirror/mirror-app.ts';
import * as fc from '../../../test/support/properties.ts';
import { consensusTimestamp } from '../../values/consensus-timestamp.ts';
import { entityId } from '../../values/entity-id.ts';
import { fixtureUnit } from '../ledger/fixture-unit.ts';
import type { EntityType } from '../ledger/rows.ts';

const MEMO = 'Mirror node created synthetic treasury account';
/** Number, kind, tinybars, serialized key. */
const ENTITIES: readonly (readonly [num: bigint, type: EntityType, balance: bigint | null, key: string])[] = [
  [3n, 'ACCOUNT', 30n, `1220${ED}`],
  [5n, 'TOKEN', null, `1220${ED}`],
  [6n, 'TOPIC', null, '3200'],
  [7n, 'CONTRACT', 70n, `3a21${EC}`],
  [8n, 'SCHEDULE', null, '3200'],
  [9n, 'ACCOUNT', null, `1220${ED}`],
  [12n, 'ACCOUNT', 120n, '3200'],
  [15n, 'ACCOUNT', 70n, '3200'],
];

let spec: MirrorApp;
let hiero: MirrorApp;
beforeAll(async () => {
  spec = await buildMirrorApp();
  hiero = await buildMirrorApp({ dialect: 'hiero' });
  const unit = fixtureUnit('accounts', {
    entities: ENTITIES.map(([num, type]) => ({
      ...{ entity: entityId(num), type, alias: null, evmAddress: null },
      createdTimestamp: consensusTimestamp(num),
    })),
    entityChanges: ENTITIES.map(([num, type, , key]) => ({
      ...{ entity: entityId(num), type, changedTimestamp: consensusTimestamp(num) },
      key: Buffer.from(key, 'hex'),
      isDeleted: num === 12n,
    })),
    balances: ENTITIES.flatMap(([num, , balance]) =>
      balance === null ? [] : [{ account: entityId(num), balance, timestamp: consensusTimestamp(20n) }],
    ),
    tokenBalances: [5n, 6n].map((token) => ({
      ...{ account: entityId(7n), token: entityId(token), balance: token },
      timestamp: consensusTimestamp(20n),
    })),
  });
  for (const { area } of [spec, hiero]) await area.ledger.commitUnit(unit);
});
afterAll(async () => {
  for (const mirror of [spec, hiero]) await mirror.close();
});

interface Answer {
  readonly accounts: readonly {
    readonly account: string;
    readonly balance: { readonly tokens: readonly object[] } | null;
  }[];
  readonly links: { readonly next: string | null };
}
const get = async (path: string, mirror = spec): Promise<Answer> => {
  const answer = await mirror.app.inject(path);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json() as Answer;
};
const numbers = ({ accounts }: Answer) => accounts.map(({ account }) => Number(account.slice(4)));
const list = async (query: string, mirror = spec) => numbers(await get(`/api/v1/accounts${query}`, mirror));

describe('GET /api/v1/accounts', () => {
  test.each([
    ['', [3, 7, 9, 12, 15]],
    ['?order=desc', [15, 12, 9, 7, 3]],
    ['?account.id=7&account.id=5&account.id=12', [7, 12]],
    ['?account.id=gt:3&account.id=lte:12&account.id=ne:9', [7, 12]],
    ['?account.balance=70', [7, 15]],
    ['?account.balance=gte:70&account.balance=lt:120&order=desc', [15, 7]],
    ['?account.balance=ne:70', [3, 12]],
    ['?account.balance=1&account.balance=30', []],
    ['?account.balance=30&account.balance=gte:30&account.balance=30', [3]],
    ['?account.balance=gt:5&account.balance=lt:3', []],
    ['?account.balance=1&balance=false', [3, 7, 9, 12, 15]],
    [`?account.publickey=${ED}`, [3, 9]],
    [`?account.publickey=0x${ED.toUpperCase()}&account.id=gt:3`, [9]],
    [`?account.publickey=gte:${EC}&account.publickey=lt:${ED}`, [7]],
    [`?account.publickey=${ED}&account.publickey=${EC}`, []],
    ['?account.id=0x0000000000000000000000000000000000000007', [7]],
    [`?account.id=${'ee'.repeat(20)}`, []],
    ['?account.id=gt:15', []],
  ])('%s lists %j', async (query, expected) => {
    expect(await list(query)).toEqual(expected);
    expect(await list(query, hiero)).toEqual(expected);
  });

  test('shows the tokens of each account in the order of the list, and no balance when none is asked for', async () => {
    const [up, down] = await Promise.all(
      ['asc', 'desc'].map((order) => get(`/api/v1/accounts?account.id=7&order=${order}`)),
    );
    const tokens = [
      { token_id: '0.0.5', balance: 5 },
      { token_id: '0.0.6', balance: 6 },
    ];
    expect(up?.accounts[0]?.balance).toEqual({ balance: 70, timestamp: '0.000000020', tokens });
    expect(down?.accounts[0]?.balance?.tokens).toEqual([...tokens].reverse());
    expect((await get('/api/v1/accounts?account.id=7&balance=FALSE')).accounts[0]?.balance).toBeNull();
  });

  test('is walked by its links, with every account once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(spec, hiero),
        fc.integer({ min: 1, max: 6 }),
        fc.constantFrom('asc', 'desc'),
        fc.constantFrom(
          '',
          '&account.balance=gt:0',
          '&account.id=gte:5&account.id=lt:15',
          '&account.id=3&account.id=9',
        ),
        async (mirror, limit, order, filter) => {
          const whole = await list(`?order=${order}${filter}`, mirror);
          const seen: number[] = [];
          let next: string | null = `/api/v1/accounts?limit=${limit}&order=${order}${filter}`;
          for (let pages = 0; next !== null; pages++) {
            expect(pages).toBeLessThan(10);
            const answer: Answer = await get(next, mirror);
            seen.push(...numbers(answer));
            next = answer.links.next;
          }
          expect(seen).toEqual(whole);
        },
      ),
      { numRuns: 40 },
    );
  });

  test.each([
    [
      '?token.id=5&limit=x&account.balance=5000000000000000001',
      'Unknown query parameter: token.id',
      'Invalid parameter: limit',
      'Invalid parameter: account.balance',
    ],
    ['?balance=maybe&account.id=x', 'Invalid parameter: balance', 'Invalid parameter: account.id'],
    ['?account.publickey=12', 'Invalid parameter: account.publickey'],
    ['?account.balance=-1', 'Invalid parameter: account.balance'],
  ])('%s is told all its faults as the query names them', async (query, ...told) => {
    const answer = await spec.app.inject(`/api/v1/accounts${query}`);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({ _status: { messages: told.map((message) => ({ message })) } });
  });
});

test('a treasury that another mirror made up is hidden where balances show', async () => {
  const mirror = await buildMirrorApp();
  await mirror.area.ledger.commitUnit(
    fixtureUnit('treasury', {
      entityChanges: [2n, 3n, 4n].map((num) => ({
        ...{ entity: entityId(num), type: 'ACCOUNT' as const, changedTimestamp: consensusTimestamp(1n) },
        memo: MEMO,
      })),
    }),
  );
  expect(await list('?limit=2', mirror)).toEqual([3, 4]);
  expect(await list('?balance=false', mirror)).toEqual([2, 3, 4]);
  expect((await mirror.app.inject('/api/v1/accounts/2')).statusCode).toBe(404);
  expect((await mirror.app.inject('/api/v1/accounts/3')).statusCode).toBe(200);
  await mirror.close();
});
