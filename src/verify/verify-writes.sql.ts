import type { Sql } from '../storage/sql/sql.ts';
import { jobWrites } from './jobs/queue/job-writes.sql.ts';
import { candidateWrites } from './similarity/candidate-writes.sql.ts';

export type VerifyWrites = ReturnType<typeof verifyWrites>;

/** Everything that the area writes. */
export function verifyWrites(sql: Sql) {
  return { ...jobWrites(sql), ...candidateWrites(sql) };
}
