import type { SqliteDatabase } from '../storage/sqlite.ts';
import { withStorageErrors } from '../storage/with-storage-errors.ts';
import { createInlineWriter } from '../storage/writer/inline-writer.ts';
import type { Writer } from '../storage/writer/writer.ts';
import { createSqliteContractRepository } from './contracts/contract-repository.sqlite.ts';
import { createSqliteJobStore } from './jobs/queue/job-repository.sqlite.ts';
import { createSqliteSignatureRepository } from './signature-database/signature-repository.sqlite.ts';
import { createSqliteCandidateRepository } from './similarity/candidate-repository.sqlite.ts';
import type { VerifyStore } from './verify-store.ts';
import { type VerifyWrites, verifyWrites } from './verify-writes.sqlite.ts';

/**
 * The state of the area in an opened and migrated SQLite database, which stays open.
 *
 * @param writer does the writes. Default: on the database, in this thread.
 */
export function createSqliteVerifyStore(
  database: SqliteDatabase,
  writer: Writer<VerifyWrites> = createInlineWriter(database, verifyWrites(database)),
): VerifyStore {
  return {
    jobs: withStorageErrors(createSqliteJobStore(database, writer)),
    contracts: withStorageErrors(createSqliteContractRepository(database)),
    candidates: withStorageErrors(createSqliteCandidateRepository(database, writer)),
    signatures: withStorageErrors(createSqliteSignatureRepository(database)),
  };
}
