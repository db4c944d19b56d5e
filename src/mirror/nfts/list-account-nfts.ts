import { printEntityId } from '../../values/entity-id.ts';
import { printExactJson } from '../ledger/exact-json.ts';
import { accountConditions } from '../parameters/account-conditions.ts';
import { isAccountCondition } from '../parameters/account-filter.ts';
import { checkParameters } from '../parameters/check-parameters.ts';
import { accountInPath, type EntityNames } from '../parameters/entity-in-path.ts';
import { type Filter, parseFilter } from '../parameters/filter-operator.ts';
import { selectIntegers } from '../parameters/integer-range.ts';
import { pageChecks, pageRequest } from '../parameters/page-parameters.ts';
import { readQuery } from '../parameters/query-text.ts';
import { tokenOfText } from '../parameters/token-in-path.ts';
import { readTwoPartKey, type TwoPartKey } from '../parameters/two-part-key.ts';
import { twoPartPage } from '../parameters/two-part-page.ts';
import { pairScans } from '../parameters/two-part-scans.ts';
import type { NftListDependencies, NftPage } from './list-token-nfts.ts';
import { nftObject } from './nft-object.ts';
import { isSerialCondition } from './nft-parameters.ts';

export interface AccountNftDependencies extends NftListDependencies, EntityNames {}

/**
 * Answers `GET /api/v1/accounts/{idOrAliasOrEvmAddress}/nfts`; the account need not exist.
 *
 * @throws MirrorApiError 400 for a bad account or bad parameters, 404 for an alias or address that nobody has.
 * @see contracts/mirror-entities.md sections 1.4 and 4
 */
export async function listAccountNfts(
  idOrAliasOrEvmAddress: string,
  target: string,
  dependencies: AccountNftDependencies,
): Promise<NftPage> {
  const { home, maxRepeated, nfts, page, resolveAddress } = dependencies;
  const account = await accountInPath(idOrAliasOrEvmAddress, dependencies);
  const tokenOf = (text: string) => tokenOfText(text, home);
  const checks = {
    ...pageChecks(page),
    serialnumber: isSerialCondition,
    'spender.id': isAccountCondition,
    'token.id': (text: string) => tokenOf(parseFilter(text)?.value ?? '') !== null,
  };
  const values = checkParameters(readQuery(target), checks, maxRepeated);
  const request = pageRequest(values, page);
  const key: TwoPartKey = {
    primary: { parameter: 'token.id', read: tokenOf, print: printEntityId },
    secondary: { parameter: 'serialnumber', read: BigInt, print: String },
  };
  const conditions = await readTwoPartKey(values, key, { 'spender.id': refuseSpenders });
  const given = await accountConditions(values.get('spender.id') ?? [], home, resolveAddress);
  const spenders = given.length === 0 ? null : selectIntegers(given);
  const found =
    spenders !== null && spenders.lower > spenders.upper
      ? []
      : await nfts.ofAccount({
          account,
          scans: pairScans(conditions, request.order),
          spenders,
          order: request.order,
          // One more tells whether a page follows.
          limit: request.limit + 1,
        });
  const { next, shown } = twoPartPage({
    conditions,
    found,
    key,
    of: ({ serial, token }) => ({ primary: token, secondary: serial }),
    page,
    request,
    target,
    values,
  });
  return { json: printExactJson({ nfts: shown.map(nftObject), links: { next } }), next };
}

/** Any number of `eq`, at most one bound of each direction. */
function refuseSpenders(filters: readonly Filter[]): string | null {
  const seen = new Set<string>();
  for (const { operator } of filters) {
    if (operator === 'ne') return 'Not equals (ne) comparison operator is not supported';
    if (operator === 'eq') continue;
    const direction = operator.slice(0, 1);
    if (seen.has(direction)) return 'Multiple range params not allowed for spender.id';
    seen.add(direction);
  }
  return null;
}
