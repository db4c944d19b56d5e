import { Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendJson } from '../../http/answers/piecewise-answer.ts';
import { type FormBody, isFormBody, NO_FORM } from '../bodies/form-body.ts';
import { addFormParsers } from '../forms/form-parsers.ts';
import type { VerifyContext } from '../verify-context.ts';
import type { VerifyScope } from '../verify-scope.ts';
import { runAction } from './etherscan-actions.ts';
import { readEtherscanCall } from './etherscan-call.ts';

const Answer = Type.Object({
  status: Type.Unsafe<'0' | '1'>({ type: 'string', enum: ['0', '1'] }),
  message: Type.String(),
  result: Type.Unknown(),
  customCode: Type.Optional(Type.String()),
  reason: Type.Optional(Type.String()),
});
const parameter = (description: string) => Type.Optional(Type.String({ description }));
const Query = Type.Object({
  module: parameter('contract or logs'),
  action: parameter(
    'verifysourcecode, verifyvyper, checkverifystatus, getsourcecode, getabi, getcontractcreation, ' +
      'verifyproxycontract or checkproxyverification, and getLogs of logs; a POST may have all parameters in its body',
  ),
  chainid: parameter('Decimal; may be left out where there is one chain.'),
  address: parameter('Of the contract.'),
  guid: parameter('Receipt of a submission.'),
});

/** The paths of version 1 and 2 of that API, and those with a chain, to which some clients add `/api`. */
const PATHS = ['/api', '/v2/api', '/api/:chainId', '/api/:chainId/api'] as const;

/**
 * Verification in Etherscan's form.
 *
 * @see docs/adr/0002-reference-apis-first.md
 */
export function addEtherscanRoutes(scope: VerifyScope, context: VerifyContext): void {
  scope.register(async (instance) => {
    const inner = instance as unknown as VerifyScope;
    addFormParsers(inner, context);
    const answer = async (request: FastifyRequest, reply: FastifyReply) => {
      reply.header('cache-control', 'no-store');
      const call = readEtherscanCall(request.query, () => formOf(request), {
        pathChainId: chainIdOf(request.params),
        userAgent: request.headers['user-agent'] ?? '',
        clientAddress: request.ip,
        dropBody: request.dropBody,
      });
      return sendJson(reply, await runAction(context, call, reply.raw));
    };
    for (const url of PATHS) {
      for (const method of ['GET', 'POST'] as const) {
        inner.route({
          method,
          url,
          config: { errorForm: 'etherscan', bodyKind: 'etherscan' },
          validatorCompiler: () => () => true,
          // Before its body is read: `/api/v2` is not a chain but another area's path, in whose form a refusal is due.
          onRequest: ({ params }, reply, done) => {
            if (/^\d*$/.test(chainIdOf(params))) done();
            else reply.callNotFound();
          },
          schema: {
            tags: ['verify'],
            summary: `Verification in Etherscan's form${method === 'GET' ? ': lookups and status' : ''}`,
            hide: url !== '/api' && url !== '/api/:chainId',
            querystring: Query,
            response: { 200: Answer, '4xx': Answer, '5xx': Answer },
          },
          handler: answer,
        });
      }
    }
  });
}

function formOf({ body }: FastifyRequest): FormBody {
  return isFormBody(body) ? body : NO_FORM;
}

/** Empty when the path names none. */
function chainIdOf(params: unknown): string {
  return (params as { readonly chainId?: string }).chainId ?? '';
}
