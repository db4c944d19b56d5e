import { Type } from '@sinclair/typebox';
import { toHex } from '../../values/hex.ts';
import { checksumAddress } from '../address.ts';
import { printApiTime } from '../api-time.ts';
import type { JobBytecodes } from '../jobs/results/verification-result.ts';
import { overallMatch } from '../match/compiled-code.ts';
import { failureMessage } from '../model/job-failure.ts';
import * as schemas from '../schemas.ts';
import type { VerifyScope } from '../verify-scope.ts';
import type { FollowedJob, VerifyService } from '../verify-service.ts';
import { goneSignal } from './gone-signal.ts';

const tags = ['verify'];
const { ErrorBody } = schemas;

/** Following and cancelling a job. @see contracts/verification-api.md sections 4 and 14 */
export function addJobRoutes(scope: VerifyScope, service: VerifyService): void {
  scope.get(
    '/v2/verify/:verificationId',
    {
      schema: {
        tags,
        summary: 'Follow a verification',
        params: Type.Object({ verificationId: schemas.VerificationId }),
        querystring: schemas.FollowQuery,
        response: { 200: schemas.JobView, 400: ErrorBody, 404: ErrorBody, 500: ErrorBody },
      },
    },
    async ({ params, query }, reply) => {
      const waitMs = query.wait === undefined ? null : query.wait * 1000;
      const followed = await service.follow(params.verificationId, {
        waitMs,
        signal: goneSignal(reply.raw),
      });
      // A poll that is answered by a cache would never see the end.
      reply.header('cache-control', 'no-store');
      return viewJob(followed);
    },
  );

  scope.delete(
    '/v2/verify/:verificationId',
    {
      schema: {
        tags,
        summary: 'Cancel a verification that has not finished',
        params: Type.Object({ verificationId: schemas.VerificationId }),
        querystring: schemas.NoQuery,
        response: { 204: Type.Null(), 400: ErrorBody, 404: ErrorBody, 409: ErrorBody, 500: ErrorBody },
      },
    },
    async ({ params }, reply) => {
      await service.cancel(params.verificationId);
      return reply.code(204).send(null);
    },
  );
}

/**
 * Builds the answer of `GET /v2/verify/{verificationId}`.
 *
 * Members without a value are absent, never null: clients test `error !== undefined`.
 *
 * @param followed its record, what it is busy with, and how long it will wait
 *
 * @see contracts/verification-api.md section 4
 */
function viewJob({ activity, record: job, waitSeconds }: FollowedJob) {
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
    ...viewProgress({ activity, record: job, waitSeconds }),
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
function viewProgress({ activity, record: job, waitSeconds }: FollowedJob) {
  const isRunning = job.finishedAt === null && activity !== null;
  const warnings = isRunning ? activity.warnings : job.warnings;
  const running = isRunning ? activity.stage : null;
  const stage = job.queuePosition === null ? running : ('queued' as const);
  return {
    ...(stage === null ? {} : { stage }),
    ...(job.queuePosition === null ? {} : { queuePosition: job.queuePosition }),
    ...(waitSeconds === null ? {} : { estimatedWaitSeconds: waitSeconds }),
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
