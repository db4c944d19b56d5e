import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ALIAS, EVM_ADDRESS, explorerLedger, START } from '../../../test/kit/mirror/explorer-ledger.ts';
import { buildMirrorApp, type MirrorApp } from '../../../test/kit/mirror/mirror-app.ts';
import * as fc from '../../../test/support/properties.ts';
import { consensusTimestamp } from '../../values/consensus-timestamp.ts';
import { entityId } from '../../values/entity-id.ts';
import { fixtureUnit } from '../ledger/fixture-unit.ts';

interface Balances {
  readonly timestamp: string | null;
  readonly balances: readonly {
    readonly account: string;
    readonly balance: number;
    readonly tokens: readonly { readonly token_id: string }[];
  }[];
  readonly links: { readonly next: string | null };
}

let spec: MirrorApp;
let hiero: MirrorApp;
let empty: MirrorApp;
beforeAll(async () => {
  spec = await buildMirrorApp();
  hiero = await buildMirrorApp({ dialect: 'hiero' });
  empty = await buildMirrorApp();
  for (const { area } of [spec, hiero]) {
    for (const unit of explorerLedger()) await area.ledger.commitUnit(unit);
  }
});
afterAll(async () => {
  for (const mirror of [spec, hiero, empty]) await mirror.close();
});

const read = async (query: string, mirror = spec) => {
  const answer = await mirror.app.inject(`/api/v1/balances${query}`);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json() as Balances;
};
const pairs = async (query: string, mirror = spec) =>
  (await read(query, mirror)).balances.map(({ account, balance }) => [account.slice(4), balance]);

describe('GET /api/v1/balances', () => {
  test('shows as many tokens of each account as the operator says', async () => {
    const few = await buildMirrorApp({ tokensInLists: 1 });
    try {
      for (const unit of explorerLedger()) await few.area.ledger.commitUnit(unit);
      const { balances } = await read('?account.id=0.0.1001', few);
      expect(balances[0]?.tokens).toEqual([{ token_id: '0.0.91', balance: 0 }]);
    } finally {
      await few.close();
    }
  });

  test('lists the newest balances with their tokens, as far as they are known', async () => {
    expect(await read('')).toEqual({
      timestamp: '1700001000.000000000',
      balances: [
        { account: '0.0.2001', balance: null, tokens: [] },
        { account: '0.0.1003', balance: null, tokens: [] },
        { account: '0.0.1002', balance: -400, tokens: [{ token_id: '0.0.90', balance: 20 }] },
        {
          account: '0.0.1001',
          balance: 399,
          tokens: [
            { token_id: '0.0.91', balance: 0 },
            { token_id: '0.0.90', balance: 50 },
          ],
        },
        { account: '0.0.98', balance: 1, tokens: [] },
      ],
      links: { next: null },
    });
  });

  test('lists the tokens of an account in the order of the accounts, now and at a time', async () => {
    for (const time of ['', '&timestamp=1700001000']) {
      for (const [order, tokens] of [
        ['asc', ['0.0.90', '0.0.91']],
        ['desc', ['0.0.91', '0.0.90']],
      ] as const) {
        const { balances } = await read(`?account.id=1001&order=${order}${time}`);
        expect(balances[0]?.tokens.map(({ token_id }) => token_id)).toEqual(tokens);
      }
    }
  });

  test('with a time is the newest snapshot that meets the conditions', async () => {
    const snapshot = {
      timestamp: '1700001000.000000000',
      balances: [
        {
          account: '0.0.1001',
          balance: 399,
          tokens: [
            { token_id: '0.0.91', balance: 0 },
            { token_id: '0.0.90', balance: 50 },
          ],
        },
      ],
      links: { next: null },
    };
    for (const time of ['1700001000', 'ne:5', 'lt:9999999999', 'gte:1700001000']) {
      expect(await read(`?account.id=1001&timestamp=${time}`)).toEqual(snapshot);
    }
    for (const time of ['1700000999', 'ne:1700001000', 'gt:1700001000', 'lt:5&timestamp=gt:9', 'lt:0']) {
      expect(await read(`?timestamp=${time}`)).toEqual({
        timestamp: null,
        balances: [],
        links: { next: null },
      });
    }
  });

  test.each([
    ['?account.id=0.0.1001', [['1001', 399]]],
    [`?account.id=${EVM_ADDRESS}`, [['1001', 399]]],
    [`?account.id=${ALIAS}`, [['1001', 399]]],
    [`?account.id=${'A'.repeat(32)}`, []],
    [
      '?account.id=98&account.id=1001&order=asc',
      [
        ['98', 1],
        ['1001', 399],
      ],
    ],
    ['?account.id=gt:98&account.id=lt:1002', [['1001', 399]]],
    [
      '?account.id=ne:1001',
      [
        ['2001', null],
        ['1003', null],
        ['1002', -400],
        ['98', 1],
      ],
    ],
    ['?account.id=0.0.5', []],
    // Known from its creation, but with nothing that moved it.
    ['?account.id=0.0.1003', [['1003', null]]],
    ['?account.id=0.0.1003&account.balance=gte:0', []],
    ['?account.id=0.0.1003&timestamp=1700001000', []],
    ['?account.balance=399', [['1001', 399]]],
    ['?account.balance=gte:1&limit=1', [['1001', 399]]],
    ['?account.balance=lt:399&account.balance=gt:0', [['98', 1]]],
    ['?account.balance=ne:399&account.id=1001', []],
    ['?account.balance=399&account.balance=1', []],
    ['?account.balance=gt:5&account.balance=lt:3', []],
  ])('%s lists %j', async (query, expected) => {
    expect(await pairs(query)).toEqual(expected);
  });

  test.each([
    [
      '?limit=1',
      '/api/v1/balances?limit=1&account.id=lt:0.0.2001',
      '/api/v1/balances?limit=1&account.id=lt:0.0.2001',
    ],
    ['?limit=5', null, '/api/v1/balances?limit=5&account.id=lt:0.0.98'],
    ['?limit=1&account.id=1001', null, null],
    ['?limit=1&account.id=gte:2001', null, null],
    [
      '?limit=1&account.id=98&account.id=1001',
      '/api/v1/balances?limit=1&account.id=98&account.id=1001&account.id=lt:0.0.1001',
      '/api/v1/balances?limit=1&account.id=98&account.id=1001&account.id=lt:0.0.1001',
    ],
  ])('%s is followed by %s, in the other dialect by %s', async (query, inSpec, inHiero) => {
    expect((await read(query)).links.next).toBe(inSpec);
    expect((await read(query, hiero)).links.next).toBe(inHiero);
  });

  test('of accounts whose balances are not known has the least time', async () => {
    expect(await read('?account.id=1003')).toEqual({
      timestamp: '0.000000000',
      balances: [{ account: '0.0.1003', balance: null, tokens: [] }],
      links: { next: null },
    });
  });

  test('a list without accounts has no time', async () => {
    for (const query of ['?account.id=0.0.5', '?account.balance=5', '?account.id=gt:5&account.id=lt:3']) {
      expect(await read(query)).toEqual({ timestamp: null, balances: [], links: { next: null } });
    }
  });

  test('an empty ledger has no time', async () => {
    expect(await read('', empty)).toEqual({ timestamp: null, balances: [], links: { next: null } });
  });

  test.each([
    ['?account.id=x', 'Invalid parameter: account.id'],
    ['?account.balance=-1', 'Invalid parameter: account.balance'],
    ['?account.balance=9223372036854775808', 'Invalid parameter: account.balance'],
    ['?limit=101', 'Invalid parameter: limit'],
    ['?account.publickey=5', 'Invalid parameter: account.publickey'],
  ])('%s is refused: %s', async (query, message) => {
    const answer = await spec.app.inject(`/api/v1/balances${query}`);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({ _status: { messages: [{ message }] } });
  });

  test.each([
    [`?account.id=${EVM_ADDRESS}&account.id=${ALIAS}`, 'Only one EVM address or alias is allowed.'],
    [`?account.id=gt:${EVM_ADDRESS}`, 'EVM address or alias only supports equals operator'],
    [`?account.id=ne:${ALIAS}`, 'EVM address or alias only supports equals operator'],
  ])('%s is refused, and told why: %s', async (query, detail) => {
    const answer = await spec.app.inject(`/api/v1/balances${query}`);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({
      _status: { messages: [{ message: 'Invalid parameter: account.id', detail }] },
    });
  });

  test('faults are told in the order of the query', async () => {
    const answer = await spec.app.inject(`/api/v1/balances?limit=x&other=1&account.id=0.0.${EVM_ADDRESS}`);
    const messages = answer.json()._status.messages.map(({ message }: { message: string }) => message);
    expect(messages).toEqual([
      'Invalid parameter: limit',
      'Unknown query parameter: other',
      'Invalid parameter: account.id',
    ]);
  });

  test('following the links visits what a naive scan selects, also through many accounts', async () => {
    const mirror = await buildMirrorApp();
    try {
      const known = Array.from(
        { length: 2500 },
        (_, index) => [BigInt(index + 1), BigInt((index * 7) % 100)] as const,
      );
      await mirror.area.ledger.commitUnit(
        fixtureUnit('many', {
          balances: known.map(([num, balance]) => ({
            account: entityId(num),
            balance,
            timestamp: consensusTimestamp(START),
          })),
        }),
      );
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom('asc', 'desc'),
          fc.integer({ min: 0, max: 99 }),
          fc.constantFrom('', '&timestamp=lte:1700000000'),
          async (order, balance, time) => {
            const seen: unknown[] = [];
            let next: string | null =
              `/api/v1/balances?limit=40&order=${order}&account.balance=${balance}${time}`;
            while (next !== null) {
              const page: Balances = (await mirror.app.inject(next)).json();
              seen.push(...page.balances.map(({ account }) => account));
              next = page.links.next;
            }
            const expected = known
              .filter(([, each]) => each === BigInt(balance))
              .map(([num]) => `0.0.${num}`);
            expect(seen).toEqual(order === 'asc' ? expected : expected.reverse());
          },
        ),
        { numRuns: 20 },
      );
    } finally {
      await mirror.close();
    }
  });
});
