import type { Clock } from '../values/clock.ts';
import type { Hex } from '../values/hex.ts';
import { checksumAddress, normaliseAddress } from './address.ts';
import type { Chain, ChainRegistry } from './chain/chain-registry.ts';
import type { ContractRepository } from './contract-repository.ts';
import { invalidParameter, VerifyRequestError } from './errors.ts';
import type { JobCompletions } from './jobs/job-completions.ts';
import type { JobDispatcher } from './jobs/job-dispatcher.ts';
import type { JobRecord, JobRepository } from './jobs/job-repository.ts';
import { isFullyVerified } from './match/better-match.ts';
import type { Submission } from './submission.ts';

const WHOLE_TRANSACTION_HASH = /^0x[a-f0-9]{64}$/;
const RETRY_DUPLICATE_SECONDS = 5;
const RETRY_BUSY_SECONDS = 10;

/** What the service works with. */
export interface VerifyServiceParts {
  readonly chains: ChainRegistry;
  readonly jobs: JobRepository;
  readonly contracts: ContractRepository;
  readonly dispatcher: JobDispatcher;
  readonly completions: JobCompletions;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly maxWaitingJobs: number;
  readonly firstPollMs: number;
}

/** One submission, still unchecked. */
export interface SubmissionRequest {
  readonly creationTransactionHash: string | undefined;
  /** @throws VerifyRequestError `invalid_parameter` */
  readonly read: () => Submission;
}

/** Accepts submissions and follows jobs. */
export interface VerifyService {
  /**
   * Checks a submission in the order of the contract and stores its job.
   *
   * @param request what was sent; `read` checks the body and runs after the chain was found.
   * @returns the id of the job, which is committed.
   * @throws VerifyRequestError
   * @see contracts/verification-api.md sections 2.1 and 3
   */
  submit(chainId: string, address: string, request: SubmissionRequest): Promise<string>;
  /**
   * Reads a job; the first request for one that is still running waits for its end.
   *
   * @throws VerifyRequestError `job_not_found`
   * @see contracts/verification-api.md section 14
   */
  follow(id: string): Promise<JobRecord>;
  /** @throws VerifyRequestError `unsupported_chain` when the chain is not configured. */
  requireChain(chainId: string): Chain;
}

/** Creates the service. */
export function createVerifyService(parts: VerifyServiceParts): VerifyService {
  const { chains, jobs, contracts, dispatcher, completions } = parts;

  const requireChain = (chainId: string): Chain => {
    const chain = chains.get(chainId);
    if (chain === undefined) throw new VerifyRequestError('unsupported_chain', `Chain ${chainId} not found`);
    return chain;
  };

  return {
    requireChain,
    async submit(chainId, addressText, request) {
      checkTransactionHash(request.creationTransactionHash);
      const { settings } = requireChain(chainId);
      if (!settings.supported) {
        throw new VerifyRequestError(
          'unsupported_chain',
          `Chain ${chainId} is not supported for verification`,
        );
      }
      const submission = request.read();
      const address = normaliseAddress(addressText);
      const match = await contracts.findMatch(chainId, address);
      if (match !== null && isFullyVerified(match)) throw alreadyVerified(chainId, address);
      const id = parts.newId();
      const startedAt = parts.clock.now();
      const outcome = await jobs.insert(
        { id, chainId, address, startedAt, submission },
        parts.maxWaitingJobs,
      );
      if (outcome === 'duplicate') throw alreadyRunning(chainId, address);
      if (outcome === 'queue_full') throw serverBusy(parts.maxWaitingJobs);
      dispatcher.wake();
      return id;
    },
    async follow(id) {
      const job = await requireJob(jobs, id);
      if (job.finishedAt !== null) return job;
      await completions.waitOnce(id, parts.firstPollMs, async () => {
        const current = await jobs.find(id);
        return current === null || current.finishedAt !== null;
      });
      return requireJob(jobs, id);
    },
  };
}

/** The published pattern is not anchored; the value must match as a whole. */
function checkTransactionHash(hash: string | undefined): void {
  if (hash === undefined || WHOLE_TRANSACTION_HASH.test(hash)) return;
  throw invalidParameter(
    'request/body/creationTransactionHash must match pattern "(\\b0x[a-f0-9]{64}\\b)" as a whole',
  );
}

async function requireJob(jobs: JobRepository, id: string): Promise<JobRecord> {
  const job = await jobs.find(id);
  if (job === null) throw new VerifyRequestError('job_not_found', `No verification job found for id ${id}`);
  return job;
}

function alreadyVerified(chainId: string, address: Hex): VerifyRequestError {
  return new VerifyRequestError(
    'already_verified',
    `Contract ${checksumAddress(address)} on chain ${chainId} is already verified with runtimeMatch and creationMatch both being exact matches.`,
  );
}

function alreadyRunning(chainId: string, address: Hex): VerifyRequestError {
  return new VerifyRequestError(
    'duplicate_verification_request',
    `Contract ${checksumAddress(address)} on chain ${chainId} is already being verified`,
    RETRY_DUPLICATE_SECONDS,
  );
}

function serverBusy(maxWaitingJobs: number): VerifyRequestError {
  return new VerifyRequestError(
    'server_busy',
    `${maxWaitingJobs} verifications are waiting already. Nothing was stored; try again later.`,
    RETRY_BUSY_SECONDS,
  );
}
