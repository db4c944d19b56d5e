import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLUSTER_PLACEMENT } from '../../test/kit/storage/cluster-placement.ts';
import { whyMoreThanOneShard } from '../../test/kit/storage/needed-shards.ts';
import { openForPlans, tableReads } from '../../test/kit/storage/table-reads.ts';
import { preparedStatements } from '../../test/kit/store/prepared-statements.ts';
import { sharedPostgres } from '../../test/support/postgres.ts';

const OPERATION = new URL('../../docs/operation.md', import.meta.url);

/** The columns of distributed tables. */
const COLUMNS: ReadonlyMap<string, string> = new Map(
  [...CLUSTER_PLACEMENT].flatMap(([table, placement]) =>
    placement.kind === 'distributed' ? [[table, placement.column] as const] : [],
  ),
);

let client: pg.Client;
let statements: readonly string[];

beforeAll(async () => {
  const url = await (await sharedPostgres()).createMigrated();
  statements = await preparedStatements(url);
  client = await openForPlans(url);
  await client.query(`create table small (id bigint primary key)`);
});

afterAll(() => client.end());

const whyOf = async (text: string, columns = COLUMNS) => {
  const reads = await tableReads(client, text);
  return reads === null ? null : whyMoreThanOneShard(reads, (table) => columns.get(table));
};

test('every table of the schema has its place', async () => {
  const { rows } = await client.query<{ readonly name: string }>(
    `select relname as name from pg_class where relkind in ('r', 'p') and not relispartition
     and relnamespace = current_schema()::regnamespace and relname <> 'small' order by 1`,
  );
  expect([...CLUSTER_PLACEMENT.keys()].toSorted()).toEqual(rows.map(({ name }) => name));
});

test('no key of a distributed table leaves its column out, and none leads out of it or into it', async () => {
  const { rows } = await client.query<{ readonly table: string; readonly columns: readonly string[] }>(
    `select c.relname as table, array(select attname::text from pg_attribute
       where attrelid = c.oid and attnum = any(i.indkey)) as columns
     from pg_index i join pg_class c on c.oid = i.indrelid where i.indisunique or i.indisexclusion`,
  );
  const keys = rows.filter(({ table }) => COLUMNS.has(table));
  expect(keys.map(({ table }) => table).toSorted()).toEqual([...COLUMNS.keys()].toSorted());
  for (const { columns, table } of keys) expect(columns).toContain(COLUMNS.get(table));
  const references = await client.query<{ readonly from: string; readonly to: string }>(
    `select conrelid::regclass::text as from, confrelid::regclass::text as to from pg_constraint where contype = 'f'`,
  );
  expect(references.rows.length).toBeGreaterThan(10);
  const places = references.rows.flatMap(({ from, to }) => [from, to]);
  expect(places.filter((table) => CLUSTER_PLACEMENT.get(table)?.kind !== 'local')).toEqual([]);
});

describe('statements that read', () => {
  test('need one shard at most', async () => {
    const refused: string[] = [];
    const tables = new Set<string>();
    for (const text of statements) {
      const reads = (await tableReads(client, text)) ?? [];
      for (const { table } of reads) tables.add(table);
      const why = whyMoreThanOneShard(reads, (table) => COLUMNS.get(table));
      if (why !== null) refused.push(`${why}: ${text}`);
    }
    expect(refused).toEqual([]);
    expect([...tables]).toEqual(
      expect.arrayContaining(['tx', 'account_tx', 'contract_action', 'contract_state', 'hook_storage']),
    );
  });

  test('of transactions and of accounts need more, which is why these tables are local', async () => {
    const why = async (table: string, column: string) => {
      const found: (string | null)[] = [];
      for (const text of statements) found.push(await whyOf(text, new Map(COLUMNS).set(table, column)));
      return found;
    };
    expect(await why('tx', 'consensus_ts')).toContain('reads tx without a value of consensus_ts');
    expect(await why('account_tx', 'account_id')).toEqual(
      expect.arrayContaining([
        'reads account_tx without a value of account_id',
        'reads tx beside account_tx',
        'reads entity, entity_settings beside account_tx',
      ]),
    );
  });

  const state = 'select value from contract_state';
  test.each([
    [`${state} where contract_id = $1 and slot > $2`, null],
    [`${state} where contract_id = 7`, null],
    [`${state} where contract_id = $1 and (slot = $2 or slot is null)`, null],
    [
      `select 1 from contract_state a join contract_state b using (contract_id) where a.contract_id = $1`,
      null,
    ],
    [`select (select max(slot) from contract_state where contract_id = $1) from entity where false`, null],
    ['select id from entity', null],
    [`update contract_state set value = $1`, null],
    [state, 'reads contract_state without a value of contract_id'],
    [`${state} where contract_id > $1`, 'reads contract_state without a value of contract_id'],
    [`${state} where contract_id = any($1::bigint[])`, 'reads contract_state without a value of contract_id'],
    [`${state} where contract_id = $1 or slot = $2`, 'reads contract_state without a value of contract_id'],
    [`${state} where contract_id = (select max(id) from small)`, 'reads small beside contract_state'],
    [`${state} where contract_id = $1 and exists (select from small)`, 'reads small beside contract_state'],
    [
      'select 1 from contract_state a, contract_state b where a.contract_id = $1 and b.contract_id = $2',
      'reads contract_state for 2 values of contract_id',
    ],
    [
      'select 1 from contract_state a, hook_storage b where a.contract_id = $1 and b.owner_id = $1',
      'reads hook_storage beside contract_state',
    ],
  ])('%s', async (text, why) => {
    expect(await whyOf(text)).toBe(why);
  });
});

test('the page for operators has a command for each distributed table', () => {
  const commands = readFileSync(OPERATION, 'utf8').matchAll(
    /create_distributed_table\('(\w+)', '(\w+)', colocate_with => 'none'\)/g,
  );
  expect([...commands].map(([, table, column]) => [table, column])).toEqual([...COLUMNS]);
});
