import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type PostgresCluster, startPostgres } from '../../../test/support/postgres.ts';
import { openPostgresPool } from './postgres-pool.ts';

let cluster: PostgresCluster;
let url: string;
beforeAll(async () => {
  cluster = await startPostgres();
  url = await cluster.createDatabase();
});
afterAll(() => cluster?.stop());

async function settingOf(name: string, options?: string): Promise<unknown> {
  const given =
    options === undefined ? '' : `${url.includes('?') ? '&' : '?'}options=${encodeURIComponent(options)}`;
  const pool = openPostgresPool(url + given);
  try {
    const { rows } = await pool.query<{ readonly value: string }>('select current_setting($1) as value', [
      name,
    ]);
    return rows[0]?.value;
  } finally {
    await pool.end();
  }
}

test('statements are planned once, unless the URL says otherwise', async () => {
  expect(await settingOf('plan_cache_mode')).toBe('force_generic_plan');
  expect(await settingOf('plan_cache_mode', '-c plan_cache_mode=auto')).toBe('auto');
});

test('the name of who is connected is no matter of the URL', async () => {
  const pool = openPostgresPool(`${url}${url.includes('?') ? '&' : '?'}application_name=billing`);
  onTestFinished(() => pool.end());
  const { rows } = await pool.query("select current_setting('application_name') as name");
  expect(rows).toEqual([{ name: 'ledgerlens' }]);
});

test('options of the URL and of the environment count beside that', async () => {
  expect(await settingOf('search_path', '-c search_path=given')).toBe('given');
  expect(await settingOf('plan_cache_mode', '-c search_path=given')).toBe('force_generic_plan');
  const before = process.env['PGOPTIONS'];
  onTestFinished(() => {
    if (before === undefined) delete process.env['PGOPTIONS'];
    else process.env['PGOPTIONS'] = before;
  });
  process.env['PGOPTIONS'] = '-c search_path=around';
  expect(await settingOf('search_path')).toBe('around');
  expect(await settingOf('search_path', '-c search_path=given')).toBe('given');
});
