import type { FastifyRequest } from 'fastify';
import type { ErrorAnswer } from '../http/area.ts';

/** Named by a route whose clients read errors in another form than that of version 2. */
type ErrorForm = 'version_1' | 'signature_database' | 'etherscan';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Default: the form of version 2. */
    readonly errorForm?: ErrorForm;
  }
}

/** The members that every error of the area has. @see contracts/verification-api.md section 2.3 */
interface RequestErrorBody {
  readonly customCode: string;
  readonly message: string;
  readonly errorId: string;
}

/** An answer before the form of its route is known. */
export type RequestErrorAnswer = ErrorAnswer & { readonly body: RequestErrorBody };

/** Brings an error into the form that the clients of its route read; what they do not know stays beside it. */
export function inFormOfRoute(answer: RequestErrorAnswer, { routeOptions }: FastifyRequest): ErrorAnswer {
  // The router may refuse a request before it has a route.
  switch (routeOptions?.config?.errorForm) {
    case 'version_1':
      return { ...answer, body: { error: answer.body.message, ...answer.body } };
    case 'signature_database':
      return { ...answer, body: { ok: false, error: answer.body.message, ...answer.body } };
    case 'etherscan':
      return inEtherscanForm(answer);
    default:
      return answer;
  }
}

/** Its clients read `result` and take any other status than 200 for a broken server. */
const REFUSALS: ReadonlySet<number> = new Set([400, 404, 409, 415]);

function inEtherscanForm(answer: RequestErrorAnswer): ErrorAnswer {
  const { message, ...others } = answer.body;
  return {
    ...answer,
    statusCode: REFUSALS.has(answer.statusCode) ? 200 : answer.statusCode,
    body: { status: '0', message: 'NOTOK', result: message, ...others },
  };
}
