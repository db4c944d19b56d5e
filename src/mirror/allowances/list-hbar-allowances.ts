import { printEntityId } from '../../values/entity-id.ts';
import { invalidRequest } from '../errors.ts';
import { printExactJson } from '../ledger/exact-json.ts';
import { accountSelection, isAccountCondition, parseAccountFilter } from '../parameters/account-filter.ts';
import { checkParameters } from '../parameters/check-parameters.ts';
import { cursorPage } from '../parameters/cursor-page.ts';
import { accountInPath } from '../parameters/entity-in-path.ts';
import { parseFilter } from '../parameters/filter-operator.ts';
import { pageChecks, pageRequest } from '../parameters/page-parameters.ts';
import { readQuery } from '../parameters/query-text.ts';
import { allowanceJson } from './allowance-json.ts';
import type { AllowancesAnswer, ListAllowancesDependencies } from './list-allowances.ts';

const SPENDER = 'spender.id';
const NOT_EQUAL = `Not equal (ne) comparison operator is not supported for ${SPENDER}`;

/**
 * Answers `GET /api/v1/accounts/{id}/allowances/crypto`: who may spend hbar of an account, and how much still.
 *
 * @throws MirrorApiError 400 for bad parameters, 404 for an address or alias that nobody has.
 * @see contracts/mirror-entities.md section 4
 */
export async function listHbarAllowances(
  idOrAliasOrEvmAddress: string,
  target: string,
  { allowances, maxRepeated, names, page }: ListAllowancesDependencies,
): Promise<AllowancesAnswer> {
  const account = await accountInPath(idOrAliasOrEvmAddress, names);
  const checks = { ...pageChecks(page), [SPENDER]: isAccountCondition };
  const values = checkParameters(readQuery(target), checks, maxRepeated);
  const asked = values.get(SPENDER) ?? [];
  if (asked.some((text) => parseFilter(text)?.operator === 'ne')) throw invalidRequest([NOT_EQUAL]);
  const spenders = await parseAccountFilter(asked, names.home, names.resolveAddress);
  const request = pageRequest(values, page);
  const { order } = request;
  // One more tells whether a page follows.
  const found =
    spenders === 'none' ? [] : await allowances.hbar({ account, spenders, order, limit: request.limit + 1 });
  const { next, shown } = cursorPage({
    cursor: {
      parameter: SPENDER,
      of: ({ spender }) => spender,
      print: printEntityId,
      selection: spenders === null || spenders === 'none' ? null : accountSelection(spenders),
    },
    found,
    page,
    request,
    target,
    values,
  });
  return { json: printExactJson({ allowances: shown.map(allowanceJson), links: { next } }), next };
}
