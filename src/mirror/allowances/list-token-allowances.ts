import { printExactJson } from '../ledger/exact-json.ts';
import { checkParameters } from '../parameters/check-parameters.ts';
import { accountInPath } from '../parameters/entity-in-path.ts';
import { accountPart, partChecks, tokenPart } from '../parameters/key-parts.ts';
import { pageChecks, pageRequest } from '../parameters/page-parameters.ts';
import { readQuery } from '../parameters/query-text.ts';
import { readTwoPartKey } from '../parameters/two-part-key.ts';
import { twoPartPage } from '../parameters/two-part-page.ts';
import { tokenAllowanceJson } from './allowance-json.ts';
import type { Allowance } from './allowance-repository.ts';
import type { AllowancesAnswer, ListAllowancesDependencies } from './list-allowances.ts';

/**
 * Answers `GET /api/v1/accounts/{id}/allowances/tokens`: who may spend tokens of an account, and how much still.
 *
 * @throws MirrorApiError 400 for bad parameters, 404 for an address or alias that nobody has.
 * @see contracts/mirror-entities.md sections 1.4 and 4
 */
export async function listTokenAllowances(
  idOrAliasOrEvmAddress: string,
  target: string,
  { allowances, maxRepeated, names, page }: ListAllowancesDependencies,
): Promise<AllowancesAnswer> {
  const account = await accountInPath(idOrAliasOrEvmAddress, names);
  const key = { primary: accountPart('spender.id', names), secondary: tokenPart('token.id', names) };
  const checks = { ...pageChecks(page), ...partChecks([key.primary, key.secondary]) };
  const values = checkParameters(readQuery(target), checks, maxRepeated);
  const conditions = await readTwoPartKey(values, key);
  const request = pageRequest(values, page, 'asc');
  const { order } = request;
  // One more tells whether a page follows.
  const found = await allowances.tokens({ account, conditions, order, limit: request.limit + 1 });
  const of = ({ spender, token }: Allowance) => ({ primary: spender, secondary: token });
  const { next, shown } = twoPartPage({ found, request, page, target, values, key, conditions, of });
  return { json: printExactJson({ allowances: shown.map(tokenAllowanceJson), links: { next } }), next };
}
