import type { SqliteDatabase } from '../storage/sqlite.ts';
import type { Writer } from '../storage/writer/writer.ts';
import { createSqliteContractRepository } from './contracts/contract-repository.sqlite.ts';
import type { ContractRepository } from './contracts/contract-repository.ts';
import { createSqliteJobRepository } from './jobs/queue/job-repository.sqlite.ts';
import type { JobRepository } from './jobs/queue/job-repository.ts';
import type { StoredSubmission } from './jobs/queue/stored-submission.ts';
import { createSqliteSignatureRepository } from './signature-database/signature-repository.sqlite.ts';
import type { SignatureRepository } from './signature-database/signature-repository.ts';
import { createSqliteCandidateRepository } from './similarity/candidate-repository.sqlite.ts';
import type { CandidateRepository } from './similarity/candidate-repository.ts';
import type { Submission } from './submissions/submission.ts';
import type { VerifyWrites } from './verify-writes.sqlite.ts';

/** The stored state of the area, one implementation per database. */
export interface VerifyRepositories {
  readonly jobs: JobRepository;
  readonly contracts: ContractRepository;
  readonly candidates: CandidateRepository;
  readonly signatures: SignatureRepository;
}

/**
 * The repositories of the area: they read on the connection and write through the writer.
 *
 * @param unpack reads the submission of a job. Default: in this thread.
 */
export function createSqliteVerifyRepositories(
  database: SqliteDatabase,
  writer: Writer<VerifyWrites>,
  unpack?: (stored: StoredSubmission) => Promise<Submission>,
): VerifyRepositories {
  return {
    jobs: createSqliteJobRepository(database, writer, unpack),
    contracts: createSqliteContractRepository(database),
    candidates: createSqliteCandidateRepository(database, writer),
    signatures: createSqliteSignatureRepository(database),
  };
}
