import { invalidRequest } from '../errors.ts';
import { printExactJson } from '../ledger/exact-json.ts';
import { checkParameters } from '../parameters/check-parameters.ts';
import { parseFilter } from '../parameters/filter-operator.ts';
import { accountPart, partChecks, tokenPart } from '../parameters/key-parts.ts';
import { isCrossed, readOrderedKeys } from '../parameters/ordered-keys.ts';
import { orderedPage } from '../parameters/ordered-page.ts';
import { ownerInPath } from '../parameters/owner-in-path.ts';
import { readQuery } from '../parameters/query-text.ts';
import { strictPageChecks, strictPageRequest } from '../parameters/strict-limit.ts';
import type { PartConditions } from '../parameters/two-part-key.ts';
import { approvalJson } from './allowance-json.ts';
import type { Approval } from './allowance-repository.ts';
import type { AllowancesAnswer, ListAllowancesDependencies } from './list-allowances.ts';

/**
 * Answers `GET /api/v1/accounts/{id}/allowances/nfts`: the approvals of all NFTs of a token that an account gave, or
 * got with `owner=false`.
 *
 * @throws MirrorApiError 400 for bad parameters, 404 for an address or alias that nobody has.
 * @see contracts/mirror-entities.md sections 1.5 and 4
 */
export async function listApprovals(
  idOrAliasOrEvmAddress: string,
  target: string,
  { allowances, maxRepeated, names, page }: ListAllowancesDependencies,
): Promise<AllowancesAnswer> {
  const account = await ownerInPath(idOrAliasOrEvmAddress, names);
  const parts = [accountPart('account.id', names), tokenPart('token.id', names)];
  const checks = {
    ...partChecks(parts),
    ...strictPageChecks(page),
    owner: (text: string) => parseFlag(text) !== null,
  };
  const values = checkParameters(readQuery(target), checks, maxRepeated);
  const request = strictPageRequest(values, page);
  const conditions = await readOrderedKeys(values, parts);
  const refusal = refuse(conditions);
  if (refusal !== null) throw invalidRequest([refusal]);
  const isOwner = parseFlag(values.get('owner')?.at(-1) ?? 'true') === true;
  const { order } = request;
  // One more tells whether a page follows.
  const limit = request.limit + 1;
  const found = await allowances.nfts({
    account,
    side: isOwner ? 'owner' : 'spender',
    conditions,
    order,
    limit,
  });
  const cursorOf = ({ owner, spender, token }: Approval) => [isOwner ? spender : owner, token];
  const { next, shown } = orderedPage({ found, request, page, target, values, parts, conditions, cursorOf });
  return { json: printExactJson({ allowances: shown.map(approvalJson), links: { next } }), next };
}

/** The first combination of conditions that is refused, in the order of the contract's table. */
function refuse([account, token]: readonly PartConditions[]): string | null {
  if (account === undefined || token === undefined) return null;
  const isAsked = ({ equal, lower, upper }: PartConditions) =>
    equal !== null || lower !== null || upper !== null;
  const allows = ({ equal, ...bounds }: PartConditions, side: 'lower' | 'upper') =>
    equal !== null || bounds[side]?.isInclusive === true;
  const hasBothBounds = account.lower !== null && account.upper !== null;
  if (isCrossed(account)) return 'Invalid range provided for account.id';
  if (isAsked(token) && !isAsked(account)) return 'token.id parameter must have account.id present';
  if (isCrossed(token) && !hasBothBounds) return 'Invalid range provided for token.id';
  if (token.upper !== null && !allows(account, 'upper'))
    return 'Requires the presence of an lte or eq account.id parameter';
  if (token.lower !== null && !allows(account, 'lower'))
    return 'Requires the presence of an gte or eq account.id parameter';
  return null;
}

function parseFlag(text: string): boolean | null {
  const filter = parseFilter(text);
  const value = filter?.operator === 'eq' ? filter.value.toLowerCase() : null;
  return value === 'true' ? true : value === 'false' ? false : null;
}
