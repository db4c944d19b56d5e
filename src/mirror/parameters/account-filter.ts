import { MAX_INT64, MIN_INT64 } from '../../values/int64.ts';
import type { MaybePromise } from '../../values/map-maybe.ts';
import { isOfHome, parseAliasText } from './account-alias-text.ts';
import { type EntityHome, looksLikeEntity, parseEntityText } from './entity-id-text.ts';
import { type FilterOperator, parseFilter } from './filter-operator.ts';
import { NO_MATCH, type NoMatch } from './no-match.ts';
import { type IntegerSelection, selectIntegers } from './page-parameters.ts';

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
 * @returns null without conditions, `none` when no account can meet them; a promise only where one is looked up.
 * @throws MirrorApiError 400 `Invalid entity ID` for a number that cannot be encoded.
 * @see contracts/mirror-transactions.md sections 3.1 and 3.2
 */
export function parseAccountFilter(
  texts: readonly string[],
  home: EntityHome,
  resolveAddress: ResolveAddress,
  resolveAlias: ResolveAlias = async () => null,
): MaybePromise<AccountFilter | null | NoMatch> {
  if (texts.length === 0) return null;
  // All are read before the first is looked up, so that nothing is on its way when one is refused.
  const conditions = texts
    .map(parseFilter)
    .filter((filter) => filter !== null)
    .map(({ operator, value }) => ({ operator, id: accountOf(value, home, resolveAddress, resolveAlias) }));
  return conditions.every(isKnown) ? combined(conditions) : lookedUp(conditions).then(combined);
}

/** With `id` a function where the account has to be looked up; null when no account has the id. */
interface AccountCondition<Id> {
  readonly operator: FilterOperator;
  readonly id: Id;
}
type LookUp = () => Promise<bigint | null>;
type KnownCondition = AccountCondition<bigint | null>;

function isKnown(condition: AccountCondition<bigint | null | LookUp>): condition is KnownCondition {
  return typeof condition.id !== 'function';
}

/** One after the other: a request takes one database connection at a time. */
async function lookedUp(
  conditions: readonly AccountCondition<bigint | null | LookUp>[],
): Promise<readonly KnownCondition[]> {
  const found: KnownCondition[] = [];
  for (const { id, operator } of conditions) {
    found.push({ operator, id: typeof id === 'function' ? await id() : id });
  }
  return found;
}

function combined(conditions: readonly KnownCondition[]): AccountFilter | NoMatch {
  // An id that no account has: nothing lies above it, everything lies below or differs.
  if (conditions.some(({ id, operator }) => id === null && (operator === 'gt' || operator === 'gte'))) {
    return NO_MATCH;
  }
  const { equal, excluded, lower, upper } = selectIntegers(
    conditions.flatMap(({ id, operator }) => (id === null ? [] : [{ operator, value: id }])),
  );
  // An unknown id adds nothing to a set, which others may still fill.
  const requestsUnknown = conditions.some(({ id, operator }) => id === null && operator === 'eq');
  if (lower > upper || (equal === null && requestsUnknown)) return NO_MATCH;
  if (equal === null) return { kind: 'range', lower, upper, excluded: [...excluded] };
  const ids = [...equal].filter((id) => id >= lower && id <= upper && !excluded.has(id));
  return ids.length === 0 ? NO_MATCH : { kind: 'set', ids };
}

/** The ids that a filter leaves, as the bounds of a page. */
export function accountSelection(filter: AccountFilter): Pick<IntegerSelection, 'equal' | 'lower' | 'upper'> {
  return filter.kind === 'range'
    ? { equal: null, lower: filter.lower, upper: filter.upper }
    : { equal: new Set(filter.ids), lower: MIN_INT64, upper: MAX_INT64 };
}

/** Null when no account has the id, address or alias; a function where it has to be looked up. */
function accountOf(
  text: string,
  home: EntityHome,
  resolveAddress: ResolveAddress,
  resolveAlias: ResolveAlias,
): bigint | null | LookUp {
  const alias = looksLikeEntity(text) ? null : parseAliasText(text);
  if (alias !== null) return isOfHome(alias, home) ? () => resolveAlias(alias.alias) : null;
  const entity = parseEntityText(text, home);
  if (entity.kind === 'id') return entity.id;
  return entity.kind === 'evm-address' ? () => resolveAddress(entity.hex) : null;
}
