import { readSubmission } from './read-submission.ts';
import { MAX_BODY_BYTES, requireJsonBody } from './request-body.ts';
import * as schemas from './schemas.ts';
import type { VerifyScope } from './verify-scope.ts';
import type { VerifyService } from './verify-service.ts';

const tags = ['verify'];
const { ErrorBody } = schemas;

/** Submissions. @see contracts/verification-api.md sections 3 and 7 */
export function addSubmissionRoutes(scope: VerifyScope, service: VerifyService): void {
  scope.post(
    '/v2/verify/:chainId/:address',
    {
      bodyLimit: MAX_BODY_BYTES,
      onRequest: requireJsonBody,
      schema: {
        tags,
        summary: 'Submit source code for verification',
        params: schemas.ContractParams,
        querystring: schemas.NoQuery,
        body: schemas.SubmissionRequest,
        response: {
          202: schemas.SubmissionAccepted,
          400: ErrorBody,
          409: ErrorBody,
          413: ErrorBody,
          429: ErrorBody,
          500: ErrorBody,
          503: ErrorBody,
        },
      },
    },
    async ({ params, body }, reply) => {
      const verificationId = await service.submit(params.chainId, params.address, {
        creationTransactionHash: body.creationTransactionHash,
        read: () => readSubmission(body),
      });
      return reply.code(202).header('Location', `/v2/verify/${verificationId}`).send({ verificationId });
    },
  );
}
