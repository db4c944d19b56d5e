/** The thread behind `WriterThread`: the writes of all areas on one connection. */
import { parentPort, workerData } from 'node:worker_threads';
import { statusWrites } from '../status/status-store.sql.ts';
import { healthWrites } from '../storage/health-writes.sql.ts';
import { sqliteSql } from '../storage/sql/sqlite-sql.ts';
import { serveWrites } from '../storage/writer/serve-writes.ts';
import type { WriterSetup } from '../storage/writer/writer-messages.ts';
import { jobWrites } from '../verify/jobs/queue/job-writes.sql.ts';

if (parentPort === null) throw new Error('This module is the entry of a thread');
serveWrites(workerData as WriterSetup, parentPort, (database) => {
  const sql = sqliteSql(database);
  return {
    health: healthWrites(sql),
    status: statusWrites(sql),
    verify: jobWrites(sql),
  };
});
