import { createHash } from 'node:crypto';
import { clientOf } from '../http/client-address.ts';
import type { Clock } from '../values/clock.ts';
import type { Hex } from '../values/hex.ts';
import { timeLimit } from '../values/time-limit.ts';
import { checksumAddress, checksumWarning, normaliseAddress } from './address.ts';
import type { Chain, ChainRegistry } from './chain/chain-registry.ts';
import { ChainUnavailableError } from './chain/contract-code-source.ts';
import { invalidParameter, VerifyRequestError } from './errors.ts';
import type { JobCompletions } from './jobs/queue/job-completions.ts';
import type { JobDispatcher } from './jobs/queue/job-dispatcher.ts';
import type { FullQueue, InsertOutcome, JobRecord, QueueLimits } from './jobs/queue/job-repository.ts';
import type { JobActivity } from './jobs/queue/running-job.ts';
import type { JobRepository } from './jobs/queue/with-submissions.ts';
import { type Grades, isFullyVerified } from './match/better-match.ts';
import { heldBytesOf, type PackedSubmission, packSubmission, type Submission } from './model/submission.ts';

const WHOLE_TRANSACTION_HASH = /^0x[a-f0-9]{64}$/;
const RETRY_DUPLICATE_SECONDS = 5;
/** A client that asks for the second time is not kept waiting by a slow node. */
const LOOK_AGAIN_MS = 3000;
const RETRY_BUSY_SECONDS = 10;
const MEBIBYTE = 1_048_576;

/** What is known of the contracts that are verified already. */
interface VerifiedContracts {
  findMatch(chainId: string, address: Hex): Promise<Grades | null>;
  /** SHA-256 of the code that lay at the address when it was verified; null when it is not verified. */
  findRuntimeHash(chainId: string, address: Hex): Promise<Uint8Array | null>;
}

/** What the service works with. */
interface VerifyServiceParts {
  readonly chains: ChainRegistry;
  readonly jobs: JobRepository;
  readonly contracts: VerifiedContracts;
  readonly dispatcher: JobDispatcher;
  readonly completions: JobCompletions;
  /** Why the next job of a client would find no place, as far as that is known; then it is not looked at for a moment. */
  readonly queueRefusalOf: (client: string) => FullQueue | null;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly queueLimits: QueueLimits;
  readonly firstPollMs: number;
  /** Path under which clients reach the server, without a trailing slash. */
  readonly publicPath: string;
}

/** One submission, still unchecked. */
export interface SubmissionRequest {
  readonly creationTransactionHash: string | undefined;
  /** Address of who submits it: clients take turns. */
  readonly clientAddress: string;
  /** @throws VerifyRequestError `invalid_parameter` */
  readonly read: () => Submission | PackedSubmission;
  /** Called before a node is asked: forgets what was sent, of which a packed submission of so many bytes stays. */
  readonly dropBody?: ((keptBytes: number) => void) | undefined;
  /** True when the submission is refused unless there is code at the address. */
  readonly needsCode?: boolean;
}

/** A job with what it is busy with; `activity` is null when it does not run in this process. */
export interface FollowedJob {
  readonly record: JobRecord;
  readonly activity: JobActivity | null;
  /** How long it will wait if others take as long as the last ones; null when it does not wait, or nobody knows. */
  readonly waitSeconds: number | null;
}

/** How long a status request may be held. */
interface FollowOptions {
  /** Milliseconds; null: the first request for a job is held for `firstPollMs`, later ones not at all. */
  readonly waitMs: number | null;
  /** Fires when the client goes away. */
  readonly signal: AbortSignal;
}

/** Accepts submissions and follows jobs. */
export type VerifyService = ReturnType<typeof createVerifyService>;

/** Creates the service. */
export function createVerifyService(parts: VerifyServiceParts) {
  const { chains, jobs, contracts, dispatcher, completions } = parts;

  /** @throws VerifyRequestError `unsupported_chain` when the chain is not configured. */
  const requireChain = (chainId: string): Chain => {
    const chain = chains.get(chainId);
    if (chain === undefined) throw new VerifyRequestError('unsupported_chain', `Chain ${chainId} not found`);
    return chain;
  };

  /** @throws VerifyRequestError `unsupported_chain` when the chain takes no submissions. */
  const requireSupportedChain = (chainId: string): Chain => {
    const chain = requireChain(chainId);
    if (chain.settings.supported) return chain;
    throw new VerifyRequestError('unsupported_chain', `Chain ${chainId} is not supported for verification`);
  };

  // To make an error takes as long as all else that a refusal does.
  const busy: Readonly<Record<FullQueue, VerifyRequestError>> = {
    too_many_jobs: serverBusy('too_many_jobs', parts.queueLimits),
    too_many_bytes: serverBusy('too_many_bytes', parts.queueLimits),
    too_many_of_client: serverBusy('too_many_of_client', parts.queueLimits),
  };
  /**
   * Refuses a submission of a client that the queue has no room for. Each asks once, as soon as its client can be answered,
   * before `submit`.
   *
   * @throws VerifyRequestError `server_busy`
   * @see docs/adr/0014-verification-queue.md
   */
  const requireRoom = (clientAddress: string): void => {
    const refusal = parts.queueRefusalOf(clientOf(clientAddress));
    if (refusal !== null) throw busy[refusal];
  };

  /**
   * Reads a job as it is now. Unlike `follow` it does not count as a client's request for the status.
   *
   * @throws VerifyRequestError `job_not_found`
   */
  const look = async (id: string): Promise<FollowedJob> => {
    const activity = dispatcher.activityOf(id);
    const record = await requireJob(jobs, id);
    const { queuePosition } = record;
    return {
      record,
      activity,
      waitSeconds: queuePosition === null ? null : dispatcher.waitSeconds(queuePosition),
    };
  };

  return {
    requireRoom,
    /** Undefined when the chain is not configured. */
    findChain: (chainId: string) => chains.get(chainId),
    requireChain,
    /** Where clients follow a job. */
    jobPath: (id: string) => `${parts.publicPath}/v2/verify/${id}`,
    requireSupportedChain,
    /**
     * Checks a submission in the order of the contract and stores its job.
     *
     * @param request what was sent; `read` checks the body and runs after the chain was found.
     * @returns the id of the job, which is committed.
     * @throws VerifyRequestError
     * @see contracts/verification-api.md sections 2.1 and 3
     */
    async submit(chainId: string, addressText: string, request: SubmissionRequest): Promise<string> {
      checkTransactionHash(request.creationTransactionHash);
      const chain = requireSupportedChain(chainId);
      let submission = request.read();
      // Nothing is held parsed while a node takes its time.
      const pack = async () => {
        if (submission.kind !== 'packed')
          submission = { kind: 'packed', ...(await packSubmission(submission)) };
        request.dropBody?.(heldBytesOf(submission));
      };
      const address = normaliseAddress(addressText);
      const match = await contracts.findMatch(chainId, address);
      if (match !== null && isFullyVerified(match)) {
        const verified = await contracts.findRuntimeHash(chainId, address);
        await pack();
        if (!(await holdsOtherCode(chain, address, verified))) throw alreadyVerified(chainId, address);
      }
      if (request.needsCode === true) {
        // The node is not asked for a request that is refused anyway.
        if (await jobs.hasUnfinished(chainId, address)) throw alreadyRunning(chainId, address);
        await pack();
        await requireCode(chain, chainId, address);
      }
      const id = parts.newId();
      const startedAt = parts.clock.now();
      const warning = checksumWarning(addressText);
      const warnings = warning === null ? [] : [warning];
      const client = clientOf(request.clientAddress);
      const job = { id, chainId, address, startedAt, submission, warnings, client };
      let settle = (_isStored: boolean): void => {};
      let outcome: InsertOutcome | null = null;
      try {
        outcome = await jobs.insert(job, parts.queueLimits, (sent) => {
          settle = dispatcher.begin(job, sent);
          dispatcher.wake(chainId);
        });
      } finally {
        settle(outcome === 'inserted');
      }
      if (outcome === 'duplicate') throw alreadyRunning(chainId, address);
      if (outcome !== 'inserted') throw busy[outcome];
      return id;
    },
    /**
     * Reads a job, once it has ended or the time to wait is over.
     *
     * @throws VerifyRequestError `job_not_found`
     * @see contracts/verification-api.md section 14
     */
    async follow(id: string, { waitMs, signal }: FollowOptions): Promise<FollowedJob> {
      if (await jobs.isUnfinished(id)) {
        const isFirst = completions.noteRequest(id);
        const timeoutMs = waitMs ?? (isFirst ? parts.firstPollMs : 0);
        const isFinished = async () => !(await jobs.isUnfinished(id));
        if (timeoutMs > 0) await completions.wait(id, { timeoutMs, isFinished, signal });
      }
      return look(id);
    },
    look,
    /**
     * Ends an unfinished job; its address can be submitted again at once.
     *
     * @throws VerifyRequestError `job_not_found`, `job_finished`
     * @see contracts/verification-api.md section 14
     */
    async cancel(id: string): Promise<void> {
      const outcome = await dispatcher.cancel(id);
      if (outcome === 'unknown') throw jobNotFound(id);
      if (outcome === 'finished') {
        throw new VerifyRequestError('job_finished', `Verification job ${id} has already finished`);
      }
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
  if (job === null) throw jobNotFound(id);
  return job;
}

function jobNotFound(id: string): VerifyRequestError {
  return new VerifyRequestError('job_not_found', `No verification job found for id ${id}`);
}

/** Whether a contract was destroyed or made anew since it was verified; false when the chain does not say it in time. */
async function holdsOtherCode(
  { source }: Chain,
  address: Hex,
  verified: Uint8Array | null,
): Promise<boolean> {
  const { signal: limit } = timeLimit(LOOK_AGAIN_MS);
  try {
    const code = await source.runtimeCode(address, limit);
    return verified !== null && Buffer.compare(createHash('sha256').update(code).digest(), verified) !== 0;
  } catch (error) {
    if (limit.aborted || error instanceof ChainUnavailableError) return false;
    throw error;
  }
}

/** @see contracts/verification-api.md section 7.2 */
async function requireCode({ source }: Chain, chainId: string, address: Hex): Promise<void> {
  const checksummed = checksumAddress(address);
  const code = await source.runtimeCode(address).catch((error: unknown) => {
    if (!(error instanceof ChainUnavailableError)) throw error;
    const text = `Failed to get bytecode for chain ${chainId} and address ${checksummed}.`;
    throw new VerifyRequestError('failed_to_get_bytecode', text);
  });
  if (code.length > 0) return;
  const text = `There is no bytecode at address ${checksummed} on chain ${chainId}.`;
  throw new VerifyRequestError('cannot_fetch_bytecode', text);
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

function serverBusy(reason: FullQueue, { jobs, bytes }: QueueLimits): VerifyRequestError {
  const waiting = {
    too_many_jobs: `${jobs} verifications are already waiting`,
    too_many_bytes: `The waiting verifications would exceed ${bytes / MEBIBYTE} MiB of input`,
    too_many_of_client: 'Your waiting verifications would take more of the queue than they leave free',
  }[reason];
  return new VerifyRequestError(
    'server_busy',
    `${waiting}. Nothing was stored; try again later.`,
    RETRY_BUSY_SECONDS,
  );
}
