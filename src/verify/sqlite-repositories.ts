import type { SqliteDatabase } from '../storage/sqlite.ts';
import { createSqliteContractRepository } from './contract-repository.sqlite.ts';
import type { VerifyRepositories } from './index.ts';
import { createSqliteJobRepository } from './jobs/job-repository.sqlite.ts';

/** The repositories of the area on one SQLite database. */
export function createSqliteVerifyRepositories(database: SqliteDatabase): VerifyRepositories {
  return {
    jobs: createSqliteJobRepository(database),
    contracts: createSqliteContractRepository(database),
  };
}
