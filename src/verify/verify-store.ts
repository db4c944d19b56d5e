import type { ContractRepository } from './contracts/contract-repository.ts';
import type { DecodingRepository } from './decoding/decoding-repository.ts';
import type { JobRepository, JobStore } from './jobs/queue/job-repository.ts';
import type { SignatureRepository } from './signature-database/signature-repository.ts';
import type { CandidateRepository } from './similarity/candidate-repository.ts';

/** The stored state of the area, one implementation per database. */
export interface VerifyStore {
  readonly jobs: JobStore;
  readonly contracts: ContractRepository;
  readonly candidates: CandidateRepository;
  readonly signatures: SignatureRepository;
  readonly decoding: DecodingRepository;
}

/** The same as the area uses it: jobs come with their submissions. */
export interface VerifyRepositories extends Omit<VerifyStore, 'jobs'> {
  readonly jobs: JobRepository;
}
