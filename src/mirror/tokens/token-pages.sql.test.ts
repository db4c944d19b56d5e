import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../storage/open-database.ts';
import { sqliteSql } from '../../storage/sql/sqlite-sql.ts';
import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { MAX_INT64, MIN_INT64 } from '../../values/int64.ts';
import type { TokenSelection } from './token-pages.sql.ts';
import { createTokenPages } from './token-pages.sql.ts';

/** More than are looked at in one step, of each kind of walk. */
const COUNT = 45_000;
const EVERY = 4500;
const ALL: TokenSelection = {
  ids: { equal: null, excluded: new Set(), lower: MIN_INT64, upper: MAX_INT64 },
  account: null,
  kind: null,
  keys: null,
  names: [],
  order: 'asc',
  limit: 26,
};

let database: SqliteDatabase;
let page: ReturnType<typeof createTokenPages>;
beforeAll(() => {
  database = openDatabase(':memory:');
  database.exec(`
    with recursive n (i) as (select 0 union all select i + 1 from n where i < ${COUNT - 1})
    insert into token (token_id, kind, lower_ts, name, folded_name, symbol, decimals)
      select i, iif(i % ${EVERY} = 0, 'NON_FUNGIBLE_UNIQUE', 'FUNGIBLE_COMMON'), 1, 'n',
        iif(i % ${EVERY} = 7, 'gold', 'plain') || i, 's', 0 from n;
    insert into entity (id, type) select token_id, 'TOKEN' from token;
    insert into token_balance (account_id, token_id, associated) select 5, token_id, 1 from token;
  `);
  page = createTokenPages(sqliteSql(database));
});
afterAll(() => database.close());

const times = COUNT / EVERY;
test.each<[string, Partial<TokenSelection>, number]>([
  ['a name that is rare', { names: ['gold'] }, 7],
  ['two parts of a name', { names: ['old', 'go'] }, 7],
  ['a kind that an account rarely holds', { account: 5n, kind: 'NON_FUNGIBLE_UNIQUE' }, 0],
])('%s is found in many steps, in both directions', async (_what, given, first) => {
  const wanted = Array.from({ length: times }, (_, index) => BigInt(first + index * EVERY));
  const found = async (order: 'asc' | 'desc', limit: number) =>
    (await page({ ...ALL, ...given, order, limit })).map(({ token }) => token);
  expect(await found('asc', 26)).toEqual(wanted);
  expect(await found('desc', 26)).toEqual(wanted.toReversed());
  expect(await found('asc', 3)).toEqual(wanted.slice(0, 3));
  expect(await found('desc', 3)).toEqual(wanted.toReversed().slice(0, 3));
});

test('a name that is everywhere is not searched to the end', async () => {
  const tokens = await page({ ...ALL, names: ['plain'], order: 'desc' });
  expect(tokens.map(({ token }) => token)).toEqual(
    Array.from({ length: 26 }, (_, index) => BigInt(COUNT - 1 - index)),
  );
});

test('a name is searched between bounds', async () => {
  const ids = { ...ALL.ids, lower: 8n, upper: BigInt(7 + 2 * EVERY) };
  const tokens = await page({ ...ALL, names: ['gold'], ids });
  expect(tokens.map(({ token }) => token)).toEqual([BigInt(7 + EVERY), BigInt(7 + 2 * EVERY)]);
});
