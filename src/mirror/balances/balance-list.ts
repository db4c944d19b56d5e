import { type Clock, nanosNow } from '../../values/clock.ts';
import { printEntityId } from '../../values/entity-id.ts';
import { MirrorApiError, messages } from '../errors.ts';
import { id, integer, itemOf, listOf, time } from '../lists/fields.ts';
import { type ListContext, listOn } from '../lists/list.ts';
import {
  ALL_OF,
  accountFilter,
  type Described,
  integers,
  orAny,
  type Parameter,
  publicKeys,
  times,
} from '../lists/parameters.ts';
import { parseAliasText } from '../parameters/account-alias-text.ts';
import { isAccountCondition } from '../parameters/account-filter.ts';
import { parseFilter } from '../parameters/filter-operator.ts';
import { NO_MATCH } from '../parameters/no-match.ts';
import { isTimestampCondition, timestampConditions } from '../parameters/timestamp-text.ts';
import type { AccountBalance, BalanceRepository, TokenBalance } from './balance-repository.sql.ts';
import type { BalanceSnapshots } from './balance-snapshots.sql.ts';
import { findSnapshot, type Snapshot } from './balance-snapshots.ts';

interface SnapshotContext {
  readonly balances: BalanceSnapshots;
  readonly clock: Clock;
}

export interface BalanceContext extends ListContext, SnapshotContext {
  readonly balances: BalanceRepository;
  /** Tokens of each account in lists; the account's own document shows more. */
  readonly tokensInLists: number;
}

const HELD_TOKEN = itemOf<TokenBalance>()(
  { token_id: id(({ token }) => token), balance: integer(({ balance }) => balance) },
  'HeldToken',
);

/** The tokens of a row. */
export const heldTokens = listOf(
  HELD_TOKEN,
  ({ tokens }: { readonly tokens: readonly TokenBalance[] }) => tokens,
  'Tokens that the account holds, as far as they are known.',
);

/** The snapshot that times ask for; null without times, for what is so now. */
export const snapshotAt = (description: string): Parameter<Snapshot | null, SnapshotContext> => ({
  schema: times(ALL_OF, { description }).schema,
  check: isTimestampCondition,
  async read(texts, { balances, clock }) {
    if (texts.length === 0) return null;
    return (await findSnapshot(timestampConditions(texts), nanosNow(clock), balances)) ?? NO_MATCH;
  },
});

/** When the rows of a page were so: the greatest known time without a snapshot; null for an empty page. */
export function timeOfPage(
  snapshot: Snapshot | null,
  rows: readonly { readonly at: bigint | null }[],
): bigint | null {
  if (rows.length === 0) return null;
  return snapshot?.at ?? rows.reduce((newest, { at }) => (at !== null && at > newest ? at : newest), 0n);
}

/** Tinybars. */
export const accountBalance: Described = { each: 'Tinybars.' };
/** An account by its id, address or alias. */
export const accountOrName: Described = { each: 'Id, EVM address or alias with optional operator.' };
export const accountKey: Described = {
  each: 'Ed25519 key, compressed secp256k1 key or Ed25519 key as DER, in hex: accounts that have it now, also as the only member of a list or threshold. Operators compare the hex text.',
};

const BALANCE = itemOf<AccountBalance & { readonly tokens: readonly TokenBalance[] }>()(
  {
    account: id(({ account }) => account),
    balance: integer.orNull(({ balance }) => balance, 'Tinybars; null while unknown.'),
    tokens: heldTokens,
  },
  'AccountBalance',
);

/** The newest state, or with `timestamp` that of a snapshot. @see contracts/mirror-entities.md section 5 */
export const balanceList = listOn<BalanceContext>()({
  path: '/api/v1/balances',
  summary: 'List balances',
  name: 'balances',
  title: 'BalanceList',
  order: ['desc', 'Order by account.'],
  faultOrder: 'query',
  parameters: {
    'account.id': accountFilter({
      ...accountOrName,
      check: isAccountOrName,
      refuse: refuseSeveralNames,
      withAliases: true,
    }),
    'account.balance': orAny(integers(ALL_OF, accountBalance)),
    'account.publickey': publicKeys(accountKey),
    timestamp: snapshotAt(
      'Balances of the newest snapshot that meets all conditions: a time without operator means at or before it, ne excludes snapshots. Snapshots are taken every 15 minutes and found up to six months back.',
    ),
  },
  rows: (
    {
      'account.balance': balance,
      'account.id': accounts,
      'account.publickey': keys,
      limit,
      order,
      timestamp: snapshot,
    },
    { balances },
  ) => balances.page({ accounts, balance, keys, order, limit }, snapshot),
  cursor: { parameter: 'account.id', of: ({ account }) => account, print: printEntityId },
  async shown(rows, { order, timestamp: snapshot }, { balances, tokensInLists }) {
    const ids = rows.map(({ account }) => account);
    const tokens = await balances.tokensOfEach(ids, tokensInLists, snapshot, order);
    return rows.map(({ account, at, balance }) => ({
      account,
      at,
      balance,
      tokens: tokens.get(account) ?? [],
    }));
  },
  head: itemOf<bigint | null>()({ timestamp: time.orNull((at) => at) }),
  headOf: ({ timestamp: snapshot }, shown) => timeOfPage(snapshot, shown),
  item: BALANCE,
});

const EVM_ADDRESS = /^(?:0x)?[\dA-Fa-f]{40}$/;
const ENDS_AS_ADDRESS = /[\dA-Fa-f]{40}$/;
const ONLY_ONE = 'Only one EVM address or alias is allowed.';
const ONLY_EQUALS = 'EVM address or alias only supports equals operator';

/** The check of one `account.id`: a number, or an EVM address or alias without shard and realm. */
function isAccountOrName(text: string): boolean {
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
function refuseSeveralNames(texts: readonly string[]): void {
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
