import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { namesTag } from '../../http/conditional.ts';
import type { ContractMatch } from './contract-repository.sql.ts';

/**
 * The entity tag of everything that is said about some contracts.
 *
 * Each better verification changes a grade, and nothing else changes a record; another version of the product
 * may print it otherwise. Weak, since a compressed answer has the same tag.
 *
 * @see contracts/verification-api.md section 2.4
 */
export function lookupTag(matches: readonly ContractMatch[], version: string): string {
  const parts = matches.map(
    ({ chainId, matchId, creation, runtime, verifiedAt }) =>
      `${chainId} ${matchId} ${creation} ${runtime} ${verifiedAt}`,
  );
  const digest = createHash('sha256')
    .update([version, ...parts].join('\n'))
    .digest('base64url');
  return `W/"${digest.slice(0, 22)}"`;
}

/**
 * Sets the headers by which a lookup can be kept and asked for again.
 *
 * Every use of a kept record is to be confirmed: a contract may be verified, or verified better, at any time.
 *
 * @returns true when the client holds the present record; the answer is then 304.
 */
export function isHeld(request: FastifyRequest, reply: FastifyReply, tag: string): boolean {
  reply
    .header('cache-control', 'no-cache')
    .header('etag', tag)
    .header('access-control-expose-headers', 'ETag');
  return namesTag(request.headers['if-none-match'], tag);
}
