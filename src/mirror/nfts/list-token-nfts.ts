import { printExactJson } from '../ledger/exact-json.ts';
import { accountConditions } from '../parameters/account-conditions.ts';
import { isAccountCondition, type ResolveAddress } from '../parameters/account-filter.ts';
import { andIntegers } from '../parameters/anded-integers.ts';
import { checkParameters } from '../parameters/check-parameters.ts';
import { cursorPage } from '../parameters/cursor-page.ts';
import type { EntityHome } from '../parameters/entity-id-text.ts';
import { parseFilter } from '../parameters/filter-operator.ts';
import { type PageSettings, pageChecks, pageRequest } from '../parameters/page-parameters.ts';
import { readQuery } from '../parameters/query-text.ts';
import { tokenInPath } from '../parameters/token-in-path.ts';
import { nftObject } from './nft-object.ts';
import { isSerialCondition } from './nft-parameters.ts';
import type { NftRepository } from './nft-repository.ts';

export interface NftListDependencies {
  readonly nfts: NftRepository;
  readonly home: EntityHome;
  readonly resolveAddress: ResolveAddress;
  readonly page: PageSettings;
  /** Values per parameter name. */
  readonly maxRepeated: number;
}

/** A page as it is sent. */
export interface NftPage {
  readonly json: string;
  readonly next: string | null;
}

/**
 * Answers `GET /api/v1/tokens/{tokenId}/nfts`; of an unknown token the list is empty.
 *
 * @throws MirrorApiError 400 for a bad token or bad parameters.
 * @see contracts/mirror-entities.md section 7.2
 */
export async function listTokenNfts(
  tokenId: string,
  target: string,
  { home, maxRepeated, nfts, page, resolveAddress }: NftListDependencies,
): Promise<NftPage> {
  const token = tokenInPath(tokenId, home);
  const checks = {
    ...pageChecks(page),
    'account.id': isAccountCondition,
    serialnumber: isSerialCondition,
  };
  const values = checkParameters(readQuery(target), checks, maxRepeated);
  const request = pageRequest(values, page);
  const owners = await accountConditions(values.get('account.id') ?? [], home, resolveAddress);
  const accounts = owners.length === 0 ? null : andIntegers(owners);
  const serials = andIntegers(
    (values.get('serialnumber') ?? [])
      .map(parseFilter)
      .filter((filter) => filter !== null)
      .map(({ operator, value }) => ({ operator, value: BigInt(value) })),
  );
  const isImpossible = [serials, accounts].some((asked) => asked !== null && asked.lower > asked.upper);
  // One more tells whether a page follows.
  const selection = { token, serials, accounts, order: request.order, limit: request.limit + 1 };
  const found = isImpossible ? [] : await nfts.ofToken(selection);
  const { next, shown } = cursorPage({
    cursor: {
      parameter: 'serialnumber',
      of: ({ serial }) => serial,
      print: String,
      selection: { equal: null, ...serials },
    },
    found,
    page,
    request,
    target,
    values,
  });
  return { json: printExactJson({ nfts: shown.map(nftObject), links: { next } }), next };
}
