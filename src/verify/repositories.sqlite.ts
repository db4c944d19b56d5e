import type { SqliteDatabase } from '../storage/sqlite.ts';
import { createSqliteContractRepository } from './contract-repository.sqlite.ts';
import type { ContractRepository } from './contract-repository.ts';
import { createSqliteJobRepository } from './jobs/job-repository.sqlite.ts';
import type { JobRepository } from './jobs/job-repository.ts';

/** The stored state of the area, one implementation per database. */
export interface VerifyRepositories {
  readonly jobs: JobRepository;
  readonly contracts: ContractRepository;
}

/** The repositories of the area on one SQLite database. */
export function createSqliteVerifyRepositories(database: SqliteDatabase): VerifyRepositories {
  return {
    jobs: createSqliteJobRepository(database),
    contracts: createSqliteContractRepository(database),
  };
}
