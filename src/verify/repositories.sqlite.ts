import type { SqliteDatabase } from '../storage/sqlite.ts';
import { createSqliteContractRepository } from './contract-repository.sqlite.ts';
import type { ContractRepository } from './contract-repository.ts';
import { createSqliteJobRepository } from './jobs/job-repository.sqlite.ts';
import type { JobRepository } from './jobs/job-repository.ts';
import { createSqliteCandidateRepository } from './similarity/candidate-repository.sqlite.ts';
import type { CandidateRepository } from './similarity/candidate-repository.ts';

/** The stored state of the area, one implementation per database. */
export interface VerifyRepositories {
  readonly jobs: JobRepository;
  readonly contracts: ContractRepository;
  readonly candidates: CandidateRepository;
}

/** The repositories of the area on one SQLite database. */
export function createSqliteVerifyRepositories(database: SqliteDatabase): VerifyRepositories {
  return {
    jobs: createSqliteJobRepository(database),
    contracts: createSqliteContractRepository(database),
    candidates: createSqliteCandidateRepository(database),
  };
}
