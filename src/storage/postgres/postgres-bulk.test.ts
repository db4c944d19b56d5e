import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type PostgresCluster, startPostgres } from '../../../test/support/postgres.ts';
import { MAX_INT64, MIN_INT64 } from '../../values/int64.ts';
import type { Table } from '../../values/stored-tables.ts';
import type { Sql } from '../sql/sql.ts';
import { CopyIn } from './copy-rows.ts';
import { openPostgresPool } from './postgres-pool.ts';
import { postgresSql } from './postgres-sql.ts';

let cluster: PostgresCluster;
let pool: pg.Pool;
let sql: Sql;
beforeAll(async () => {
  cluster = await startPostgres();
  pool = openPostgresPool(await cluster.createDatabase());
});
afterAll(async () => {
  await pool?.end();
  await cluster?.stop();
});
beforeEach(async () => {
  sql = postgresSql(pool);
  await pool.query(`drop table if exists held, timed;
    create table held (a bigint, b bigint, text text collate "C", bytes bytea, primary key (a, b));
    create table timed (consensus_ts bigint primary key, text text) partition by range (consensus_ts);
    create index timed_by_text on timed (text)`);
});

const HELD = { name: 'held', columns: ['a', 'b', 'text', 'bytes'], keyLength: 2 } as const;
const TIMED: Table = {
  name: 'timed',
  columns: ['text', 'consensus_ts'],
  keyLength: 0,
  onConflict: 'fail',
};
const ROWS = [
  [MAX_INT64, MIN_INT64, 'a\0b\ue0fe"{,}\\ \u{1f600}', Buffer.of(0, 255, 92)],
  [1n, 2, '', Buffer.alloc(0)],
  [3, 4n, null, null],
  [5n, 6n, 'é'.repeat(400_000), Buffer.alloc(700_000, 7)],
] as const;
/** To compare a large buffer takes seconds. */
const inHex = (rows: readonly (readonly unknown[])[]) =>
  rows.map((row) =>
    row.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value)),
  );
const read = (text: string) => sql.read(() => sql.prepareExactColumns<[], unknown[]>(text).all());

describe('rows that are stored together', () => {
  test.each(['fail', 'keep', 'replace'] as const)('come back as they went (%s)', async (onConflict) => {
    const table = { ...HELD, onConflict };
    await sql.write(() => sql.store(table, ROWS));
    const stored = ROWS.map(([a, b, ...rest]) => [BigInt(a), BigInt(b), ...rest]);
    const kept = await read('select * from held order by a <> 9223372036854775807, a');
    expect(inHex(kept)).toEqual(inHex(stored));
    const keys = [
      [MAX_INT64, MIN_INT64],
      [3n, 4n],
      [3n, 5n],
    ];
    expect(await sql.read(() => sql.load({ table, keys, match: 'equal' }))).toEqual(
      expect.arrayContaining([stored[0], stored[2]]),
    );
  });

  test('meet those that are there as their table says', async () => {
    const store = (onConflict: Table['onConflict'], text: string) =>
      sql.write(() => sql.store({ ...HELD, onConflict }, [[1n, 2n, text, null]]));
    await store('fail', 'first');
    await expect(store('fail', 'second')).rejects.toMatchObject({ code: '23505' });
    await store('keep', 'third');
    expect(await read('select text from held')).toEqual([['first']]);
    await store('replace', 'fourth');
    expect(await read('select text from held')).toEqual([['fourth']]);
  });

  test.each([
    ['inserted', false],
    ['copied', true],
  ])('stay as they are where some are there, and the others come (%s)', async (way, isOnceTold) => {
    const table = { ...HELD, onConflict: 'keep', isOnceTold } as const;
    const bytes = Buffer.of(0, 255, 92);
    const rowsOf = (text: string, first: number) =>
      Array.from({ length: 300 }, (_, index) => [BigInt(first + index), -1n, text, bytes]);
    const asked = vi.spyOn(pg.Client.prototype, 'query');
    const store = (text: string, first: number) => sql.write(() => sql.store(table, rowsOf(text, first)));
    await store('first', 0);
    await store('second', 200);
    await store('third', 500);
    const counts = 'select text, count(*) from held group by text order by text';
    expect(await read(counts)).toEqual([
      ['first', 300n],
      ['second', 200n],
      ['third', 300n],
    ]);
    const twice = [...rowsOf('fourth', 800), ...rowsOf('fifth', 800)];
    await sql.write(() => sql.store(table, twice));
    const copies = asked.mock.calls.filter(([query]) => (query as unknown) instanceof CopyIn);
    asked.mockRestore();
    expect(copies).toHaveLength(way === 'copied' ? 4 : 0);
    expect(await read(counts)).toContainEqual(['fourth', 300n]);
    expect(await read('select distinct b, bytes from held')).toEqual([[-1n, bytes]]);
  });

  test('stay as they are in partitions that they make', async () => {
    const table = { ...TIMED, onConflict: 'keep', isOnceTold: true } as const;
    const rowsOf = (text: string, first: number) =>
      Array.from({ length: 200 }, (_, day) => [text, BigInt(first + day) * 86_400_000_000_000n]);
    await sql.write(() => sql.store(table, rowsOf('first', 0)));
    await sql.write(() => sql.store(table, rowsOf('second', 100)));
    expect(await read('select text, count(*) from timed group by text order by text')).toEqual([
      ['first', 200n],
      ['second', 100n],
    ]);
  });

  test('are refused in the middle of many, and the connection goes on', async () => {
    const many = Array.from({ length: 50_000 }, (_, index) => [
      BigInt(index % 100),
      0n,
      'x'.repeat(200),
      null,
    ]);
    await sql.write(function* () {
      yield* sql.prepare('savepoint here').run();
      let refusal: unknown;
      try {
        yield* sql.store({ ...HELD, onConflict: 'fail' }, many);
      } catch (error) {
        refusal = error;
      }
      expect(refusal).toMatchObject({ code: '23505' });
      yield* sql.prepare('rollback to savepoint here').run();
      yield* sql.store({ ...HELD, onConflict: 'fail' }, many.slice(0, 100));
    });
    expect(await read('select count(*) from held')).toEqual([[100n]]);
  });

  test('are refused when a number is no int64', async () => {
    const store = (value: bigint) =>
      sql.write(() => sql.store({ ...HELD, onConflict: 'fail' }, [[value, 0n, '', null]]));
    await expect(store(MAX_INT64 + 1n)).rejects.toThrow('9223372036854775808 is not an int64');
    await expect(store(MIN_INT64 - 1n)).rejects.toThrow('is not an int64');
    expect(await read('select count(*) from held')).toEqual([[0n]]);
  });

  test('may be none, and more than one statement takes', async () => {
    const many = Array.from({ length: 25_000 }, (_, index) => [BigInt(index), 0n, 'x', null]);
    const ways = [
      { onConflict: 'fail' },
      { onConflict: 'keep' },
      { onConflict: 'keep', isOnceTold: true },
    ] as const;
    for (const way of ways) {
      await sql.write(() => sql.store({ ...HELD, ...way }, []));
      await sql.write(() => sql.store({ ...HELD, ...way }, many));
      expect(await read('select count(*), count(distinct a) from held')).toEqual([[25_000n, 25_000n]]);
    }
  });

  test('are found as the newest of a key, each once', async () => {
    const rows = [
      [1n, 10n, 'old', null],
      [1n, 30n, 'new', null],
      [2n, 20n, 'only', null],
    ];
    await sql.write(() => sql.store({ ...HELD, onConflict: 'fail' }, rows));
    const table: Table = { ...HELD, keyLength: 1, onConflict: 'fail' };
    const keys = [[1n], [2n], [3n]];
    const found = await sql.read(() => sql.load({ table, keys, match: 'newest' }));
    expect([...found].sort()).toEqual(rows.slice(1));
  });

  test('are found as the newest before a time, each once', async () => {
    const table: Table = {
      name: 'timed',
      columns: ['consensus_ts', 'text'],
      keyLength: 1,
      onConflict: 'fail',
    };
    await sql.write(() =>
      sql.store(table, [
        [10n, 'ten'],
        [20n, 'twenty'],
      ]),
    );
    const keys = [[5n], [20n], [15n], [21n]];
    const found = await sql.read(() => sql.load({ table, keys, match: 'newest-before' }));
    expect([...found].sort()).toEqual([
      [10n, 'ten'],
      [20n, 'twenty'],
    ]);
  });
});

describe('a table that is partitioned by time', () => {
  const partitions = async () =>
    (
      await pool.query(
        "select inhrelid::regclass::text as name from pg_inherits where inhparent = 'timed'::regclass order by 1",
      )
    ).rows.map(({ name }) => name);
  const DAY = 86_400_000_000_000n;

  test('gets the partitions that its rows fall into, with all indexes, once', async () => {
    const at = (time: bigint) => sql.write(() => sql.store(TIMED, [['x', time]]));
    for (const time of [1_700_000_000_000_000_000n, MAX_INT64, MIN_INT64, 0n, 90n * DAY - 1n]) await at(time);
    const made = await partitions();
    expect(made).toEqual(['timed_16770705', 'timed_19700101', 'timed_20230920', 'timed_22620331']);
    const { rows } = await pool.query('select count(*) as count from pg_indexes where tablename = any($1)', [
      made,
    ]);
    expect(rows).toEqual([{ count: '8' }]);
    await at(90n * DAY);
    expect(await partitions()).toEqual([...made.slice(0, 2), 'timed_19700401', ...made.slice(2)]);
    expect(await read('select count(*) from timed')).toEqual([[6n]]);
  });

  test('gets them again when the transaction that made them was rolled back', async () => {
    const write = (isKept: boolean) =>
      sql.write(function* () {
        yield* sql.store(TIMED, [['x', 1n]]);
        yield* sql.store(TIMED, [['y', 2n]]);
        if (!isKept) throw new Error('half way');
      });
    await expect(write(false)).rejects.toThrow('half way');
    expect(await partitions()).toEqual([]);
    await write(true);
    expect(await read('select text from timed order by 1')).toEqual([['x'], ['y']]);
  });

  test('is read while a partition is made', async () => {
    await sql.write(function* () {
      yield* sql.store(TIMED, [['x', 1n]]);
      yield () => pool.query("set lock_timeout = '1s'; select * from timed; reset lock_timeout");
    });
    expect(await read('select text from timed')).toEqual([['x']]);
  });
});
