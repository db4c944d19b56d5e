import { toBase32 } from '../../values/base32.ts';
import { type Clock, nanosNow } from '../../values/clock.ts';
import { printEntityId } from '../../values/entity-id.ts';
import { toHex } from '../../values/hex.ts';
import { accountBalance, accountKey, accountOrName, heldTokens } from '../balances/balance-list.ts';
import type { BalanceRepository, TokenBalance } from '../balances/balance-repository.sql.ts';
import { findSnapshot } from '../balances/balance-snapshots.ts';
import { MirrorApiError } from '../errors.ts';
import type { EntityReader, EntityState } from '../ledger/entity-reader.sql.ts';
import type { Stakes } from '../ledger/stakes.sql.ts';
import { pendingReward, type StakeRow } from '../ledger/stakes.ts';
import { Links } from '../list-schemas.ts';
import {
  type Fields,
  flag,
  hex,
  id,
  integer,
  itemOf,
  key,
  nested,
  stored,
  text,
  time,
} from '../lists/fields.ts';
import { account, type ListContext, listOn } from '../lists/list.ts';
import { oneOn } from '../lists/one.ts';
import { accountFilter, integers, orAny, type Parameter, publicKeys, yesOrNo } from '../lists/parameters.ts';
import { andIntegers } from '../parameters/anded-integers.ts';
import { readQuery, requestPath } from '../parameters/query-text.ts';
import { type TimestampCondition, timestampConditions } from '../parameters/timestamp-text.ts';
import { type listChecks, listRequest } from '../transactions/list-parameters.ts';
import { type ListDependencies, readPage } from '../transactions/list-transactions.ts';
import { EMPTY_PAGE } from '../transactions/page-text.ts';
import { TransactionListAnswer, TransactionListQuery } from '../transactions/schemas.ts';
import { longZeroOf } from '../vocabulary/long-zero-address.ts';
import type { AccountPages } from './account-pages.sql.ts';
import { entityTimes } from './entity-times.ts';
import { isMadeUpTreasury, treasuryOf } from './implied-treasury.ts';

export interface AccountContext extends ListContext {
  readonly accounts: AccountPages;
  readonly entities: EntityReader;
  readonly balances: BalanceRepository;
  readonly stakes: Stakes;
  readonly clock: Clock;
  /** Of the list of transactions. */
  readonly list: Omit<ListDependencies, 'resolveAddress'>;
  readonly transactionChecks: TransactionChecks;
  /** Tokens of each account in lists. */
  readonly tokensInLists: number;
  /** Tokens in the account's own document, ascending; more are not shown. */
  readonly tokensOfAccount: number;
}

interface ShownAccount {
  readonly entity: EntityState;
  /** Null where the answer leaves balances out. */
  readonly held: HeldBalance | null;
  /** At the same time; null without one. */
  readonly stake: StakeRow | null;
}

type WholeAccount = ShownAccount & {
  readonly held: HeldBalance;
  /** A page of transactions, stored as it is sent. */
  readonly transactions: string;
  readonly next: string | null;
};

type TransactionChecks = ReturnType<typeof listChecks>;

/** More tinybars than there are. */
const MAX_BALANCE = 5_000_000_000_000_000_000n;
const EVM_ADDRESS_LENGTH = 20;
const EMPTY_RANGE = 'Timestamp range is empty';

const HELD = itemOf<HeldBalance>()(
  {
    balance: integer.orNull(({ balance }) => balance),
    timestamp: time.orNull(({ timestamp }) => timestamp),
    tokens: heldTokens,
  },
  'Balance',
);

const beforeBalance = {
  account: id(({ entity }) => entity.id),
  alias: text.orNull(({ entity: { alias } }) => (alias === null ? null : toBase32(alias))),
  auto_renew_period: integer.orNull(({ entity }) => entity.autoRenewPeriod),
} satisfies Fields<ShownAccount>;
const afterBalance = {
  created_timestamp: time.orNull(({ entity }) => entity.createdTimestamp),
  decline_reward: flag(({ entity }) => entity.declinesReward ?? false),
  delegation_address: text(({ entity }) => delegation(entity.delegationAddress), '`0x` for none.'),
  deleted: flag.orNull(({ entity }) => entity.isDeleted),
  ethereum_nonce: integer.orNull(({ entity }) => entity.ethereumNonce),
  evm_address: hex(({ entity }) => evmAddressOf(entity)),
  expiry_timestamp: time.orNull(({ entity }) => entity.expiryTimestamp),
  key: key(({ entity }) => entity.key),
  max_automatic_token_associations: integer.orNull(({ entity }) => entity.maxAutomaticAssociations),
  memo: text(({ entity }) => entity.memo ?? ''),
  pending_reward: integer(({ entity, stake }) => pendingReward(stake, entity), 'Tinybars.'),
  receiver_sig_required: flag.orNull(({ entity }) => entity.isReceiverSigRequired),
  staked_account_id: id.orNull(({ entity }) => entity.stakedAccount),
  staked_node_id: integer.orNull(({ entity }) => entity.stakedNode),
  stake_period_start: time.orNull(({ entity }) => entity.stakePeriodStart),
} satisfies Fields<ShownAccount>;

/** An account as lists show it. @see contracts/mirror-entities.md section 2 */
const ACCOUNT = itemOf<ShownAccount>()(
  { ...beforeBalance, balance: nested(HELD).orNull(({ held }) => held), ...afterBalance },
  'Account',
);

/** The same with a page of transactions. @see contracts/mirror-entities.md section 3 */
export const WHOLE_ACCOUNT = itemOf<WholeAccount>()(
  {
    ...beforeBalance,
    balance: nested(HELD)(({ held }) => held),
    ...afterBalance,
    transactions: stored(
      TransactionListAnswer.properties.transactions,
      ({ transactions }) => `[${transactions}]`,
    ),
    links: stored(Links, ({ next }) => JSON.stringify({ next })),
  },
  'AccountWithTransactions',
);

/** The stored address, the alias that is one, or the number. */
function evmAddressOf({ alias, evmAddress, id }: EntityState): Uint8Array {
  if (evmAddress !== null) return evmAddress;
  return alias?.length === EVM_ADDRESS_LENGTH ? alias : longZeroOf(id);
}

/** Zeros take the address away. */
function delegation(address: Uint8Array | null): string {
  return address === null || address.every((byte) => byte === 0) ? '0x' : toHex(address);
}

/** Accounts and contracts by their ids, deleted ones too. @see contracts/mirror-entities.md section 2 */
export const accountList = listOn<AccountContext>()({
  path: '/api/v1/accounts',
  summary: 'List accounts',
  name: 'accounts',
  title: 'AccountList',
  maxAgeSeconds: 10,
  order: ['asc', 'Order by account, and of the tokens of each.'],
  faultOrder: 'query',
  parameters: {
    'account.id': accountFilter(accountOrName),
    // Whether nothing can meet it is decided where balances count.
    'account.balance': orAny(integers({ combine: andIntegers }, { ...accountBalance, most: MAX_BALANCE })),
    'account.publickey': publicKeys(accountKey),
    balance: yesOrNo(true, 'Whether the response includes balances and the filter on them applies.'),
  },
  async rows(
    {
      'account.balance': given,
      'account.id': accounts,
      'account.publickey': keys,
      balance: showsBalance,
      limit,
      order,
    },
    { accounts: pages, entities, names },
  ) {
    const balance = showsBalance ? given : null;
    if (balance !== null && balance.lower > balance.upper) return [];
    const treasury = treasuryOf(names.home);
    const isHidden = showsBalance && isMadeUpTreasury(await entities.find(treasury), names.home);
    const walked = await pages.page({ accounts, balance, keys, order, limit: isHidden ? limit + 1 : limit });
    return isHidden ? walked.filter((id) => id !== treasury) : walked;
  },
  cursor: { parameter: 'account.id', of: (account) => account, print: printEntityId },
  async shown(ids, { balance: showsBalance, order }, { balances, entities, stakes, tokensInLists }) {
    const stakeOf = await stakes.now(ids);
    const tokensOf = showsBalance ? await balances.tokensOfEach(ids, tokensInLists, null, order) : null;
    const states = await entities.findEach(ids);
    return ids.flatMap((id): readonly ShownAccount[] => {
      const entity = states.get(id);
      if (entity === undefined) return [];
      const { balance, balanceTimestamp: timestamp } = entity;
      const held = tokensOf && { balance, timestamp, tokens: tokensOf.get(id) ?? [] };
      return [{ entity, held, stake: stakeOf.get(id) ?? null }];
    });
  },
  item: ACCOUNT,
});

/** A parameter of the list of transactions, which reads it. */
const ofTransactions = (
  name: keyof TransactionChecks & keyof typeof TransactionListQuery.properties,
): Parameter<readonly string[], AccountContext> => ({
  schema: TransactionListQuery.properties[name],
  check: (text, { transactionChecks }) => transactionChecks[name](text),
  read: (texts) => texts,
});

/**
 * The newest state, or with `timestamp` that of a time, and a page of transactions.
 *
 * @see contracts/mirror-entities.md section 3
 */
export const oneAccount = oneOn<AccountContext>()({
  path: '/api/v1/accounts/:idOrAliasOrEvmAddress',
  summary: 'One account with its newest transactions',
  query: 'first',
  subject: account(),
  parameters: {
    limit: ofTransactions('limit'),
    order: ofTransactions('order'),
    timestamp: ofTransactions('timestamp'),
    transactiontype: ofTransactions('transactiontype'),
    transactions: yesOrNo(true, 'Whether the response includes transactions.'),
  },
  async find({ subject, timestamp, transactions }, context, { target, values }) {
    const { entities, list, names, stakes } = context;
    const times = timestampConditions(timestamp);
    const request = listRequest(values, list.settings, { kind: 'set', ids: [subject] });
    if (request.filter === null) throw new MirrorApiError(404, [{ message: EMPTY_RANGE }]);
    const isNow = times.length === 0;
    const entity = await (isNow ? entities.find(subject) : entities.findAt(subject, entityTimes(times)));
    if (entity === null || !isAccount(entity) || isMadeUpTreasury(entity, names.home)) return null;
    const held = await heldAt(entity, times, context);
    const stake = isNow
      ? ((await stakes.now([subject])).get(subject) ?? null)
      : await stakes.at(subject, entityTimes(times));
    const { next, page } = transactions
      ? await readPage(request, requestPath(target), list)
      : { next: null, page: EMPTY_PAGE };
    // Before its creation it is not found, so the page that ends with it is the last.
    const following = next === null ? null : await entities.findAt(subject, entityTimes(timesOf(next)));
    return { entity, held, stake, transactions: page.rows, next: following === null ? null : next };
  },
  item: WHOLE_ACCOUNT,
  nextOf: ({ next }) => next,
  maxAgeSeconds: 2,
});

function timesOf(target: string): readonly TimestampCondition[] {
  const texts = readQuery(target).filter(({ name }) => name === 'timestamp');
  return timestampConditions(texts.map(({ value }) => value));
}

/** Whatever has no other kind: what is known from transfers alone is an account. */
function isAccount({ type }: EntityState): boolean {
  return type === null || type === 'ACCOUNT' || type === 'CONTRACT';
}

/** What an account holds. */
interface HeldBalance {
  /** Tinybars. */
  readonly balance: bigint | null;
  readonly timestamp: bigint | null;
  readonly tokens: readonly TokenBalance[];
}

interface HeldDependencies {
  readonly balances: BalanceRepository;
  readonly clock: Clock;
  /** More are not shown. */
  readonly tokensOfAccount: number;
}

/**
 * What an account holds now, or held at the newest snapshot that the conditions leave: an account that it does not have
 * held nothing. Without a snapshot it is the balance of the state itself.
 *
 * @see contracts/mirror-entities.md section 3, balance
 */
async function heldAt(
  entity: EntityState,
  times: readonly TimestampCondition[],
  { balances, clock, tokensOfAccount }: HeldDependencies,
): Promise<HeldBalance> {
  const { balance, balanceTimestamp: timestamp, id } = entity;
  if (times.length === 0) {
    return { balance, timestamp, tokens: await balances.tokensOf(id, tokensOfAccount, null, 'asc') };
  }
  const snapshot = await findSnapshot(times, nanosNow(clock), balances);
  if (snapshot === null) return { balance, timestamp, tokens: [] };
  return {
    balance: (await balances.balanceAt(id, snapshot)) ?? 0n,
    timestamp: snapshot.at,
    tokens: await balances.tokensOf(id, tokensOfAccount, snapshot, 'asc'),
  };
}
