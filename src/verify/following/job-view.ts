import { toHex } from '../../values/hex.ts';
import { checksumAddress } from '../address.ts';
import { printApiTime } from '../api-time.ts';
import type { JobRecord } from '../jobs/queue/job-repository.ts';
import type { JobActivity } from '../jobs/queue/running-job.ts';
import type { JobBytecodes } from '../jobs/results/verification-result.ts';
import { overallMatch } from '../match/compiled-code.ts';
import { failureMessage } from '../model/job-failure.ts';

/**
 * Builds the answer of `GET /v2/verify/{verificationId}`.
 *
 * Members without a value are absent, never null: clients test `error !== undefined`.
 *
 * @param activity what the job is busy with; null when it does not run in this process.
 *
 * @see contracts/verification-api.md section 4
 */
export function viewJob(job: JobRecord, activity: JobActivity | null = null) {
  const address = checksumAddress(job.address);
  const { match, error } = job;
  return {
    isJobCompleted: job.finishedAt !== null,
    verificationId: job.id,
    jobStartTime: printApiTime(job.startedAt),
    ...(job.finishedAt === null ? {} : { jobFinishTime: printApiTime(job.finishedAt) }),
    ...(job.compilationMs === null ? {} : { compilationTime: String(job.compilationMs) }),
    contract: {
      match: match === null ? null : overallMatch(match.creation, match.runtime),
      creationMatch: match?.creation ?? null,
      runtimeMatch: match?.runtime ?? null,
      chainId: job.chainId,
      address,
      ...(match === null
        ? {}
        : { verifiedAt: printApiTime(match.verifiedAt), matchId: String(match.matchId) }),
    },
    ...viewProgress(job, activity),
    ...(error === null
      ? {}
      : {
          error: {
            customCode: error.code,
            message: failureMessage(error, { chainId: job.chainId, address }),
            errorId: error.id,
            ...viewBytecodes(job.bytecodes),
            ...(error.data === null ? {} : { errorData: error.data }),
          },
        }),
  };
}

/** What is additional to the reference. @see contracts/verification-api.md section 14 */
function viewProgress(job: JobRecord, activity: JobActivity | null) {
  const isRunning = job.finishedAt === null && activity !== null;
  const warnings = isRunning ? activity.warnings : job.warnings;
  const running = isRunning ? activity.stage : null;
  const stage = job.queuePosition === null ? running : ('queued' as const);
  return {
    ...(stage === null ? {} : { stage }),
    ...(job.queuePosition === null ? {} : { queuePosition: job.queuePosition }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

function viewBytecodes(bytecodes: JobBytecodes) {
  const { recompiledCreation, recompiledRuntime, onchainCreation, onchainRuntime } = bytecodes;
  const { creationTransactionHash } = bytecodes;
  return {
    ...(recompiledCreation === null ? {} : { recompiledCreationCode: toHex(recompiledCreation) }),
    ...(recompiledRuntime === null ? {} : { recompiledRuntimeCode: toHex(recompiledRuntime) }),
    ...(onchainCreation === null ? {} : { onchainCreationCode: toHex(onchainCreation) }),
    ...(onchainRuntime === null ? {} : { onchainRuntimeCode: toHex(onchainRuntime) }),
    ...(creationTransactionHash === null ? {} : { creationTransactionHash }),
  };
}
