import { Type } from '@sinclair/typebox';
import { viewJob } from './job-view.ts';
import * as schemas from './schemas.ts';
import type { VerifyScope } from './verify-scope.ts';
import type { VerifyService } from './verify-service.ts';

const tags = ['verify'];
const { ErrorBody } = schemas;

/** Following a job. @see contracts/verification-api.md section 4 */
export function addJobRoutes(scope: VerifyScope, service: VerifyService): void {
  scope.get(
    '/v2/verify/:verificationId',
    {
      schema: {
        tags,
        summary: 'Follow a verification',
        params: Type.Object({ verificationId: schemas.VerificationId }),
        querystring: schemas.NoQuery,
        response: { 200: schemas.JobView, 400: ErrorBody, 404: ErrorBody, 500: ErrorBody },
      },
    },
    async ({ params }) => viewJob(await service.follow(params.verificationId)),
  );
}
