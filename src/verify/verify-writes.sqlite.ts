import type { SqliteDatabase } from '../storage/sqlite.ts';
import { jobWrites } from './jobs/queue/job-writes.sqlite.ts';
import { candidateWrites } from './similarity/candidate-writes.sqlite.ts';

export type VerifyWrites = ReturnType<typeof verifyWrites>;

/** Everything that the area writes. */
export function verifyWrites(database: SqliteDatabase) {
  return { ...jobWrites(database), ...candidateWrites(database) };
}
