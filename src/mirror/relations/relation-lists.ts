import { setImmediate } from 'node:timers/promises';
import { Type } from '@sinclair/typebox';
import type { Clock } from '../../values/clock.ts';
import { printEntityId } from '../../values/entity-id.ts';
import { STEPS_BEFORE_BALANCES } from '../balances/account-walk.ts';
import { snapshotAt, timeOfPage } from '../balances/balance-list.ts';
import type { BalanceSnapshots } from '../balances/balance-snapshots.sql.ts';
import type { Snapshot, SnapshotHolder } from '../balances/balance-snapshots.ts';
import { flag, id, integer, itemOf, text, time } from '../lists/fields.ts';
import { type ListContext, listOn } from '../lists/list.ts';
import { ALL_OF, ANY_OF, accounts, integers, publicKeys, tokens } from '../lists/parameters.ts';
import { knownAccount, token } from '../lists/paths.ts';
import { type AndedIntegers, isNarrow, meetsAll } from '../parameters/anded-integers.ts';
import type { IntegerSelection } from '../parameters/integer-range.ts';
import { LONGEST_STEP } from '../parameters/ordered-range.ts';
import type { PageRange, PageRequest } from '../parameters/page-parameters.ts';
import { type PublicKeyFilter, selectsKey } from '../parameters/public-key-filter.ts';
import type { AccountRelation, Holder, RelationRepository } from './relation-repository.sql.ts';

export interface RelationContext extends ListContext {
  readonly relations: RelationRepository;
  readonly balances: BalanceSnapshots;
  readonly clock: Clock;
}

const ID = '((\\d{1,10}\\.){0,2}\\d{1,12}|(0x)?[0-9A-Fa-f]{40})';

export const RELATION = itemOf<AccountRelation>()(
  {
    automatic_association: flag.orNull(
      ({ isAutomatic }) => isAutomatic,
      'Whether a transfer created the association.',
    ),
    balance: integer.orNull(({ balance }) => balance, 'Smallest units, or the number of NFTs.'),
    created_timestamp: time.orNull(({ createdTimestamp }) => createdTimestamp, 'Time of the association.'),
    decimals: integer.orNull(({ decimals }) => decimals),
    freeze_status: text.orNull(
      ({ freezeStatus }) => freezeStatus,
      'FROZEN, UNFROZEN or NOT_APPLICABLE; null if neither the relation nor the token determines it.',
    ),
    kyc_status: text.orNull(
      ({ kycStatus }) => kycStatus,
      'GRANTED, REVOKED or NOT_APPLICABLE; null if neither the relation nor the token determines it.',
    ),
    token_id: id(({ token }) => token),
  },
  'TokenRelation',
);

/** What an account holds now. @see contracts/mirror-entities.md section 4 */
export const accountTokenList = listOn<RelationContext>()({
  path: '/api/v1/accounts/:idOrAliasOrEvmAddress/tokens',
  summary: 'Tokens of an account',
  name: 'tokens',
  title: 'TokenRelationList',
  order: ['asc', 'Order by token.'],
  subject: knownAccount('Id, EVM address or alias of the account.'),
  parameters: {
    'token.id': tokens(ANY_OF, {
      pattern: ID,
      description: 'Id with optional operator; values with `eq` form one set.',
      withoutNe: 'Not equal (ne) comparison operator is not supported for token.id',
    }),
  },
  rows: ({ limit, order, subject: account, 'token.id': tokens }, { relations }) =>
    findRelations(account, tokens, order, limit, relations),
  cursor: { parameter: 'token.id', of: ({ token }) => token, print: printEntityId },
  item: RELATION,
});

async function findRelations(
  account: bigint,
  { equal, lower, upper }: IntegerSelection,
  order: 'asc' | 'desc',
  limit: number,
  relations: RelationRepository,
): Promise<readonly AccountRelation[]> {
  if (equal === null) return relations.ofAccount(account, { lower, upper, order, limit });
  const found: AccountRelation[] = [];
  const asked = [...equal].filter((token) => token >= lower && token <= upper);
  for (const token of asked.sort((a, b) => (a < b === (order === 'asc') ? -1 : 1))) {
    found.push(...(await relations.ofAccount(account, { lower: token, upper: token, order, limit: 1 })));
  }
  return found.slice(0, limit);
}

export const HOLDER = itemOf<KnownHolder & { readonly decimals: bigint | null }>()(
  {
    account: id(({ account }) => account),
    balance: integer(({ balance }) => balance, 'Smallest units, or the number of NFTs.'),
    decimals: integer.orNull(({ decimals }) => decimals),
  },
  'TokenBalance',
);

/** Who holds a token now, or with `timestamp` at a snapshot. @see contracts/mirror-entities.md section 6.4 */
export const holderList = listOn<RelationContext>()({
  path: '/api/v1/tokens/:tokenId/balances',
  summary: 'Holders of a token',
  name: 'balances',
  title: 'TokenBalanceList',
  order: ['desc', 'Order by account.'],
  subject: token(
    Type.String({ description: '`shard.realm.num`, `realm.num`, `num` or the long-zero address.' }),
  ),
  parameters: {
    'account.id': accounts(ALL_OF, {
      pattern: ID,
      description: 'All conditions apply to the same account.',
    }),
    'account.balance': integers(ALL_OF, { description: 'Smallest units; all conditions apply.' }),
    'account.publickey': publicKeys({
      description: 'Accounts that have the key now, excluding contracts; the last value applies.',
      lastCounts: true,
    }),
    timestamp: snapshotAt('The newest snapshot that meets the conditions; `eq` means at or before.'),
  },
  rows: (
    {
      'account.balance': balance,
      'account.id': accounts,
      'account.publickey': keys,
      limit,
      order,
      subject: token,
      timestamp: snapshot,
    },
    { balances, relations },
  ) => {
    const steps = snapshot === null ? holdersNow(token, relations) : holdersAt(token, snapshot, balances);
    return findHolders({ accounts, balance, keys, order, limit }, steps, relations);
  },
  cursor: { parameter: 'account.id', of: ({ account }) => account, print: printEntityId },
  async shown(holders, { subject: token }, { relations }) {
    const decimals = await relations.decimalsOf(token);
    return holders.map((holder) => ({ ...holder, decimals }));
  },
  head: itemOf<bigint | null>()({
    timestamp: time.orNull(
      (at) => at,
      'Time of the snapshot, or of the newest change in the list; null for an empty list.',
    ),
  }),
  headOf: ({ timestamp: snapshot }, shown) => timeOfPage(snapshot, shown),
  item: HOLDER,
});

function holdersNow(token: bigint, relations: RelationRepository): HolderSteps {
  return {
    range: (range) => relations.holders(token, range),
    listed: (listed) => relations.holdersAmong(token, listed),
    withBalances: (wanted) => relations.holdersWith(token, wanted),
  };
}

function holdersAt(token: bigint, snapshot: Snapshot, snapshots: BalanceSnapshots): HolderSteps {
  const atSnapshot = (found: readonly SnapshotHolder[]) =>
    found.map((each) => ({ ...each, at: snapshot.at }));
  return {
    range: async (range) => atSnapshot(await snapshots.holdersAt(token, snapshot, range)),
    // Only current balances are indexed.
    withBalances: async () => null,
    listed: async (accounts) => atSnapshot(await snapshots.holdersAmongAt(token, snapshot, accounts)),
  };
}

/** Which holders of a token a page asks for, by account. */
interface HolderSelection extends PageRequest {
  readonly accounts: AndedIntegers;
  readonly balance: AndedIntegers;
  /** Of the account as it is now, whatever the time; null for all. */
  readonly keys: PublicKeyFilter | null;
}

/** A holder whose balance is known. */
type KnownHolder = Holder & { readonly balance: bigint };

/** How a page meets holders. */
interface HolderSteps {
  /** As many accounts as the limit while there are more. */
  readonly range: (range: PageRange) => Promise<readonly Holder[]>;
  /** Those of a list, in any order. */
  readonly listed: (accounts: readonly bigint[]) => Promise<readonly Holder[]>;
  /** At least those with such a balance, when they are known to be few, else null. */
  readonly withBalances: (balance: AndedIntegers) => Promise<readonly bigint[] | null>;
}

/** Finds the holders of a page: along the accounts, in steps, or from a list, when few qualify. */
async function findHolders(
  { accounts, balance, keys, limit, order }: HolderSelection,
  steps: HolderSteps,
  relations: Pick<RelationRepository, 'accountsWith' | 'keysOf'>,
): Promise<readonly KnownHolder[]> {
  let { lower, upper } = accounts;
  const found: KnownHolder[] = [];
  const take = (holder: Holder): void => {
    if (accounts.excluded.has(holder.account) || !isKnown(holder) || !meetsAll(balance, holder.balance))
      return;
    if (found.length < limit) found.push(holder);
  };
  const takeListed = async (
    few: readonly bigint[],
    keysOfRest: PublicKeyFilter | null,
  ): Promise<readonly KnownHolder[]> => {
    const compare = (a: bigint, b: bigint) => (a < b === (order === 'asc') ? -1 : 1);
    const asked = few.filter((account) => account >= lower && account <= upper).sort(compare);
    for (let from = 0, count = limit; from < asked.length && found.length < limit; count = LONGEST_STEP) {
      const rows = await steps.listed(asked.slice(from, from + count));
      const sorted = rows.toSorted((a, b) => compare(a.account, b.account));
      for (const holder of await withKeys(sorted, keysOfRest, relations)) take(holder);
      from += count;
      if (count === LONGEST_STEP) await setImmediate();
    }
    return found;
  };
  const few = keys === null ? null : await relations.accountsWith(keys);
  if (few !== null) return takeListed(few, null);
  let count = limit;
  for (let step = 0; lower <= upper; step++) {
    // What was found lies before the rest of the range.
    const isCounted = step === STEPS_BEFORE_BALANCES && isNarrow(balance);
    const others = isCounted ? await steps.withBalances(balance) : null;
    if (others !== null) return takeListed(others, keys);
    const rows = await steps.range({ lower, upper, order, limit: count });
    for (const holder of await withKeys(rows, keys, relations)) take(holder);
    const last = rows.at(-1);
    if (found.length === limit || last === undefined || rows.length < count) return found;
    if (order === 'asc') lower = last.account + 1n;
    else upper = last.account - 1n;
    count = LONGEST_STEP;
    await setImmediate();
  }
  return found;
}

async function withKeys(
  rows: readonly Holder[],
  filter: PublicKeyFilter | null,
  { keysOf }: Pick<RelationRepository, 'keysOf'>,
): Promise<readonly Holder[]> {
  if (filter === null) return rows;
  const keys = await keysOf(rows.map(({ account }) => account));
  return rows.filter(({ account }) => {
    const key = keys.get(account);
    return key !== undefined && selectsKey(filter, key);
  });
}

function isKnown(holder: Holder): holder is KnownHolder {
  return holder.balance !== null;
}
