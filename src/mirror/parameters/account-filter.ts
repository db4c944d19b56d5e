import { MAX_INT64, MIN_INT64 } from '../../values/int64.ts';
import { isOfHome, parseAliasText } from './account-alias-text.ts';
import { type EntityHome, looksLikeEntity, parseEntityText } from './entity-id-text.ts';
import { type FilterOperator, parseFilter } from './filter-operator.ts';
import { type IntegerSelection, selectIntegers } from './integer-range.ts';

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

/** Finds the account with an alias. */
export type ResolveAlias = (alias: Uint8Array) => Promise<bigint | null>;

/** The check of one `account.id` value. */
export function isAccountCondition(text: string): boolean {
  const filter = parseFilter(text);
  return filter !== null && looksLikeEntity(filter.value);
}

/**
 * Combines the conditions of checked `account.id` values; all must hold for the same account.
 *
 * @param resolveAlias for lists that accept an alias in place of an id.
 * @returns null without conditions, `nobody` when no account can meet them.
 * @throws MirrorApiError 400 `Invalid entity ID` for a number that cannot be encoded.
 * @see contracts/mirror-transactions.md sections 3.1 and 3.2
 */
export async function parseAccountFilter(
  texts: readonly string[],
  home: EntityHome,
  resolveAddress: ResolveAddress,
  resolveAlias: ResolveAlias = async () => null,
): Promise<AccountFilter | null | 'nobody'> {
  if (texts.length === 0) return null;
  const conditions: { readonly operator: FilterOperator; readonly value: bigint }[] = [];
  // It adds nothing to a set, which others may still fill.
  let asksForNobody = false;
  for (const text of texts) {
    const filter = parseFilter(text);
    if (filter === null) continue;
    const id = await accountOf(filter.value, home, resolveAddress, resolveAlias);
    if (id !== null) conditions.push({ operator: filter.operator, value: id });
    // An id that no account has: nothing lies above it, everything lies below or differs.
    else if (filter.operator === 'gt' || filter.operator === 'gte') return 'nobody';
    else if (filter.operator === 'eq') asksForNobody = true;
  }
  const { equal, excluded, lower, upper } = selectIntegers(conditions);
  if (lower > upper || (equal === null && asksForNobody)) return 'nobody';
  if (equal === null) return { kind: 'range', lower, upper, excluded: [...excluded] };
  const ids = [...equal].filter((id) => id >= lower && id <= upper && !excluded.has(id));
  return ids.length === 0 ? 'nobody' : { kind: 'set', ids };
}

/** The ids that a filter leaves, as the bounds of a page. */
export function accountSelection(filter: AccountFilter): Pick<IntegerSelection, 'equal' | 'lower' | 'upper'> {
  return filter.kind === 'range'
    ? { equal: null, lower: filter.lower, upper: filter.upper }
    : { equal: new Set(filter.ids), lower: MIN_INT64, upper: MAX_INT64 };
}

/** Null when no account has the id, address or alias. */
async function accountOf(
  text: string,
  home: EntityHome,
  resolveAddress: ResolveAddress,
  resolveAlias: ResolveAlias,
): Promise<bigint | null> {
  const alias = looksLikeEntity(text) ? null : parseAliasText(text);
  if (alias !== null) return isOfHome(alias, home) ? resolveAlias(alias.alias) : null;
  const entity = parseEntityText(text, home);
  if (entity.kind === 'id') return entity.id;
  return entity.kind === 'evm-address' ? resolveAddress(entity.hex) : null;
}
