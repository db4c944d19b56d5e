import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SHARED_COMMIT_UNITS } from '../../src/mirror/ingest/run/commit-batch.ts';
import { openPostgresConnection } from '../../src/storage/postgres/postgres-pool.ts';
import { writeIntoFolder } from '../../tools/network/folder-writer.ts';
import { writeStream } from '../../tools/network/write-stream.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { runCommand } from '../support/serve-process.ts';

test('an import says that what was stored stays when the database fails, and goes on from there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerlens-import-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'stream');
  // More than one commit holds, so that there is one before that of the last unit.
  const files = SHARED_COMMIT_UNITS + 3;
  await writeStream(writeIntoFolder(path), { seed: 'broken off', files });
  const url = await (await sharedPostgres()).createMigrated();
  const client = await openPostgresConnection(url);
  onTestFinished(() => client.end());
  await client.query(
    `create function stopping() returns trigger language plpgsql as $$ begin
       if (select count(*) from ledger_unit) = ${files} then
         raise exception 'stopping' using errcode = '57P01';
       end if;
       return null;
     end $$;
     create trigger stopping after insert on ledger_unit execute function stopping()`,
  );
  const broken = runCommand(['import', path], { DATABASE_URL: url }, folder);
  expect(broken.exitCode).toBe(1);
  expect(broken.errors).toContain(
    'The import stopped because of the database: it is shutting down. ' +
      'Data stored so far is kept; run the command again to continue.',
  );
  expect(broken.errors).not.toContain('Nothing was stored');
  await client.query('drop trigger stopping on ledger_unit');
  const { output } = runCommand(['import', path], { DATABASE_URL: url }, folder);
  const [, imported, stored] = /(\d+) units? with .* imported, (\d+) already stored/.exec(output) ?? [];
  expect(Number(stored)).toBeGreaterThan(0);
  expect(Number(imported) + Number(stored)).toBe(files);
});
