import type { Sql } from '../storage/sql/sql.ts';
import { withStorageErrors } from '../storage/with-storage-errors.ts';
import type { Writer } from '../storage/writer/writer.ts';
import { createContractRepository } from './contracts/contract-repository.sql.ts';
import { createDecodingRepository } from './decoding/decoding-repository.sql.ts';
import { createJobStore } from './jobs/queue/job-repository.sql.ts';
import type { JobWrites } from './jobs/queue/job-writes.sql.ts';
import { createSignatureRepository } from './signature-database/signature-repository.sql.ts';
import { createCandidateRepository } from './similarity/candidate-repository.sql.ts';

/**
 * The state of the area in an opened and migrated database, which stays open.
 *
 * @param writer does the writes.
 */
export function createVerifyStore(sql: Sql, writer: Writer<JobWrites>) {
  return {
    jobs: withStorageErrors(createJobStore(sql, writer)),
    contracts: withStorageErrors(createContractRepository(sql)),
    candidates: withStorageErrors(createCandidateRepository(sql)),
    signatures: withStorageErrors(createSignatureRepository(sql)),
    decoding: withStorageErrors(createDecodingRepository(sql)),
  };
}
