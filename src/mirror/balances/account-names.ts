import { MirrorApiError, messages } from '../errors.ts';
import { parseAliasText } from '../parameters/account-alias-text.ts';
import { isAccountCondition } from '../parameters/account-filter.ts';
import { parseFilter } from '../parameters/filter-operator.ts';

const EVM_ADDRESS = /^(?:0x)?[\dA-Fa-f]{40}$/;
const ENDS_AS_ADDRESS = /[\dA-Fa-f]{40}$/;
const ONLY_ONE = 'Only one EVM address or alias is allowed.';
const ONLY_EQUALS = 'EVM address or alias only supports equals operator';

/** The check of one `account.id`: a number, or an EVM address or alias without shard and realm. */
export function isAccountOrName(text: string): boolean {
  const value = parseFilter(text)?.value ?? '';
  return isName(value) || (isAccountCondition(text) && !ENDS_AS_ADDRESS.test(value));
}

/**
 * Refuses what `/balances` allows of numbers alone: several, and other operators than `eq`.
 *
 * @param texts checked values of `account.id`
 * @throws MirrorApiError 400
 * @see contracts/mirror-entities.md section 5
 */
export function refuseSeveralNames(texts: readonly string[]): void {
  const names = texts.map(parseFilter).filter((filter) => filter !== null && isName(filter.value));
  if (names.length > 1) throw refused(ONLY_ONE);
  if (names.some((filter) => filter?.operator !== 'eq')) throw refused(ONLY_EQUALS);
}

function isName(value: string): boolean {
  return EVM_ADDRESS.test(value) || (!value.includes('.') && parseAliasText(value) !== null);
}

function refused(detail: string): MirrorApiError {
  return new MirrorApiError(400, [{ message: messages.invalidParameter('account.id'), detail }]);
}
