import { facetBits } from '../ledger/account-rows.ts';
import type { TransactionFilter } from './transaction-filter.ts';

/** Every value that the column `facet` can have. */
const ALL_FACETS: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 7];

/**
 * The facets that a filter selects; null when it selects all.
 *
 * With `type` a row of zero amount or an NFT row does not count: credit and debit are bits of their own.
 */
export function selectFacets({
  direction,
  isSuccessful,
}: Pick<TransactionFilter, 'direction' | 'isSuccessful'>): readonly number[] | null {
  if (direction === null && isSuccessful === null) return null;
  return ALL_FACETS.filter(
    (facet) =>
      (direction === null || (facet & facetBits[direction]) !== 0) &&
      (isSuccessful === null || ((facet & facetBits.ok) !== 0) === isSuccessful),
  );
}

/** The facets as a list, also when all are selected. */
export function listFacets(filter: Pick<TransactionFilter, 'direction' | 'isSuccessful'>): readonly number[] {
  return selectFacets(filter) ?? ALL_FACETS;
}
