import { join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { aFolder } from '../../test/kit/storage/a-folder.ts';
import { ADDRESS, ANY_JOB, aLease, anEnd, SUBMISSION } from '../../test/kit/verify/a-queue.ts';
import { aCompilation, aMatch } from '../../test/kit/verify/a-verification.ts';
import type { HealthWrites } from '../storage/health-writes.sql.ts';
import { openDatabase } from '../storage/open-database.ts';
import { sqliteSql } from '../storage/sql/sqlite-sql.ts';
import type { JobWrites } from '../verify/jobs/queue/job-writes.sql.ts';
import { withSubmissions } from '../verify/jobs/queue/with-submissions.ts';
import { createVerifyStore } from '../verify/verify-store.sql.ts';
import { startWriterThread } from './store.sqlite.ts';

function open() {
  const path = join(aFolder(), 'l.sqlite');
  const database = openDatabase(path);
  const thread = startWriterThread(path, pino({ level: 'silent' }));
  onTestFinished(async () => {
    await thread.close();
    database.close();
  });
  return { database, thread };
}

test('a job is stored, claimed and completed by the thread, and read here', async () => {
  const { database, thread } = open();
  const { contracts, jobs: stored } = createVerifyStore(
    sqliteSql(database),
    thread.writerOf<JobWrites>('verify'),
  );
  const jobs = withSubmissions(stored);
  const job = {
    id: '1',
    chainId: '1',
    address: ADDRESS,
    startedAt: 1,
    submission: SUBMISSION,
    warnings: ['w'],
  };
  const limits = { jobs: 10, bytes: 1_000_000 };
  expect(await jobs.insert(job, limits)).toBe('inserted');
  expect(await jobs.insert({ ...job, id: '2' }, limits)).toBe('duplicate');
  expect(await jobs.claim(aLease('a', 1000), ANY_JOB)).toMatchObject(job);
  const result = aMatch({ compilation: aCompilation({}), runtime: 'match', creation: null });
  expect(await jobs.complete('1', 'a', result, anEnd(1100))).toBe('matched');
  expect(await jobs.find('1')).toMatchObject({ finishedAt: 1100, match: { runtime: 'match' } });
  expect(await contracts.findMatch('1', ADDRESS)).not.toBeNull();
});

test('a constraint that refuses a write is told with its code, and the next write works', async () => {
  const { database, thread } = open();
  database.exec(
    "CREATE TRIGGER fault BEFORE INSERT ON health_row BEGIN SELECT RAISE(ABORT, 'not this one'); END",
  );
  const writer = thread.writerOf<HealthWrites>('health');
  await expect(writer.write('touch', 1)).rejects.toMatchObject({
    message: 'not this one',
    code: 'SQLITE_CONSTRAINT_TRIGGER',
  });
  database.exec('DROP TRIGGER fault');
  await writer.write('touch', 2);
  expect(database.prepare('SELECT at FROM health_row').pluck().get()).toBe(2);
  expect(thread.state.writes).toBe('working');
});
