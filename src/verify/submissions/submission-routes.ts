import type { FastifyRequest } from 'fastify';
import { submissionOf } from '../bodies/large-body.ts';
import type { JsonKind } from '../bodies/prepared-body.ts';
import { VerifyRequestError } from '../errors.ts';
import type { Submission } from '../model/submission.ts';
import * as schemas from '../schemas.ts';
import type { VerifyScope } from '../verify-scope.ts';
import type { VerifyService } from '../verify-service.ts';
import { JSON_BODIES } from './read-submission.ts';
import { requireJsonBody } from './request-body.ts';

const tags = ['verify'];
const { ErrorBody } = schemas;

const responses = {
  202: schemas.SubmissionAccepted,
  400: ErrorBody,
  408: ErrorBody,
  409: ErrorBody,
  413: ErrorBody,
  429: ErrorBody,
  500: ErrorBody,
  503: ErrorBody,
};

/** Submissions. @see contracts/verification-api.md sections 3 and 7 */
export function addSubmissionRoutes(scope: VerifyScope, service: VerifyService): void {
  const { ContractParams: params, NoQuery: querystring } = schemas;
  // What a full queue refuses is not read first.
  const requireRoom = async ({ ip }: FastifyRequest) => service.requireRoom(ip);

  const submit = (
    folder: '' | '/metadata' | '/similarity',
    bodyKind: Exclude<JsonKind, 'import'>,
    summary: string,
    response: object = responses,
  ) => {
    const { schema: body, read } = JSON_BODIES[bodyKind];
    scope.post(
      `/v2/verify${folder}/:chainId/:address`,
      {
        onRequest: [requireJsonBody, requireRoom],
        config: { bodyKind },
        schema: { tags, summary, params, querystring, body, response },
      },
      async (request, reply) => {
        const { chainId, address } = request.params;
        const { creationTransactionHash } = request.body as { readonly creationTransactionHash?: string };
        const verificationId = await service.submit(chainId, address, {
          creationTransactionHash,
          clientAddress: request.ip,
          read: () => submissionOf(request.body as object, read as (body: object) => Submission),
          dropBody: request.dropBody,
          needsCode: bodyKind === 'similarity',
        });
        return reply
          .code(202)
          .header('Location', service.jobPath(verificationId))
          .send({ verificationId } as never);
      },
    );
  };
  submit('', 'standard_json', 'Submit source code for verification');
  submit('/metadata', 'metadata', 'Submit metadata and sources for verification');
  submit('/similarity', 'similarity', 'Verify with the sources of a similar verified contract', {
    ...responses,
    404: ErrorBody,
    502: ErrorBody,
  });

  scope.post(
    '/v2/verify/etherscan/:chainId/:address',
    {
      onRequest: requireJsonBody,
      config: { bodyKind: 'import' },
      schema: {
        tags,
        summary: 'Import from an explorer; always returns an error, since no chain has one',
        params,
        querystring,
        body: schemas.ImportRequest,
        response: { 400: ErrorBody, 413: ErrorBody, 500: ErrorBody },
      },
    },
    async ({ params: { chainId } }) => {
      service.requireSupportedChain(chainId);
      throw new VerifyRequestError(
        'unsupported_chain',
        `Requested chain ${chainId} is not supported for importing from Etherscan.`,
      );
    },
  );
}
