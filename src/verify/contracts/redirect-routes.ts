import { Type } from '@sinclair/typebox';
import * as schemas from '../schemas.ts';
import type { VerifyScope } from '../verify-scope.ts';

/** Where links for people lead. */
export interface RedirectRoutesParts {
  /** Path under which clients reach the server, without a trailing slash; empty when it is the root. */
  readonly publicPath: string;
  /** Address of pages about contracts, without a trailing slash; null: the API itself. */
  readonly contractPagesUrl: string | null;
}

const { ErrorBody } = schemas;
const hidden = { hide: true, querystring: schemas.NoQuery, response: { 302: Type.Null(), 400: ErrorBody } };

/**
 * The links that clients print for people.
 *
 * Only checked parameters get into `Location`, so that nobody is led to another site.
 *
 * @see contracts/verification-api.md section 11
 */
export function addRedirectRoutes(scope: VerifyScope, parts: RedirectRoutesParts): void {
  const { publicPath, contractPagesUrl } = parts;
  scope.get(
    '/repo-ui/:chainId/:address',
    { schema: { ...hidden, params: schemas.ContractParams } },
    async ({ params: { chainId, address } }, reply) =>
      reply.redirect(`${contractPagesUrl ?? `${publicPath}/v2/contract`}/${chainId}/${address}`, 302),
  );
}
