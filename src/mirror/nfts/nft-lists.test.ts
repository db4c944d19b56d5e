import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aTransaction } from '../../../test/kit/mirror/ledger-rows.ts';
import { buildMirrorApp, type MirrorApp } from '../../../test/kit/mirror/mirror-app.ts';
import * as fc from '../../../test/support/properties.ts';
import { consensusTimestamp } from '../../values/consensus-timestamp.ts';
import { entityId } from '../../values/entity-id.ts';
import { readFixture } from '../ingest/fixture/read-fixture.ts';
import type { NftStatement } from '../ledger/facets/nfts.ts';
import { fixtureUnit } from '../ledger/fixture-unit.ts';

const START = 1_700_000_000_000_000_000n;
const TOKENS = [501n, 502n, 503n];
const ACCOUNTS = [1001n, 1002n, 1003n];
const SPENDERS = [2001n, 2002n];
const ADDRESS = '00000000000000000000000000000000000003ea';

/** Every fifth was burned, every third is approved. */
const NFTS: readonly NftStatement[] = TOKENS.flatMap((token, one) =>
  Array.from({ length: 12 }, (_, index) => {
    const serial = BigInt(index + 1);
    const count = one * 12 + index;
    const isDeleted = count % 5 === 0;
    return {
      kind: 'statement',
      token: entityId(token),
      serial,
      account: isDeleted ? null : entityId(ACCOUNTS[count % 3] ?? 0n),
      spender: count % 3 === 1 ? entityId(SPENDERS[count % 2] ?? 0n) : null,
      delegatingSpender: null,
      createdTimestamp: count % 7 === 0 ? null : consensusTimestamp(START + BigInt(count)),
      changedTimestamp: consensusTimestamp(START + BigInt(count)),
      isDeleted,
      metadata: Buffer.from(`${token}/${serial}`),
    } as const;
  }),
);

const mirrors = new Map<string, MirrorApp>();

beforeAll(async () => {
  for (const dialect of ['spec', 'hiero'] as const) {
    const mirror = await buildMirrorApp({ dialect });
    const transactions = [aTransaction(START + 100n)];
    await mirror.area.ledger.commitUnit(fixtureUnit('nfts', { transactions, nfts: NFTS }));
    mirrors.set(dialect, mirror);
  }
});
afterAll(async () => {
  for (const mirror of mirrors.values()) await mirror.close();
});

interface Answer {
  readonly nfts: readonly { readonly token_id: string; readonly serial_number: number }[];
  readonly links: { readonly next: string | null };
}

function mirrorOf(dialect: string): MirrorApp {
  const found = mirrors.get(dialect);
  if (found === undefined) throw new Error(`There is no mirror of dialect ${dialect}`);
  return found;
}

async function ask(
  dialect: string,
  url: string,
): Promise<{ readonly status: number; readonly body: Answer }> {
  const answer = await mirrorOf(dialect).app.inject({ url });
  return { status: answer.statusCode, body: answer.json() };
}

async function walk(dialect: string, url: string): Promise<readonly string[]> {
  const seen: string[] = [];
  let next: string | null = url;
  for (let pages = 0; next !== null; pages++) {
    expect(pages).toBeLessThanOrEqual(NFTS.length);
    const { body, status }: Awaited<ReturnType<typeof ask>> = await ask(dialect, next);
    expect(status, JSON.stringify(body)).toBe(200);
    seen.push(...body.nfts.map((nft) => `${nft.token_id.replace('0.0.', '')}/${nft.serial_number}`));
    next = body.links.next;
  }
  return seen;
}

type Condition = readonly [operator: string, value: bigint];

function meets(value: bigint, [operator, other]: Condition): boolean {
  if (operator === 'eq') return value === other;
  if (operator === 'ne') return value !== other;
  if (operator === 'gt') return value > other;
  if (operator === 'gte') return value >= other;
  return operator === 'lt' ? value < other : value <= other;
}

const texts = (name: string, conditions: readonly Condition[]) =>
  conditions.map(([operator, value]) => `${name}=${operator}:${value}`);
const operator = fc.constantFrom('eq', 'ne', 'gt', 'gte', 'lt', 'lte');
const order = fc.constantFrom('asc', 'desc');
const dialect = fc.constantFrom('spec', 'hiero');
const limit = fc.integer({ min: 1, max: 7 });
const serial = fc.bigInt({ min: 1n, max: 13n });
const inOrder = (nfts: readonly NftStatement[], direction: 'asc' | 'desc') => {
  const shown = nfts.map(({ serial: number, token }) => `${token}/${number}`);
  return direction === 'asc' ? shown : shown.toReversed();
};

describe('GET /api/v1/tokens/{tokenId}/nfts', () => {
  test('following next visits every NFT that meets all conditions, in order, once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          token: fc.constantFrom(...TOKENS, 504n),
          serials: fc.array(fc.tuple(operator, serial), { maxLength: 2 }),
          accounts: fc.array(fc.tuple(operator, fc.constantFrom(...ACCOUNTS, 1n)), { maxLength: 2 }),
          order,
          dialect,
          limit,
        }),
        async (asked) => {
          const wanted = NFTS.filter(
            ({ account, serial: number, token }) =>
              token === asked.token &&
              asked.serials.every((each) => meets(number, each)) &&
              asked.accounts.every((each) => account !== null && meets(account, each)),
          );
          const query = [
            ...texts('serialnumber', asked.serials),
            ...texts('account.id', asked.accounts),
            `limit=${asked.limit}`,
            `order=${asked.order}`,
          ];
          const url = `/api/v1/tokens/${asked.token}/nfts?${query.join('&')}`;
          expect(await walk(asked.dialect, url)).toEqual(inOrder(wanted, asked.order));
        },
      ),
    );
  });

  test('takes the address of an owner; one that nobody has owns nothing', async () => {
    expect(await walk('hiero', `/api/v1/tokens/501/nfts?account.id=${ADDRESS}`)).toEqual(
      inOrder(
        NFTS.filter(({ account, token }) => token === 501n && account === 1002n),
        'desc',
      ),
    );
    const nobody = 'f'.repeat(40);
    expect(await walk('hiero', `/api/v1/tokens/501/nfts?account.id=${nobody}`)).toEqual([]);
    expect(await walk('hiero', `/api/v1/tokens/501/nfts?account.id=gt:${nobody}`)).toEqual([]);
  });
});

describe('GET /api/v1/accounts/{id}/nfts', () => {
  test('following next visits every NFT with a wanted spender and token, in order, once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          account: fc.constantFrom(...ACCOUNTS, 1n),
          tokens: fc.option(
            fc.tuple(fc.constantFrom('gt', 'gte', 'eq', 'lt', 'lte'), fc.constantFrom(...TOKENS)),
          ),
          serial: fc.option(serial, { freq: 1 }),
          spenders: fc.constantFrom<readonly Condition[]>(
            [],
            [],
            [['eq', 2001n]],
            [
              ['eq', 2001n],
              ['eq', 2002n],
            ],
            [['gt', 2001n]],
            [
              ['gte', 2001n],
              ['lt', 2002n],
            ],
            [['lte', 1n]],
          ),
          order,
          dialect,
          limit,
        }),
        async (asked) => {
          const tokens = asked.tokens === null ? [] : [asked.tokens];
          const serials: readonly Condition[] =
            asked.serial === null || asked.tokens === null ? [] : [['eq', asked.serial]];
          const equal = asked.spenders.filter(([each]) => each === 'eq');
          const wanted = NFTS.filter(
            ({ account, serial: number, spender, token }) =>
              account === asked.account &&
              tokens.every((each) => meets(token, each)) &&
              serials.every((each) => meets(number, each)) &&
              (asked.spenders.length === 0 ||
                (spender !== null &&
                  (equal.length > 0
                    ? equal.some((each) => meets(spender, each))
                    : asked.spenders.every((each) => meets(spender, each))))),
          );
          const query = [
            ...texts('token.id', tokens),
            ...texts('serialnumber', serials),
            ...texts('spender.id', asked.spenders),
            `limit=${asked.limit}`,
            `order=${asked.order}`,
          ];
          const url = `/api/v1/accounts/${asked.account}/nfts?${query.join('&')}`;
          expect(await walk(asked.dialect, url)).toEqual(inOrder(wanted, asked.order));
        },
      ),
    );
  });

  test.each([
    ['spender.id=ne:2001', 'Not equals (ne) comparison operator is not supported'],
    ['spender.id=gt:1&spender.id=gte:2', 'Multiple range params not allowed for spender.id'],
    ['spender.id=gt:1&spender.id=gte:2&serialnumber=1', 'Multiple range params not allowed for spender.id'],
    ['serialnumber=0&token.id=1', 'Invalid parameter: serialnumber'],
    ['serialnumber=9223372036854775808&token.id=1', 'Invalid parameter: serialnumber'],
    [`token.id=0x${'f'.repeat(40)}`, 'Invalid parameter: token.id'],
    ['account.id=1', 'Unknown query parameter: account.id'],
  ])('refuses %s', async (query, message) => {
    const { body, status } = await ask('hiero', `/api/v1/accounts/1001/nfts?${query}`);
    expect([status, body]).toMatchObject([400, { _status: { messages: [{ message }] } }]);
  });

  test('the path is read before the query', async () => {
    const { body } = await ask('hiero', '/api/v1/accounts/x/nfts?limit=x');
    expect(body).toMatchObject({
      _status: { messages: [{ message: 'Invalid parameter: idOrAliasOrEvmAddress' }] },
    });
  });

  test('a limit above the maximum is cut in hiero and refused in spec', async () => {
    expect((await ask('hiero', '/api/v1/accounts/1001/nfts?limit=101')).status).toBe(200);
    expect((await ask('spec', '/api/v1/accounts/1001/nfts?limit=101')).status).toBe(400);
  });
});

test('every NFT written as a line of a fixture gives the same answer', async () => {
  const lines: string[] = [];
  for (const { serial: number, token } of NFTS) {
    const answer = await mirrorOf('hiero').app.inject({ url: `/api/v1/tokens/${token}/nfts/${number}` });
    lines.push(`{"kind":"nft",${answer.body.slice(1)}`);
  }
  const mirror = await buildMirrorApp({ dialect: 'hiero' });
  try {
    const fixture = readFixture(Buffer.from(lines.join('\n')), 'nfts.ndjson', { shard: 0n, realm: 0n });
    await mirror.area.ledger.commitUnit(fixtureUnit('lines', fixture));
    for (const path of [...TOKENS.map((token) => `tokens/${token}/nfts`), 'accounts/1001/nfts']) {
      const url = `/api/v1/${path}?limit=100`;
      expect((await mirror.app.inject({ url })).json()).toEqual((await ask('hiero', url)).body);
    }
  } finally {
    await mirror.close();
  }
});

test.each([
  ['{"kind":"nft","serial_number":1}', '"token_id" is missing'],
  ['{"kind":"nft","token_id":"0.0.1","serial_number":0}', '"serial_number" must be 1 or more, not 0'],
])('refuses the line %s', (line, reason) => {
  expect(() => readFixture(Buffer.from(line), 'a.ndjson', { shard: 0n, realm: 0n })).toThrow(reason);
});

test('a list goes on after the greatest serial number', async () => {
  const greatest = 2n ** 63n - 1n;
  const [nft] = NFTS.filter(({ spender }) => spender === 2001n);
  if (nft === undefined) throw new Error('No NFT is approved');
  const mirror = await buildMirrorApp({ dialect: 'hiero' });
  try {
    const nfts = TOKENS.map((token) => ({
      ...nft,
      account: entityId(1001n),
      token: entityId(token),
      serial: greatest,
      // The first that are met are not wanted.
      spender: entityId(token === 503n ? 2001n : 2002n),
    }));
    await mirror.area.ledger.commitUnit(fixtureUnit('greatest', { nfts }));
    for (const order of ['asc', 'desc']) {
      const { body } = await mirror.app.inject({
        url: `/api/v1/accounts/1001/nfts?spender.id=2001&limit=1&order=${order}`,
      });
      expect(body).toContain(`"serial_number":${greatest},"spender":"0.0.2001","token_id":"0.0.503"`);
    }
  } finally {
    await mirror.close();
  }
});
