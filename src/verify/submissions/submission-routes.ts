import type { FastifyReply, FastifyRequest } from 'fastify';
import { submissionOf } from '../bodies/large-body.ts';
import { VerifyRequestError } from '../errors.ts';
import * as schemas from '../schemas.ts';
import type { VerifyScope } from '../verify-scope.ts';
import type { VerifyService } from '../verify-service.ts';
import { readMetadataSubmission, readSimilaritySubmission, readSubmission } from './read-submission.ts';
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
  const accept = (reply: FastifyReply, verificationId: string) =>
    reply.code(202).header('Location', service.jobPath(verificationId)).send({ verificationId });

  const { ContractParams: params, NoQuery: querystring } = schemas;
  // What a full queue refuses is not read first.
  const requireRoom = async ({ ip }: FastifyRequest) => service.requireRoom(ip);
  const options = { onRequest: [requireJsonBody, requireRoom] };

  scope.post(
    '/v2/verify/:chainId/:address',
    {
      ...options,
      config: { bodyKind: 'standard_json' },
      schema: {
        tags,
        summary: 'Submit source code for verification',
        params,
        querystring,
        body: schemas.SubmissionRequest,
        response: responses,
      },
    },
    async ({ params: { chainId, address }, body, ip: clientAddress }, reply) => {
      const { creationTransactionHash } = body;
      const read = () => submissionOf(body, readSubmission);
      return accept(
        reply,
        await service.submit(chainId, address, { creationTransactionHash, clientAddress, read }),
      );
    },
  );

  scope.post(
    '/v2/verify/metadata/:chainId/:address',
    {
      ...options,
      config: { bodyKind: 'metadata' },
      schema: {
        tags,
        summary: 'Submit metadata and sources for verification',
        params,
        querystring,
        body: schemas.MetadataRequest,
        response: responses,
      },
    },
    async ({ params: { chainId, address }, body, ip: clientAddress }, reply) => {
      const { creationTransactionHash } = body;
      const read = () => submissionOf(body, readMetadataSubmission);
      return accept(
        reply,
        await service.submit(chainId, address, { creationTransactionHash, clientAddress, read }),
      );
    },
  );

  scope.post(
    '/v2/verify/similarity/:chainId/:address',
    {
      ...options,
      config: { bodyKind: 'similarity' },
      schema: {
        tags,
        summary: 'Verify with the sources of a similar contract that is verified already',
        params,
        querystring,
        body: schemas.SimilarityRequest,
        response: { ...responses, 404: ErrorBody, 502: ErrorBody },
      },
    },
    async ({ params: { chainId, address }, body, ip: clientAddress }, reply) => {
      const { creationTransactionHash } = body;
      const read = () => submissionOf(body, readSimilaritySubmission);
      const request = { creationTransactionHash, clientAddress, read, needsCode: true };
      return accept(reply, await service.submit(chainId, address, request));
    },
  );

  scope.post(
    '/v2/verify/etherscan/:chainId/:address',
    {
      onRequest: requireJsonBody,
      config: { bodyKind: 'import' },
      schema: {
        tags,
        summary: 'Import from an explorer; answers that no chain has one',
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
