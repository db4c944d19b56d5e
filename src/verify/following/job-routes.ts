import { Type } from '@sinclair/typebox';
import * as schemas from '../schemas.ts';
import type { VerifyScope } from '../verify-scope.ts';
import type { VerifyService } from '../verify-service.ts';
import { goneSignal } from './gone-signal.ts';
import { viewJob } from './job-view.ts';

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
      const { record, activity } = await service.follow(params.verificationId, {
        waitMs,
        signal: goneSignal(reply.raw),
      });
      // A poll that is answered by a cache would never see the end.
      reply.header('cache-control', 'no-store');
      return viewJob(record, activity);
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
