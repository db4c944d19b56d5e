import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseBigintJson } from '../../../test/kit/mirror/bigint-json.ts';
import { aToken, someFees } from '../../../test/kit/mirror/ledger/a-token.ts';
import { buildMirrorApp, type MirrorApp } from '../../../test/kit/mirror/mirror-app.ts';
import * as fc from '../../../test/support/properties.ts';
import { consensusTimestamp, printTimestamp } from '../../values/consensus-timestamp.ts';
import { type EntityId, entityId, printEntityId } from '../../values/entity-id.ts';
import { readFixture } from '../ingest/fixture/read-fixture.ts';
import { type ExactJson, printExactJson } from '../ledger/exact-json.ts';
import type { TokenChange } from '../ledger/facets/tokens.ts';
import { type FixtureRows, fixtureUnit } from '../ledger/fixture-unit.ts';

const START = 1_700_000_000_000_000_000n;
const at = (offset: bigint) => consensusTimestamp(START + offset);
const KEYS = ['aa', 'bb'].map((byte) => byte.repeat(32));
const HOLDER = entityId(7n);
const CHANGED = entityId(500n);
const NAMES = ['Gold', 'ΣΊΣΥΦΟΣ', '100% sure', 'snake_case', 'ТОКЕН', 'gölden'];

interface Stored {
  readonly token: EntityId;
  readonly kind: 'FUNGIBLE_COMMON' | 'NON_FUNGIBLE_UNIQUE';
  readonly key: number | null;
  readonly isHeld: boolean;
}

const STORED = Array.from({ length: 12 }, (_, index): Stored => {
  const kind = index % 3 === 0 ? 'NON_FUNGIBLE_UNIQUE' : 'FUNGIBLE_COMMON';
  return {
    token: entityId(BigInt(100 + 2 * index)),
    kind,
    key: index % 4 === 3 ? null : index % 2,
    isHeld: index % 5 < 3,
  };
});

const entity = (of: EntityId) =>
  ({ entity: of, type: 'TOKEN', alias: null, evmAddress: null, createdTimestamp: at(0n) }) as const;
const update = (offset: bigint, told: { name?: string; pauseStatus?: 'PAUSED' }): TokenChange => ({
  token: CHANGED,
  consensusTimestamp: at(offset),
  update: told,
});

const rows: FixtureRows = {
  tokens: [
    ...STORED.map(({ kind, token }, index) =>
      aToken(token, START, { kind, name: `${NAMES[index % NAMES.length]}`, symbol: `S${index}` }),
    ),
    // Without an entity it is not shown.
    aToken(199n, START),
    aToken(CHANGED, at(10n), { name: 'before', pauseStatus: 'UNPAUSED', totalSupply: 5n }),
    { token: CHANGED, consensusTimestamp: at(15n), totalSupply: 6n },
    update(20n, { name: 'after' }),
    update(30n, { pauseStatus: 'PAUSED' }),
  ],
  customFees: [someFees(CHANGED, at(12n), 1), someFees(CHANGED, at(25n), 0)],
  entities: [...STORED.map(({ token }) => entity(token)), { ...entity(CHANGED), createdTimestamp: at(10n) }],
  entityChanges: [
    ...STORED.map(({ key, token }) => ({
      entity: token,
      type: 'TOKEN' as const,
      ...(key === null ? {} : { key: Buffer.from(`1220${KEYS[key]}`, 'hex') }),
    })),
    { entity: CHANGED, type: 'TOKEN', changedTimestamp: at(10n), memo: 'first', isDeleted: false },
    { entity: CHANGED, changedTimestamp: at(40n), isDeleted: true },
  ],
  statedRelations: STORED.map(({ isHeld, token }) => ({
    account: HOLDER,
    token,
    isAssociated: isHeld,
    isAutomatic: false,
    createdTimestamp: at(0n),
    freezeStatus: null,
    kycStatus: null,
    balance: 1n,
    balanceTimestamp: at(0n),
  })),
};

let spec: MirrorApp;
let hiero: MirrorApp;
beforeAll(async () => {
  spec = await buildMirrorApp();
  hiero = await buildMirrorApp({ dialect: 'hiero' });
  for (const { area } of [spec, hiero]) await area.ledger.commitUnit(fixtureUnit('tokens', rows));
});
afterAll(async () => {
  await spec.close();
  await hiero.close();
});

const get = async (url: string, from: MirrorApp = hiero) => {
  const answer = await from.app.inject({ url });
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers };
};
const idsOf = async (query: string, from: MirrorApp = hiero): Promise<readonly string[]> =>
  (await get(`/api/v1/tokens?${query}`, from)).body.tokens.map(
    ({ token_id: id }: { readonly token_id: string }) => id,
  );
const messagesOf = async (url: string): Promise<readonly string[]> => {
  const { body, status } = await get(url);
  expect(status).toBe(400);
  return body._status.messages.map(({ message }: { readonly message: string }) => message);
};
const named = (name: string): readonly string[] =>
  STORED.flatMap(({ token }, index) => (NAMES[index % NAMES.length] === name ? [printEntityId(token)] : []));

describe('GET /api/v1/tokens', () => {
  test('pages of any selection show each token once, in order, and end', async () => {
    const bound = fc.bigInt({ min: 97n, max: 125n });
    const selection = fc.record({
      dialect: fc.constantFrom('spec', 'hiero'),
      order: fc.constantFrom('asc', 'desc'),
      limit: fc.integer({ min: 1, max: 5 }),
      kind: fc.option(fc.constantFrom('FUNGIBLE_COMMON', 'non_fungible_unique', 'ALL')),
      key: fc.option(fc.constantFrom(0, 1)),
      isHeld: fc.boolean(),
      lower: fc.option(bound),
      upper: fc.option(bound),
      excluded: fc.option(bound),
      equal: fc.option(fc.array(bound, { minLength: 1, maxLength: 3 })),
    });
    await fc.assert(
      fc.asyncProperty(selection, async (given) => {
        const { equal, excluded, isHeld, key, kind, lower, order, upper } = given;
        const query = new URLSearchParams({ limit: `${given.limit}`, order });
        if (kind !== null) query.set('type', kind);
        if (key !== null) query.set('publickey', `${KEYS[key]}`);
        if (isHeld) query.set('account.id', '0.0.7');
        if (lower !== null) query.append('token.id', `gte:${lower}`);
        if (upper !== null) query.append('token.id', `lt:${upper}`);
        if (excluded !== null) query.append('token.id', `ne:0.0.${excluded}`);
        for (const id of equal ?? []) query.append('token.id', `${id}`);
        const wanted = STORED.filter(
          (each) =>
            (kind === null || kind === 'ALL' || each.kind === kind.toUpperCase()) &&
            (key === null || each.key === key) &&
            (!isHeld || each.isHeld) &&
            (lower === null || each.token >= lower) &&
            (upper === null || each.token < upper) &&
            (excluded === null || each.token !== excluded) &&
            (equal === null || equal.includes(each.token)),
        ).map(({ token }) => printEntityId(token));
        const isOpen = kind === null || kind !== 'non_fungible_unique';
        const all =
          isOpen && key === null && !isHeld && equal === null && upper === null
            ? [...wanted, '0.0.500']
            : wanted;
        const found: string[] = [];
        let url: string | null = `/api/v1/tokens?${query}`;
        for (let pages = 0; url !== null; pages++) {
          expect(pages).toBeLessThan(20);
          const { body }: { readonly body: Page } = await get(url, given.dialect === 'spec' ? spec : hiero);
          found.push(...body.tokens.map(({ token_id: id }) => id));
          url = body.links.next;
        }
        expect(found).toEqual(order === 'asc' ? all : all.toReversed());
      }),
      { numRuns: 150 },
    );
  });

  test.each([
    ['any letter case', 'gOLD', 'Gold'],
    ['Greek capital and small letters', 'σίσυφος', 'ΣΊΣΥΦΟΣ'],
    ['a part that ends with another small sigma', 'σίς', 'ΣΊΣΥΦΟΣ'],
    ['Cyrillic', 'окен', 'ТОКЕН'],
    ['letters with accents', 'GÖLD', 'gölden'],
    ['a percent sign is itself', '0% s', '100% sure'],
    ['an underscore is itself', 'e_c', 'snake_case'],
    ['the operator', 'eq:sure', '100% sure'],
  ])('a name is found by %s', async (_how, part, name) => {
    expect(await idsOf(`name=${encodeURIComponent(part)}`)).toEqual(named(name));
    expect(await idsOf(`order=desc&name=${encodeURIComponent(part)}`)).toEqual(named(name).toReversed());
  });

  test('wildcards find nothing, several parts must all occur, and a search has no next page', async () => {
    expect(await idsOf('name=1%25sure')).toEqual([]);
    expect(await idsOf('name=snake%25')).toEqual([]);
    expect(await idsOf('name=100&name=sure')).toEqual(named('100% sure'));
    expect(await idsOf('name=100&name=gold')).toEqual([]);
    expect(await idsOf('name=gold&type=NON_FUNGIBLE_UNIQUE')).toEqual(['0.0.100', '0.0.112']);
    for (const from of [spec, hiero]) {
      const { body } = await get('/api/v1/tokens?name=gold&limit=1', from);
      expect(body).toMatchObject({ tokens: [{ token_id: '0.0.100' }], links: { next: null } });
    }
  });

  test.each([
    ['name=ab', ['Invalid parameter: name']],
    [`name=${'a'.repeat(101)}`, ['Invalid parameter: name']],
    ['name=ne:abc', ['Invalid parameter: name']],
    ['name=%C3%B6', ['Invalid parameter: name']],
    [
      'name=abc&token.id=x&foo=1',
      ['token.id and name can not be used together. Use a more specific name instead.'],
    ],
    ['account.id=x&name=a', ['account.id and name cannot be used together']],
    ['account.id=1&account.id=2', ['Invalid parameter: account.id']],
    ['account.id=gt:1', ['Invalid parameter: account.id']],
    ['account.id=0x0000000000000000000000000000000000000001', ['Invalid parameter: account.id']],
    [
      'foo=1&type=x&publickey=x&limit=0&token.id=0xaf',
      ['type', 'publickey', 'limit', 'token.id']
        .map((name) => `Invalid parameter: ${name}`)
        .concat('Unknown query parameter: foo'),
    ],
  ])('%s is refused', async (query, messages) => {
    expect(await messagesOf(`/api/v1/tokens?${query}`)).toEqual(messages);
  });

  test('names of 3 and of 100 bytes are fine, and both kinds at once are none', async () => {
    expect(await idsOf('name=abc')).toEqual([]);
    expect(await idsOf(`name=${'a'.repeat(100)}`)).toEqual([]);
    expect(await idsOf('type=FUNGIBLE_COMMON&type=NON_FUNGIBLE_UNIQUE')).toEqual([]);
    expect((await get('/api/v1/tokens')).headers['cache-control']).toBe('public, max-age=10');
  });
});

interface Page {
  readonly tokens: readonly { readonly token_id: string }[];
  readonly links: { readonly next: string | null };
}

describe('GET /api/v1/tokens/{tokenId}', () => {
  const atTime = (operator: string, offset: bigint) =>
    get(`/api/v1/tokens/500?timestamp=${operator}${printTimestamp(at(offset))}`);

  test.each<[string, bigint, object | null]>([
    ['', 9n, null],
    // The fees are not known before.
    ['', 11n, null],
    [
      '',
      12n,
      { name: 'before', total_supply: '6', memo: 'first', modified_timestamp: printTimestamp(at(10n)) },
    ],
    ['eq:', 19n, { name: 'before', pause_status: 'UNPAUSED', custom_fees: { fixed_fees: [{}] } }],
    ['lt:', 20n, { name: 'before' }],
    [
      'lte:',
      20n,
      { name: 'after', modified_timestamp: printTimestamp(at(20n)), custom_fees: { fixed_fees: [{}] } },
    ],
    [
      'lte:',
      25n,
      { name: 'after', custom_fees: { created_timestamp: printTimestamp(at(25n)), fixed_fees: [] } },
    ],
    ['', 30n, { pause_status: 'PAUSED', deleted: false }],
    ['', 99n, { pause_status: 'PAUSED', deleted: true, modified_timestamp: printTimestamp(at(40n)) }],
  ])('with timestamp=%s at %d ns is as it was', async (operator, offset, expected) => {
    const { body, status } = await atTime(operator, offset);
    expect(status).toBe(expected === null ? 404 : 200);
    if (expected !== null) expect(body).toMatchObject(expected);
  });

  test('the last timestamp counts; the greatest one is fine', async () => {
    const times = `timestamp=${printTimestamp(at(9n))}&timestamp=lte:9999999999.999999999`;
    expect((await get(`/api/v1/tokens/500?${times}`)).body).toMatchObject({ name: 'after' });
  });

  test('a wrong id is told before the query, the query before what is missing', async () => {
    expect(await messagesOf('/api/v1/tokens/x?foo=1')).toEqual(['Invalid parameter: tokenid']);
    expect(await messagesOf('/api/v1/tokens/9?foo=1&timestamp=gt:1')).toEqual([
      'Invalid parameter: timestamp',
      'Unknown query parameter: foo',
    ]);
    expect((await get('/api/v1/tokens/9')).status).toBe(404);
    // A token without an entity.
    expect((await get('/api/v1/tokens/199')).status).toBe(404);
  });

  test('without a row of fees they are null', async () => {
    const { body, headers } = await get('/api/v1/tokens/100');
    expect(body.custom_fees).toBeNull();
    expect(headers['cache-control']).toBe('public, max-age=5');
  });
});

describe('a line of a fixture', () => {
  const key = (type: string, digits: string) => ({ _type: type, key: digits });
  const amount = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });
  const keys = fc.constantFrom(
    null,
    key('ED25519', KEYS[0] ?? ''),
    key('ECDSA_SECP256K1', `02${KEYS[1]}`),
    key('ProtobufEncoded', '32020a00'),
  );
  const id = fc.constantFrom('0.0.9', '0.7.3');
  const idOrNull = fc.constantFrom(null, '0.0.9');
  const fixed = fc.record({
    all_collectors_are_exempt: fc.boolean(),
    amount,
    collector_account_id: id,
    denominating_token_id: idOrNull,
  });
  const fraction = fc.record({ numerator: amount, denominator: amount });
  const time = fc.bigInt({ min: 0n, max: 99n }).map((offset) => printTimestamp(at(offset)));
  const common = {
    admin_key: keys,
    auto_renew_account: idOrNull,
    auto_renew_period: fc.constantFrom(null, 7_776_000n),
    created_timestamp: fc.constant(printTimestamp(at(0n))),
    decimals: fc.constantFrom('0', '18'),
    deleted: fc.boolean(),
    expiry_timestamp: amount,
    fee_schedule_key: keys,
    freeze_default: fc.boolean(),
    freeze_key: keys,
    initial_supply: amount.map(String),
    kyc_key: keys,
    max_supply: amount.map(String),
    memo: fc.constantFrom('', 'ℏ'),
    metadata: fc.constantFrom('', 'AQE='),
    metadata_key: keys,
    modified_timestamp: time,
    name: fc.string(),
    pause_key: keys,
    pause_status: fc.constantFrom('NOT_APPLICABLE', 'PAUSED', 'UNPAUSED'),
    supply_key: keys,
    supply_type: fc.constantFrom('FINITE', 'INFINITE'),
    symbol: fc.string(),
    token_id: fc.constant('0.0.600'),
    total_supply: amount.map(String),
    treasury_account_id: id,
    wipe_key: keys,
  };
  const fungible = fc.record({
    ...common,
    type: fc.constant('FUNGIBLE_COMMON'),
    custom_fees: fc.option(
      fc.record({
        created_timestamp: time,
        fixed_fees: fc.array(fixed, { maxLength: 2 }),
        fractional_fees: fc.array(
          fc.record({
            all_collectors_are_exempt: fc.boolean(),
            amount: fraction,
            collector_account_id: id,
            denominating_token_id: fc.constant('0.0.600'),
            maximum: fc.option(amount),
            minimum: amount,
            net_of_transfers: fc.boolean(),
          }),
          { maxLength: 2 },
        ),
      }),
    ),
  });
  const unique = fc.record({
    ...common,
    type: fc.constant('NON_FUNGIBLE_UNIQUE'),
    custom_fees: fc.record({
      created_timestamp: time,
      fixed_fees: fc.array(fixed, { maxLength: 2 }),
      royalty_fees: fc.array(
        fc.record({
          all_collectors_are_exempt: fc.boolean(),
          amount: fraction,
          collector_account_id: id,
          fallback_fee: fc.option(fc.record({ amount, denominating_token_id: idOrNull })),
        }),
        { maxLength: 2 },
      ),
    }),
  });

  test('that is an answer gives that answer back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fungible, unique), async (token) => {
        const app = await buildMirrorApp();
        try {
          const line = printed({ kind: 'token', ...token });
          const home = { shard: 0n, realm: 0n };
          await app.area.ledger.commitUnit(
            fixtureUnit('line', readFixture(Buffer.from(line), 'a.ndjson', home)),
          );
          const { body } = await app.app.inject({ url: '/api/v1/tokens/600' });
          expect(parseBigintJson(body)).toEqual(parseBigintJson(printed(token)));
        } finally {
          await app.close();
        }
      }),
      { numRuns: 40 },
    );
  });
});

/** JSON with all digits. */
function printed(value: unknown): string {
  return printExactJson(value as ExactJson);
}

test('a renewal period that no time can hold ends with time itself', async () => {
  const mirror = await buildMirrorApp();
  try {
    const line = JSON.stringify({
      kind: 'token',
      token_id: '0.0.700',
      name: 'For ever',
      symbol: 'EVER',
      type: 'FUNGIBLE_COMMON',
      created_timestamp: '1700000000.000000000',
      treasury_account_id: '0.0.7',
      auto_renew_period: 9_223_372_036_854,
    });
    const told = readFixture(Buffer.from(line), 'a.ndjson', { shard: 0n, realm: 0n });
    await mirror.area.ledger.commitUnit(fixtureUnit('line', told));
    const { body } = await mirror.app.inject({ url: '/api/v1/tokens/700' });
    expect(body).toContain('"expiry_timestamp":9223372036854775807,');
  } finally {
    await mirror.close();
  }
});
