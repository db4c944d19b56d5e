import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import fc from '../../../test/support/properties.ts';
import { migrate, readMigrations } from '../../storage/migrations.ts';
import { openSqlite } from '../../storage/sqlite.ts';
import { consensusTimestamp } from '../../values/consensus-timestamp.ts';
import { entityId } from '../../values/entity-id.ts';
import { MAX_INT64, MIN_INT64 } from '../../values/int64.ts';
import { fixtureUnit } from '../ledger/fixture-unit.ts';
import { keyJson } from '../ledger/key-json.ts';
import { START } from '../testing/explorer-ledger.ts';
import { buildMirrorApp, type MirrorApp } from '../testing/mirror-app.ts';
import { createSqliteBalanceRepository } from './balance-repository.sqlite.ts';

interface Balances {
  readonly timestamp: string | null;
  readonly balances: readonly { readonly account: string; readonly balance: number }[];
  readonly links: { readonly next: string | null };
}

const ED = '519a008fabde4d28d68293c71fcdcdcca38d8fae6102a832b31e802f257fd1d9';
const DER = `302a300506032b6570032100${ED}`;
const EC = `02${'5b'.repeat(32)}`;
const OTHER = '6ceecd8bb224da4914d53f292e5624f6f4cf8c134c920e1cac8d06f879df5819';

/** Serialized keys by account, each with what it is searched by. */
const KEYS: readonly (readonly [account: bigint, key: string, publicKey: string | null])[] = [
  [7n, `1220${OTHER}`, OTHER],
  [8n, `1220${ED}`, ED],
  [9n, `32240a221220${ED}`, ED],
  [10n, `2a28080112240a221220${ED}`, ED],
  [11n, `3a21${EC}`, EC],
  [12n, `32250a233a21${EC}`, EC],
  [13n, `2a29080112250a233a21${EC}`, EC],
  // Two members, a contract, none at all.
  [14n, `32480a221220${ED}0a221220${OTHER}`, null],
  [15n, '0a0218ea07', null],
  [16n, '3200', null],
];

const at = consensusTimestamp(START);

/** Each account has as many tinybars as its number; the time is that of the first snapshot, too. */
function ledgerOf(keys: readonly (readonly [account: bigint, key: string, unknown?])[]) {
  return fixtureUnit('keys', {
    balances: keys.map(([num]) => ({ account: entityId(num), balance: num, timestamp: at })),
    entityChanges: keys.map(([num, key]) => ({
      entity: entityId(num),
      type: num === 10n ? ('CONTRACT' as const) : ('ACCOUNT' as const),
      changedTimestamp: at,
      key: Buffer.from(key, 'hex'),
    })),
  });
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

  test('the stored key is what the account shows', () => {
    const rows = spec.database
      .prepare<[], { id: bigint; key: Buffer; public_key: Buffer | null }>(
        'select id, key, public_key from entity_settings order by id',
      )
      .safeIntegers(true)
      .all();
    expect(rows.map((row) => [row.id, row.public_key?.toString('hex') ?? null])).toEqual(
      KEYS.map(([num, , publicKey]) => [num, publicKey]),
    );
    for (const { key, public_key: stored } of rows) {
      const shown = keyJson(key);
      expect(stored?.toString('hex')).toBe(shown?._type === 'ProtobufEncoded' ? undefined : shown?.key);
    }
  });

  test('one key is found by its index, a range of keys without a scan', () => {
    const texts: string[] = [];
    createSqliteBalanceRepository(
      new Proxy(spec.database, {
        get(target, name) {
          if (name !== 'prepare') return Reflect.get(target, name, target) as unknown;
          return (sql: string) => {
            texts.push(sql);
            return target.prepare(sql);
          };
        },
      }),
    );
    const keyed = texts.filter((sql) => /public_key (?:=|>=) \?/.test(sql));
    expect(keyed).toHaveLength(5);
    for (const sql of keyed) {
      const plan = spec.database
        .prepare<unknown[], { detail: string }>(`explain query plan ${sql}`)
        .all(...[...sql].filter((letter) => letter === '?').map(() => 1));
      const details = plan.map(({ detail }) => detail);
      expect(details[0]).toMatch(/^SEARCH \w+ USING (?:COVERING )?INDEX entity_settings_by_public_key/);
      expect(details.filter((detail) => /^SCAN|TEMP B-TREE/.test(detail))).toEqual([]);
    }
  });

  test('keys that an earlier version stored are found', async () => {
    const migrations = readMigrations();
    const added = migrations.findIndex(({ name }) => name.endsWith('-mirror-public-keys.sql'));
    const database = openSqlite(':memory:');
    try {
      migrate(database, migrations.slice(0, added));
      for (const [num, key] of KEYS) {
        database.prepare('insert into entity (id, balance) values (?, 1)').run(num);
        database
          .prepare('insert into entity_settings (id, key) values (?, ?)')
          .run(num, Buffer.from(key, 'hex'));
      }
      migrate(database, migrations);
      const balances = createSqliteBalanceRepository(database);
      const page = await balances.page(
        {
          accounts: null,
          balance: { lower: MIN_INT64, upper: MAX_INT64, equal: null, excluded: new Set() },
          keys: { kind: 'one', key: ED },
          order: 'asc',
          limit: 9,
        },
        null,
      );
      expect(page.map(({ account }) => account)).toEqual([8n, 9n, 10n]);
    } finally {
      database.close();
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
