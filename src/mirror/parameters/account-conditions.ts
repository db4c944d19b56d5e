import { MAX_INT64 } from '../../values/int64.ts';
import { type EntityNames, entityOfText } from './entity-in-path.ts';
import { type FilterOperator, parseFilter } from './filter-operator.ts';

/** Above every account: nothing equals it, nothing lies above it, everything lies below. */
const NOBODY = MAX_INT64 + 1n;

/**
 * The conditions of checked id values, an EVM address resolved.
 *
 * @throws MirrorApiError 400 `Invalid entity ID` for a number that cannot be encoded.
 * @see contracts/mirror-entities.md section 1.2
 */
export async function accountConditions(
  texts: readonly string[],
  names: Pick<EntityNames, 'home' | 'resolveAddress'>,
): Promise<readonly { readonly operator: FilterOperator; readonly value: bigint }[]> {
  const conditions = [];
  for (const { operator, value } of texts.map(parseFilter).filter((filter) => filter !== null)) {
    conditions.push({ operator, value: (await entityOfText(value, names)) ?? NOBODY });
  }
  return conditions;
}
