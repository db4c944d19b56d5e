import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  ADDRESS,
  ANY_JOB,
  aLease,
  anEnd,
  FAILED,
  OTHER_ADDRESS,
  queueOn,
} from '../../../../test/kit/verify/a-queue.ts';
import { openDatabase } from '../../../storage/open-database.ts';
import { sqliteSql } from '../../../storage/sql/sqlite-sql.ts';
import type { SqliteDatabase } from '../../../storage/sqlite.ts';
import { createInlineWriter } from '../../../storage/writer/inline-writer.ts';
import { createVerifyStore } from '../../verify-store.sql.ts';
import { jobWrites } from './job-writes.sql.ts';

const open: SqliteDatabase[] = [];
afterEach(() => {
  for (const database of open.splice(0)) database.close();
});

function aQueue(file = ':memory:') {
  const database = openDatabase(file);
  open.push(database);
  const sql = sqliteSql(database);
  const writer = createInlineWriter(database, jobWrites(sql));
  return { ...queueOn(createVerifyStore(sql, writer)), database };
}

/** What every backend does is in test/contracts/verification-jobs.test.ts. */
describe('the queue of verifications in SQLite', () => {
  test('refuses a second unfinished job in the database itself', () => {
    const { database } = aQueue();
    const insert = database.prepare(
      'INSERT INTO verification_job (id, chain_id, address, started_at) VALUES (?, ?, ?, 0)',
    );
    insert.run('a', '1', Buffer.from('ab', 'hex'));
    expect(() => insert.run('b', '1', Buffer.from('ab', 'hex'))).toThrow(/UNIQUE/);
  });

  test('passes over a job whose input is gone, as when another process cancels it meanwhile', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ledgerlens-queue-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'l.sqlite');
    const { insert, database } = aQueue(file);
    const [gone, next] = ['a'.repeat(36), 'b'.repeat(36)];
    await insert(ADDRESS, { id: gone });
    await insert(OTHER_ADDRESS, { id: next });
    database.prepare('DELETE FROM verification_job_input WHERE job_id = ?').run(gone);
    expect(await aQueue(file).jobs.claim(aLease('other', 1000), ANY_JOB)).toMatchObject({ id: next });
    for (const database of open.splice(0)) database.close();
  });

  test('reads places and the size of the queue from an index alone', async () => {
    const { database } = aQueue();
    const plan = database
      .prepare(
        `EXPLAIN QUERY PLAN SELECT count(*), sum(input_bytes) FILTER (WHERE client = 'a') FROM verification_job AS ahead
         WHERE ahead.finished_at IS NULL AND ahead.lease_owner IS NULL
           AND (ahead.turn, ahead.started_at, ahead.id) < (1, 1, 'a')`,
      )
      .all() as { readonly detail: string }[];
    expect(plan.map(({ detail }) => detail).join()).toMatch(/USING COVERING INDEX verification_job_waiting/);
  });

  test('keeps no input of a job that has ended', async () => {
    const { jobs, insert, database } = aQueue();
    const inputs = database.prepare('SELECT count(*) FROM verification_job_input').pluck();
    await insert(ADDRESS);
    await insert(OTHER_ADDRESS);
    expect(inputs.get()).toBe(2);
    const first = await jobs.claim(aLease('a', 1000), ANY_JOB);
    await jobs.complete(first?.id ?? '', 'a', FAILED, anEnd(2000));
    const second = await jobs.claim(aLease('a', 2000), ANY_JOB);
    await jobs.cancel(second?.id ?? '', anEnd(3000));
    expect(inputs.get()).toBe(0);
  });
});
