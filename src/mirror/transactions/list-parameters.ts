import { mapMaybe } from '../../values/map-maybe.ts';
import {
  type AccountFilter,
  isAccountCondition,
  parseAccountFilter,
  type ResolveAddress,
} from '../parameters/account-filter.ts';
import { checkParameters, type ParameterValues } from '../parameters/check-parameters.ts';
import type { EntityHome } from '../parameters/entity-id-text.ts';
import { isOneOf, operand, parseFilter } from '../parameters/filter-operator.ts';
import { NO_MATCH, type NoMatch } from '../parameters/no-match.ts';
import { type PageSettings, pageChecks, pageRequest, selectIntegers } from '../parameters/page-parameters.ts';
import type { QueryPair } from '../parameters/query-text.ts';
import { isTimestampCondition, timestampConditions } from '../parameters/timestamp-text.ts';
import { transactionTypeNumber } from '../vocabulary/transaction-types.ts';
import type { TransactionFilter } from './transaction-filter.ts';

/** What the list needs to know beside the query. */
export interface ListSettings extends PageSettings {
  /** Values per parameter name. */
  readonly maxRepeated: number;
  readonly home: EntityHome;
}

/** A checked query. */
export interface ListRequest {
  /** As sent, for the next link. */
  readonly values: ParameterValues;
  /** Null when no transaction can match. */
  readonly filter: TransactionFilter | null;
  /** True when one exact time was asked for, so that nothing can follow. */
  readonly isSingleTime: boolean;
}

/**
 * Checks the query of a list and turns it into a filter.
 *
 * @returns a promise only where an account has to be looked up.
 * @throws MirrorApiError 400 naming every bad parameter.
 */
type ListParser = (pairs: readonly QueryPair[]) => ListRequest | Promise<ListRequest>;

/** Prepares the checks once. @see contracts/mirror-transactions.md section 3.1, contracts/seed.txt section 4.4 */
export function createListParser(settings: ListSettings, resolveAddress: ResolveAddress): ListParser {
  const checks = { 'account.id': isAccountCondition, ...listChecks(settings) };
  return (pairs) => {
    const values = checkParameters(pairs, checks, settings.maxRepeated);
    const texts = values.get('account.id');
    const accounts = texts === undefined ? null : parseAccountFilter(texts, settings.home, resolveAddress);
    return mapMaybe(accounts, (found) => listRequest(values, settings, found));
  };
}

/** Turns checked values into a request; the accounts may come from elsewhere than the query. */
export function listRequest(
  values: ParameterValues,
  settings: ListSettings,
  accounts: AccountFilter | null | NoMatch,
): ListRequest {
  const last = (name: string) => values.get(name)?.at(-1);
  const all = (name: string) => values.get(name) ?? [];

  const times = selectIntegers(timestampConditions(all('timestamp')));
  const directions = new Set(all('type').map((text) => operand(text).toLowerCase()));
  const single = times.equal?.size === 1 ? [...times.equal][0] : undefined;
  const isImpossible =
    accounts === NO_MATCH ||
    directions.size > 1 ||
    (times.equal !== null && (single === undefined || times.excluded.has(single)));
  const lower = greatest(0n, single === undefined ? times.lower : greatest(single, times.lower));
  const upper = single === undefined ? times.upper : least(single, times.upper);
  const result = last('result');
  const direction = [...directions][0];
  const types = all('transactiontype').map((text) => transactionTypeNumber(operand(text)));

  return {
    values,
    isSingleTime: times.equal !== null,
    filter:
      isImpossible || lower > upper
        ? null
        : {
            lower,
            upper,
            excludedTimes: times.excluded,
            ...pageRequest(values, settings),
            isSuccessful: result === undefined ? null : operand(result).toLowerCase() === 'success',
            types: types.length === 0 ? null : [...new Set(types)].filter((type) => type !== null),
            direction: direction === 'credit' || direction === 'debit' ? direction : null,
            accounts,
          },
  };
}

/** The parameters of the list beside `account.id`. */
export function listChecks(settings: ListSettings) {
  return {
    ...pageChecks(settings),
    result: isOneOf('success', 'fail'),
    timestamp: isTimestampCondition,
    transactiontype: (text: string) => {
      const filter = parseFilter(text);
      return filter !== null && transactionTypeNumber(filter.value) !== null;
    },
    type: isOneOf('credit', 'debit'),
  };
}

function greatest(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
