import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aToken } from '../../../test/kit/mirror/ledger/a-token.ts';
import { aTransaction } from '../../../test/kit/mirror/ledger-rows.ts';
import { buildMirrorApp, type MirrorApp } from '../../../test/kit/mirror/mirror-app.ts';
import { consensusTimestamp } from '../../values/consensus-timestamp.ts';
import { entityId } from '../../values/entity-id.ts';
import type { StatedRelation } from '../ledger/facets/stated-relations.ts';
import { fixtureUnit } from '../ledger/fixture-unit.ts';
import type { EntityAlias } from '../ledger/rows.ts';
import { messages } from '../protobuf/messages.ts';

const START = 1_700_000_000_000_000_000n;
const TOKEN = entityId(90n);
const ACCOUNTS = Array.from({ length: 2500 }, (_, index) => BigInt(index + 1001));
const KEY = 'ab'.repeat(32);
/** A contract has it too. */
const SHARED_KEY = 'cd'.repeat(32);
const CONTRACT = 3000n;
const ADDRESS = 'ee'.repeat(20);
const balanceOf = (account: bigint) => account % 100n;
const keyOf = (hex: string) => messages.Key.encode({ ed25519: Buffer.from(hex, 'hex') });

interface Balances {
  readonly timestamp: string | null;
  readonly balances: readonly { readonly account: string; readonly balance: number }[];
  readonly links: { readonly next: string | null };
}

const relation = (account: bigint, changes: Partial<StatedRelation> = {}): StatedRelation => ({
  account: entityId(account),
  token: TOKEN,
  isAssociated: true,
  isAutomatic: false,
  createdTimestamp: consensusTimestamp(START),
  freezeStatus: null,
  kycStatus: null,
  balance: balanceOf(account),
  balanceTimestamp: consensusTimestamp(START + account),
  ...changes,
});
const entity = (account: bigint, evmAddress: string | null = null): EntityAlias => ({
  entity: entityId(account),
  type: account === CONTRACT ? 'CONTRACT' : 'ACCOUNT',
  alias: null,
  evmAddress: evmAddress === null ? null : Buffer.from(evmAddress, 'hex'),
  createdTimestamp: null,
});

let spec: MirrorApp;
let hiero: MirrorApp;
beforeAll(async () => {
  spec = await buildMirrorApp();
  hiero = await buildMirrorApp({ dialect: 'hiero' });
  const unit = fixtureUnit('holders', {
    transactions: [aTransaction(START)],
    entities: [entity(1001n, ADDRESS), entity(1002n), entity(CONTRACT)],
    entityChanges: [
      { entity: entityId(1001n), key: keyOf(KEY), isDeleted: false },
      { entity: entityId(1002n), key: keyOf(SHARED_KEY) },
      { entity: entityId(CONTRACT), key: keyOf(SHARED_KEY) },
    ],
    statedRelations: [
      ...ACCOUNTS.map((account) => relation(account)),
      relation(5n, { isAssociated: false }),
      relation(6n, { balance: null }),
      relation(1001n, { token: entityId(91n), balance: 7n }),
    ],
  });
  for (const { area } of [spec, hiero]) await area.ledger.commitUnit(unit);
});
afterAll(async () => {
  for (const mirror of [spec, hiero]) await mirror.close();
});

const read = async (path: string, mirror = spec): Promise<Balances> => {
  const answer = await mirror.app.inject(`/api/v1/tokens/${path}`);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};
const pairs = async (query: string) =>
  (await read(`90/balances${query}`)).balances.map(({ account, balance }) => [account, balance]);
const shown = (...accounts: readonly bigint[]) =>
  accounts.map((account) => [`0.0.${account}`, Number(balanceOf(account))]);

describe('GET /api/v1/tokens/{tokenId}/balances', () => {
  test('lists the holders with the time of the newest change among them', async () => {
    expect(await read('0.0.90/balances?limit=2')).toEqual({
      timestamp: '1700000000.000003500',
      balances: [
        { account: '0.0.3500', balance: 0, decimals: null },
        { account: '0.0.3499', balance: 99, decimals: null },
      ],
      links: { next: '/api/v1/tokens/0.0.90/balances?limit=2&account.id=lt:0.0.3499' },
    });
  });

  test.each<[string, readonly (readonly (string | number)[])[]]>([
    // Given up, or without a known balance.
    ['?account.id=lt:1001', []],
    ['?account.id=lte:1002&order=asc', shown(1001n, 1002n)],
    ['?account.id=1001', shown(1001n)],
    ['?account.id=1001&account.id=1002', []],
    ['?account.id=1001&account.id=gte:1001', shown(1001n)],
    ['?account.id=lt:1004&account.id=ne:1002', shown(1003n, 1001n)],
    [`?account.id=${ADDRESS}`, shown(1001n)],
    [`?account.id=${'ff'.repeat(20)}`, []],
    ['?account.balance=99&limit=2', shown(3499n, 3399n)],
    ['?account.balance=gte:98&account.balance=ne:99&limit=1', shown(3498n)],
    ['?account.balance=1&account.balance=2', []],
    ['?account.balance=gt:99', []],
    [`?account.publickey=${KEY}`, shown(1001n)],
    [`?account.publickey=${SHARED_KEY}`, shown(1002n)],
    [`?account.publickey=${KEY}&account.publickey=0x${SHARED_KEY}`, shown(1002n)],
    [`?account.publickey=gte:${KEY}`, shown(1002n, 1001n)],
    [`?account.publickey=gte:${KEY}&account.id=1001`, shown(1001n)],
    [`?account.publickey=${KEY}&account.balance=5`, []],
    ['?timestamp=gt:2&timestamp=lt:1', []],
  ])('%s lists %j', async (query, expected) => {
    expect(await pairs(query)).toEqual(expected);
  });

  test.each(['asc', 'desc'] as const)(
    'following the links in order %s visits every holder once',
    async (order) => {
      for (const mirror of [spec, hiero]) {
        const seen: unknown[] = [];
        let next: string | null = `/api/v1/tokens/90/balances?limit=10&account.balance=7&order=${order}`;
        while (next !== null) {
          const page: Balances = await read(next.slice('/api/v1/tokens/'.length), mirror);
          seen.push(...page.balances.map(({ account }) => account));
          next = page.links.next;
        }
        const expected = ACCOUNTS.filter((account) => balanceOf(account) === 7n).map(
          (account) => `0.0.${account}`,
        );
        expect(seen).toEqual(order === 'asc' ? expected : expected.reverse());
      }
    },
  );

  test('of an unknown token is empty, without a time', async () => {
    expect(await read('4/balances')).toEqual({ timestamp: null, balances: [], links: { next: null } });
  });

  test.each([
    ['2abcd/balances?limit=0', 'Invalid parameter: tokenid'],
    [`${'ab'.repeat(20)}/balances`, 'Invalid parameter: tokenid'],
    ['90/balances?account.balance=-1', 'Invalid parameter: account.balance'],
    ['90/balances?account.balance=9223372036854775808', 'Invalid parameter: account.balance'],
    ['90/balances?account.id=x', 'Invalid parameter: account.id'],
    ['90/balances?limit=101', 'Invalid parameter: limit'],
    ['90/balances?token.id=5', 'Unknown query parameter: token.id'],
  ])('%s is refused: %s', async (path, message) => {
    const answer = await spec.app.inject(`/api/v1/tokens/${path}`);
    expect([answer.statusCode, answer.json()]).toEqual([400, { _status: { messages: [{ message }] } }]);
  });

  test('with a time shows who held the token at the snapshot', async () => {
    const mirror = await buildMirrorApp();
    const later = (minutes: bigint) => START + minutes * 60_000_000_000n;
    const moved = (time: bigint, ...amounts: readonly (readonly [bigint, bigint])[]) =>
      aTransaction(time, {
        tokenTransfers: amounts.map(([account, amount]) => ({
          token: TOKEN,
          account: entityId(account),
          amount,
          isApproval: false,
        })),
      });
    const given = { account: entityId(7n), token: TOKEN, consensusTimestamp: consensusTimestamp(later(40n)) };
    const units = [
      fixtureUnit('a', { transactions: [moved(START, [5n, 100n])] }),
      fixtureUnit('b', { transactions: [moved(later(3n), [5n, -30n], [7n, 30n])] }),
      fixtureUnit('c', {
        transactions: [
          moved(later(20n), [7n, -30n], [5n, 30n]),
          aTransaction(later(40n)),
          aTransaction(later(60n)),
        ],
        tokenRelations: [{ ...given, isAssociated: false }],
      }),
    ];
    for (const unit of units) await mirror.area.ledger.commitUnit(unit);
    const held = async (query: string) => {
      const { balances, timestamp } = await read(`90/balances${query}`, mirror);
      return [timestamp, ...balances.map(({ account, balance }) => `${account}:${balance}`)];
    };
    expect(await held('')).toEqual(['1700001200.000000000', '0.0.5:100']);
    expect(await held('?timestamp=1700000900')).toEqual(['1700000180.000000000', '0.0.7:30', '0.0.5:70']);
    expect(await held('?timestamp=1700000900&account.balance=lt:50')).toEqual([
      '1700000180.000000000',
      '0.0.7:30',
    ]);
    expect(await held('?timestamp=9999999999')).toEqual(['1700003600.000000000', '0.0.5:100']);
    expect(await held('?timestamp=1600000000')).toEqual([null]);
    await mirror.close();
  });
});

test.each([1, 4])(
  'of what an old treasury had unknown, the new one has unknown and the old one nothing, %i at a time',
  async (size) => {
    const mirror = await buildMirrorApp();
    const moved = (at: bigint, sender: bigint, receiver: bigint, serial: bigint) =>
      aTransaction(START + at, {
        nftTransfers: [
          { token: TOKEN, sender: entityId(sender), receiver: entityId(receiver), serial, isApproval: false },
        ],
      });
    const transactions = [
      // Of before the ledger, so that nobody knows what else 0.0.5 has.
      moved(10n, 5n, 7n, 1n),
      moved(20n, 7n, 6n, 1n),
      moved(30n, 5n, 6n, -1n),
      moved(40n, 6n, 5n, 2n),
    ];
    for (let first = 0; first < transactions.length; first += size) {
      const some = transactions.slice(first, first + size);
      await mirror.area.ledger.commitUnit(fixtureUnit(`from ${first}`, { transactions: some }));
    }
    const { json } = await mirror.app.inject('/api/v1/tokens/0.0.90/balances?order=asc');
    const rows = json().balances as readonly { readonly account: string; readonly balance: number }[];
    expect(rows.map(({ account, balance }) => [account, balance])).toEqual([
      ['0.0.5', 1],
      ['0.0.7', 0],
    ]);
    await mirror.close();
  },
);

test.each([1, 2, 5])(
  'a balance that goes below zero began before the ledger: it is not known from then on, %i at a time',
  async (size) => {
    const mirror = await buildMirrorApp();
    const fungible = (account: bigint, amount: bigint) => ({
      ...{ token: TOKEN, account: entityId(account), amount, isApproval: false },
    });
    const nft = { token: entityId(91n), sender: entityId(5n), receiver: entityId(6n), serial: 1n };
    const day = 86_400_000_000_000n;
    const transactions = [
      aTransaction(START + 10n, {
        tokenTransfers: [fungible(7n, -5n), fungible(7n, 8n), fungible(8n, -3n)],
      }),
      aTransaction(START + 20n, { tokenTransfers: [fungible(5n, -100n), fungible(6n, 100n)] }),
      aTransaction(START + 30n, { nftTransfers: [{ ...nft, isApproval: false }] }),
      aTransaction(START + 40n, { tokenTransfers: [fungible(5n, 300n), fungible(8n, 1n)] }),
      aTransaction(START + day, { transfers: [{ account: entityId(5n), amount: 1n, isApproval: false }] }),
    ];
    for (let first = 0; first < transactions.length; first += size) {
      const some = transactions.slice(first, first + size);
      const tokens = first === 0 ? [aToken(90n, START + 1n)] : [];
      const entities = first === 0 ? [{ ...entity(90n), type: 'TOKEN' as const }] : [];
      await mirror.area.ledger.commitUnit(
        fixtureUnit(`from ${first}`, { transactions: some, tokens, entities }),
      );
    }
    const ask = async (path: string) => (await mirror.app.inject(`/api/v1/${path}`)).json();
    const of = async (path: string) =>
      (await ask(`tokens/0.0.${path}`)).balances.map(
        (row: { readonly account: string; readonly balance: number }) => [row.account, row.balance],
      );
    expect(await of('90/balances?order=asc')).toEqual([
      ['0.0.6', 100],
      ['0.0.7', 3],
    ]);
    expect(await of('91/balances')).toEqual([['0.0.6', 1]]);
    expect((await ask('accounts/0.0.5')).balance.tokens).toEqual([]);
    expect((await ask('tokens?account.id=0.0.5')).tokens).toMatchObject([{ token_id: '0.0.90' }]);
    expect((await ask('balances?account.id=0.0.5')).balances.map(({ tokens }: never) => tokens)).toEqual([
      [],
    ]);
    for (const path of ['accounts/0.0.5/tokens', `balances?timestamp=${1_700_000_000 + 86_400 + 1}`]) {
      expect(JSON.stringify(await ask(path))).not.toMatch(/"balance":-/);
    }
    await mirror.close();
  },
);
