import { type EntityHome, looksLikeEntity, parseEntityText } from './entity-id-text.ts';
import { type FilterOperator, parseFilter } from './filter-operator.ts';
import { selectIntegers } from './integer-range.ts';

/** Which accounts a list asks for; all conditions hold for the same account. */
export type AccountFilter =
  | { readonly kind: 'set'; readonly ids: readonly bigint[] }
  | {
      readonly kind: 'range';
      /** Inclusive. */
      readonly lower: bigint;
      readonly upper: bigint;
      readonly excluded: readonly bigint[];
    };

/** Finds the account behind an EVM address: 40 hex digits in lower case. */
export type ResolveAddress = (hex: string) => Promise<bigint | null>;

/** The check of one `account.id` value. */
export function isAccountCondition(text: string): boolean {
  const filter = parseFilter(text);
  return filter !== null && looksLikeEntity(filter.value);
}

/**
 * Combines the conditions of checked `account.id` values; all must hold for the same account.
 *
 * @returns null without conditions, `nobody` when no account can meet them.
 * @throws MirrorApiError 400 `Invalid entity ID` for a number that cannot be encoded.
 * @see contracts/mirror-transactions.md sections 3.1 and 3.2
 */
export async function parseAccountFilter(
  texts: readonly string[],
  home: EntityHome,
  resolveAddress: ResolveAddress,
): Promise<AccountFilter | null | 'nobody'> {
  if (texts.length === 0) return null;
  const conditions: { readonly operator: FilterOperator; readonly value: bigint }[] = [];
  for (const text of texts) {
    const filter = parseFilter(text);
    if (filter === null) continue;
    const entity = parseEntityText(filter.value, home);
    const id =
      entity.kind === 'id'
        ? entity.id
        : entity.kind === 'evm-address'
          ? await resolveAddress(entity.hex)
          : null;
    if (id !== null) conditions.push({ operator: filter.operator, value: id });
    // An id that no account has: nothing equals it or lies above it, everything lies below or differs.
    else if (['eq', 'gt', 'gte'].includes(filter.operator)) return 'nobody';
  }
  const { equal, excluded, lower, upper } = selectIntegers(conditions);
  if (lower > upper) return 'nobody';
  if (equal === null) return { kind: 'range', lower, upper, excluded: [...excluded] };
  const ids = [...equal].filter((id) => id >= lower && id <= upper && !excluded.has(id));
  return ids.length === 0 ? 'nobody' : { kind: 'set', ids };
}
