import type { Clock } from '../../values/clock.ts';
import { printTimestamp } from '../../values/consensus-timestamp.ts';
import { printEntityId } from '../../values/entity-id.ts';
import { MAX_INT64 } from '../../values/int64.ts';
import { type ExactJson, printExactJson } from '../ledger/exact-json.ts';
import {
  accountSelection,
  parseAccountFilter,
  type ResolveAddress,
  type ResolveAlias,
} from '../parameters/account-filter.ts';
import { andIntegers } from '../parameters/anded-integers.ts';
import { checkParameters } from '../parameters/check-parameters.ts';
import { cursorPage } from '../parameters/cursor-page.ts';
import type { EntityHome } from '../parameters/entity-id-text.ts';
import { parseFilter } from '../parameters/filter-operator.ts';
import { type PageSettings, pageChecks, pageRequest } from '../parameters/page-parameters.ts';
import { isPublicKeyCondition, parsePublicKeyFilter } from '../parameters/public-key-filter.ts';
import { readQuery } from '../parameters/query-text.ts';
import { isTimestampCondition, timestampConditions } from '../parameters/timestamp-text.ts';
import { isAccountOrName, refuseSeveralNames } from './account-names.ts';
import type {
  AccountBalance,
  BalanceRepository,
  BalanceSelection,
  TokenBalance,
} from './balance-repository.ts';
import { findSnapshot } from './balance-snapshots.ts';

export interface ListBalancesDependencies {
  readonly balances: BalanceRepository;
  readonly clock: Clock;
  readonly resolveAddress: ResolveAddress;
  readonly resolveAlias: ResolveAlias;
  readonly home: EntityHome;
  readonly page: PageSettings;
  /** Values per parameter name. */
  readonly maxRepeated: number;
  /** Tokens of each account in the list; the account's own document shows more. */
  readonly maxTokens: number;
}

interface BalancesAnswer {
  readonly json: string;
  readonly next: string | null;
}

const BALANCE = /^\d{1,19}$/;
const NANOS_PER_MILLISECOND = 1_000_000n;

/**
 * Answers `GET /api/v1/balances`: the newest state, or with `timestamp` that of a snapshot.
 *
 * @throws MirrorApiError 400 for bad parameters.
 * @see contracts/mirror-entities.md section 5
 */
export async function listBalances(
  target: string,
  dependencies: ListBalancesDependencies,
): Promise<BalancesAnswer> {
  const { balances, clock, home, maxRepeated, maxTokens, page, resolveAddress, resolveAlias } = dependencies;
  const values = checkParameters(readQuery(target), balanceChecks(page), maxRepeated, 'query');
  refuseSeveralNames(values.get('account.id') ?? []);
  const accounts = await parseAccountFilter(
    values.get('account.id') ?? [],
    home,
    resolveAddress,
    resolveAlias,
  );
  const conditions = timestampConditions(values.get('timestamp') ?? []);
  const now = BigInt(clock.now()) * NANOS_PER_MILLISECOND;
  const snapshot = conditions.length === 0 ? null : await findSnapshot(conditions, now, balances);
  if (conditions.length > 0 && snapshot === null) return print(null, [], null);

  const request = pageRequest(values, page);
  const balance = andIntegers(
    (values.get('account.balance') ?? [])
      .map(parseFilter)
      .filter((filter) => filter !== null)
      .map(({ operator, value }) => ({ operator, value: BigInt(value) })),
  );
  const keys = parsePublicKeyFilter(values.get('account.publickey') ?? []);
  if (accounts === 'none' || keys === 'none' || balance.lower > balance.upper) {
    return print(null, [], null);
  }
  // One more tells whether a page follows.
  const { order } = request;
  const selection: BalanceSelection = { accounts, balance, keys, order, limit: request.limit + 1 };
  const found = await balances.page(selection, snapshot);
  const { next, shown } = cursorPage({
    cursor: {
      parameter: 'account.id',
      of: ({ account }) => account,
      print: printEntityId,
      selection: accounts === null ? null : accountSelection(accounts),
    },
    found,
    page,
    request,
    target,
    values,
  });
  const ids = shown.map(({ account }) => account);
  const tokens = await balances.tokensOfEach(ids, maxTokens, snapshot, order);
  const items = shown.map(
    ({ account, balance }): ExactJson => ({
      account: printEntityId(account),
      balance,
      tokens: (tokens.get(account) ?? []).map(tokenJson),
    }),
  );
  return print(snapshot?.at ?? newestTime(shown), items, next);
}

/** One item of `tokens`. */
export function tokenJson({ balance, token }: TokenBalance): ExactJson {
  return { token_id: printEntityId(token), balance };
}

/** An empty list has no time. */
function print(time: bigint | null, items: readonly ExactJson[], next: string | null): BalancesAnswer {
  const timestamp = time === null || items.length === 0 ? null : printTimestamp(time);
  return { json: printExactJson({ timestamp, balances: items, links: { next } }), next };
}

function balanceChecks(page: PageSettings) {
  return {
    ...pageChecks(page),
    'account.id': isAccountOrName,
    'account.balance': (text: string) => {
      const filter = parseFilter(text);
      return filter !== null && BALANCE.test(filter.value) && BigInt(filter.value) <= MAX_INT64;
    },
    'account.publickey': isPublicKeyCondition,
    timestamp: isTimestampCondition,
  };
}

/** The greatest time at which a balance of the page is known; the first nanosecond when none tells one. */
function newestTime(rows: readonly AccountBalance[]): bigint {
  return rows.reduce((newest, { at }) => (at !== null && at > newest ? at : newest), 0n);
}
