import { flag, hex, int64, json, rowTable, unlessNull } from '../../../values/row-table.ts';
import type { JobBytecodes } from '../results/verification-result.ts';
import type { JobRecord, NewJob, TakenJob, UnfinishedJob } from './job-repository.ts';

/** The tables of the queue, one declaration each; times are milliseconds. */
export const JOB_WARNINGS = rowTable<Pick<JobRecord, 'warnings'>>({ warnings: json('job.warnings', []) });

export const JOB = rowTable<Omit<NewJob, 'client' | 'submission'>>({
  id: 'job.id',
  chainId: 'job.chain_id',
  address: hex('job.address'),
  startedAt: 'job.started_at',
  ...JOB_WARNINGS.members,
});

/** A job as it is claimed. */
export const TAKEN_JOB = rowTable<TakenJob>({
  ...JOB.members,
  isSuspect: flag('job.is_suspect'),
  loneCrashes: 'job.lone_crashes',
});

export const UNFINISHED_JOB = rowTable<UnfinishedJob>({
  id: 'job.id',
  chainId: 'job.chain_id',
  address: hex('job.address'),
  startedAt: 'job.started_at',
  client: 'job.client',
  bytes: 'job.input_bytes',
  state: `CASE WHEN job.lease_owner IS NULL THEN 'waiting' ELSE 'running' END AS state`,
});

/** How a job ended. */
export const JOB_OUTCOME = rowTable<Pick<JobRecord, 'finishedAt' | 'compilationMs' | 'match' | 'error'>>({
  finishedAt: 'job.finished_at',
  compilationMs: 'job.compilation_ms',
  match: unlessNull('match_id', {
    creation: 'job.creation_match',
    runtime: 'job.runtime_match',
    matchId: int64('job.match_id'),
    verifiedAt: 'job.verified_at',
  }),
  error: unlessNull('error_code', {
    id: 'job.error_id',
    code: 'job.error_code',
    data: json('job.error_data'),
  }),
});

export const JOB_BYTECODES = rowTable<JobBytecodes>({
  recompiledCreation: 'bytecode.recompiled_creation_code',
  recompiledRuntime: 'bytecode.recompiled_runtime_code',
  onchainCreation: 'bytecode.onchain_creation_code',
  onchainRuntime: 'bytecode.onchain_runtime_code',
  creationTransactionHash: hex('bytecode.creation_transaction_hash'),
  recompiledSettings: json('bytecode.recompiled_settings'),
});

/** Everything about a job, with its place among those that wait. */
export const JOB_RECORD = rowTable<JobRecord>({
  ...JOB.members,
  ...JOB_OUTCOME.members,
  queuePosition: `CASE WHEN job.finished_at IS NULL AND job.lease_owner IS NULL THEN 1 + (
     SELECT count(*) FROM verification_job AS ahead
     WHERE ahead.finished_at IS NULL AND ahead.lease_owner IS NULL
       AND (ahead.turn, ahead.started_at, ahead.id) < (job.turn, job.started_at, job.id)) END AS queue_position`,
  bytecodes: JOB_BYTECODES,
});
