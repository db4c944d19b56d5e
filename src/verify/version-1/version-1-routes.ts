import type { FastifyReply, FastifyRequest } from 'fastify';
import { checksumAddress, normaliseAddress } from '../address.ts';
import { printApiTime } from '../api-time.ts';
import { isFormBody, NO_FORM } from '../bodies/form-body.ts';
import { LargeBody } from '../bodies/large-body.ts';
import type { ContractMatch } from '../contracts/contract-repository.sql.ts';
import { type RequestErrorCode, VerifyRequestError } from '../errors.ts';
import { goneSignal } from '../following/gone-signal.ts';
import { addFormParsers } from '../forms/form-parsers.ts';
import type { JobRecord } from '../jobs/queue/job-repository.ts';
import { failureMessage, type JobErrorCode } from '../model/job-failure.ts';
import type { VerifyContext } from '../verify-context.ts';
import type { VerifyScope } from '../verify-scope.ts';
import type { SubmissionRequest } from '../verify-service.ts';
import { statusOfMatch } from './list-contracts.ts';
import { addVersion1LookUps } from './look-up-routes.ts';
import { FORM_KINDS, type Version1Request } from './read-requests.ts';
import { describeRoute } from './route-options.ts';

/**
 * Version 1 of the API, translated onto the jobs and look-ups of version 2.
 *
 * @see docs/adr/0002-reference-apis-first.md
 */
export function addVersion1Routes(scope: VerifyScope, context: VerifyContext): void {
  addVersion1LookUps(scope, context);
  scope.register(async (instance) => {
    const inner = instance as unknown as VerifyScope;
    addFormParsers(inner, context);
    const post = (url: string, summary: string, kind: keyof typeof FORM_KINDS) =>
      inner.post(
        url,
        {
          ...describeRoute(summary, url === '/', kind),
          // What a full queue refuses is not read first.
          onRequest: async ({ ip }) => context.service.requireRoom(ip),
        },
        async (request, reply) => ({ result: [await awaitVerification(context, request, reply, kind)] }),
      );
    for (const url of ['/', '/verify']) {
      post(url, 'Verify from metadata and sources (version 1)', 'version_1_verify');
    }
    post('/verify/solc-json', 'Verify from standard JSON (version 1)', 'version_1_solc_json');
    post('/verify/vyper', 'Verify Vyper sources (version 1)', 'version_1_vyper');
  });
}

/** A request whose body may have been read already. */
type Version1Submission = Omit<Version1Request, 'read'> & Pick<SubmissionRequest, 'read'>;

/** @throws VerifyRequestError */
function requestOf(body: unknown, kind: keyof typeof FORM_KINDS): Version1Submission {
  if (!(body instanceof LargeBody)) return FORM_KINDS[kind](isFormBody(body) ? body : NO_FORM);
  const { creationTransactionHash, target } = body;
  if (target === null) throw new Error('A large form without a target');
  return { ...target, creationTransactionHash, read: () => body.submission() };
}

/** Clients give up after five minutes without an answer. */
const WAIT_TIMEOUT_MS = 280_000;
const RETRY_SECONDS = 10;

/** Failures of a job that are not the client's; all others are 400. */
const CODE_OF_FAILURE: Partial<Record<JobErrorCode, RequestErrorCode>> = {
  already_verified: 'already_verified',
  cannot_fetch_bytecode: 'failed_to_get_bytecode',
  contract_not_deployed: 'cannot_fetch_bytecode',
  internal_error: 'internal_error',
  job_abandoned: 'internal_error',
  job_cancelled: 'job_finished',
};

/**
 * Verifies and waits for the end.
 *
 * @throws VerifyRequestError also for a job that ended without a match, with its message.
 */
async function awaitVerification(
  context: VerifyContext,
  request: FastifyRequest,
  reply: FastifyReply,
  kind: keyof typeof FORM_KINDS,
) {
  const { service, contracts } = context;
  const signal = goneSignal(reply.raw);
  const submitted = await submit(context, request, reply, kind);
  if (typeof submitted !== 'string') return submitted;
  const { record } = await service.follow(submitted, { waitMs: WAIT_TIMEOUT_MS, signal });
  if (record.finishedAt === null) throw unfinished(service.jobPath(submitted));
  const match = await contracts.findMatch(record.chainId, record.address);
  if (record.error === null) {
    if (match === null) throw new Error(`The job ${submitted} has ended with a match that is not stored`);
    return viewResult(match);
  }
  if (record.error.code === 'already_verified' && isPerfect(match)) return viewResult(match);
  throw refusal(record);
}

/**
 * Stores the job and forgets the body: hundreds may wait for minutes, and must not hold their sources meanwhile.
 *
 * @returns the id of the job, or the match when the contract is verified already.
 */
async function submit(
  { service, contracts }: VerifyContext,
  request: FastifyRequest,
  reply: FastifyReply,
  kind: keyof typeof FORM_KINDS,
) {
  const { chainId, address, creationTransactionHash } = requestOf(request.body, kind);
  reply.header('cache-control', 'no-store');
  try {
    return await service.submit(chainId, address, {
      creationTransactionHash,
      clientAddress: request.ip,
      // The form itself is not held while a node takes its time.
      read: () => requestOf(request.body, kind).read(),
      dropBody: request.dropBody,
    });
  } catch (error) {
    const match = isAlreadyVerified(error)
      ? await contracts.findMatch(chainId, normaliseAddress(address))
      : null;
    if (!isPerfect(match)) throw error;
    return viewResult(match);
  } finally {
    request.dropBody?.();
  }
}

function isPerfect(match: ContractMatch | null): match is ContractMatch {
  return match !== null && statusOfMatch(match) === 'perfect';
}

function isAlreadyVerified(error: unknown): boolean {
  return error instanceof VerifyRequestError && error.code === 'already_verified';
}

function unfinished(path: string): VerifyRequestError {
  return new VerifyRequestError(
    'server_busy',
    `The verification is still running. Request its result at ${path}, or send the same again later.`,
    RETRY_SECONDS,
  );
}

function refusal({ error, chainId, address }: JobRecord): VerifyRequestError {
  if (error === null) throw new Error('The job has not failed');
  const checksummed = checksumAddress(address);
  const message =
    error.code === 'already_verified'
      ? `The contract ${checksummed} on chainId ${chainId} is already partially verified. The provided new source ` +
        "code also yielded a partial match and will not be stored unless it's a full match"
      : failureMessage(error, { chainId, address: checksummed });
  return new VerifyRequestError(CODE_OF_FAILURE[error.code] ?? 'invalid_parameter', message);
}

/** One element of `result`. */
function viewResult(match: ContractMatch) {
  return {
    address: checksumAddress(match.address),
    chainId: match.chainId,
    status: statusOfMatch(match),
    storageTimestamp: printApiTime(match.verifiedAt),
  };
}

const ANY_METHOD = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Paths of the first version of the API, and the methods that it gave a meaning there. */
const FORMER_PATHS: readonly { readonly url: string; readonly method: string[] }[] = [
  // The landing page answers the other methods.
  { url: '/', method: ['POST'] },
  // GET leads to the page.
  { url: '/verify', method: ANY_METHOD.filter((method) => method !== 'GET') },
  ...[
    '/verify/*',
    '/check-by-addresses',
    '/check-all-by-addresses',
    '/checkByAddresses',
    '/checkAllByAddresses',
    '/files/*',
    '/repository/*',
  ].map((url) => ({ url, method: ANY_METHOD })),
];

/**
 * Answers 410 to every request of the first version, before its body is read.
 *
 * @see contracts/verification-api.md section 12
 */
export function addRefusedVersion1Routes(scope: VerifyScope, publicPath: string): void {
  const refuse = async (): Promise<never> => {
    throw new VerifyRequestError(
      'gone',
      `Version 1 of this API is not served. Use a client that speaks version 2 (forge 1.4, hardhat-verify 3 or ` +
        `newer), or POST ${publicPath}/v2/verify/{chainId}/{address} and ` +
        `GET ${publicPath}/v2/contract/{chainId}/{address}; all of it is described at ${publicPath}/docs`,
    );
  };
  for (const route of FORMER_PATHS) {
    scope.route({
      ...route,
      schema: { hide: true },
      config: { errorForm: 'version_1' },
      onRequest: refuse,
      handler: refuse,
    });
  }
}
