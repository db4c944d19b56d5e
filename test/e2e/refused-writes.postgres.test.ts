import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PostgresCluster, startPostgres } from '../support/postgres.ts';
import { runCommand } from '../support/serve-process.ts';

/** What operators see when a database does not take what a command writes. */
const folder = mkdtempSync(join(tmpdir(), 'ledgerlens-refused-'));
const LEDGER = join(folder, 'ledger.ndjson');
const SOURCE = `sqlite:${join(folder, 'source.sqlite')}`;
const ENV = { DATABASE_URL: SOURCE, STATUS_PROBES_OFF: 'all' };

let cluster: PostgresCluster;
beforeAll(async () => {
  cluster = await startPostgres();
  const token = { kind: 'token', token_id: '0.0.5001', created_timestamp: '1700000000.000000000' };
  writeFileSync(LEDGER, JSON.stringify({ ...token, name: randomBytes(6000).toString('base64') }));
  expect(runCommand(['import', LEDGER], ENV, folder).exitCode).toBe(0);
}, 60_000);
afterAll(async () => {
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function query(url: string, text: string): Promise<readonly object[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

test.each([
  [
    'a value too long for it',
    'create index on token (name)',
    'Database error: a value is too large for it (54000)',
  ],
  [
    'any other',
    'alter table token add constraint short check (length(name) < 100)',
    'The database rejected this: new row for relation "token" violates check constraint "short" (23514)',
  ],
])(
  'a command tells in one line what a database refuses: %s',
  async (_what, change, reason) => {
    const [one, other] = [await cluster.createMigrated(), await cluster.createMigrated()];
    for (const url of [one, other]) await query(url, change);
    const imported = runCommand(['import', LEDGER], { ...ENV, DATABASE_URL: one }, folder);
    expect(imported.errors.trimEnd().split('\n').at(-1)).toContain(reason);
    expect(imported.errors).not.toMatch(/^ +at /m);
    expect(imported.exitCode).toBe(1);
    const copied = runCommand(['copy', '--from', SOURCE, '--to', other], ENV, folder);
    expect(copied.errors).toMatch(/^The database postgres:\S+ cannot be used: .+\((54000|23514)\)\. .+\n$/m);
    expect(copied.errors).not.toMatch(/^ +at /m);
    expect(copied.exitCode).toBe(1);
  },
  60_000,
);
