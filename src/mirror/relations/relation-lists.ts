import { Type } from '@sinclair/typebox';
import type { Clock } from '../../values/clock.ts';
import { printEntityId } from '../../values/entity-id.ts';
import { answer, doWork, waitFor } from '../../values/work.ts';
import { type AccountWalk, type WalkRow, type WalkSteps, walkAccounts } from '../balances/account-walk.ts';
import { snapshotAt, timeOfPage } from '../balances/balance-list.ts';
import type { AccountBalance } from '../balances/balance-repository.sql.ts';
import type { BalanceSnapshots } from '../balances/balance-snapshots.sql.ts';
import type { Snapshot, SnapshotHolder } from '../balances/balance-snapshots.ts';
import { flag, id, integer, itemOf, text, time } from '../lists/fields.ts';
import { knownAccount, type ListContext, listOn, token } from '../lists/list.ts';
import { ALL_OF, ANY_OF, accounts, integers, publicKeys, tokens } from '../lists/parameters.ts';
import { byNumber, type IntegerSelection } from '../parameters/page-parameters.ts';
import type { PublicKeyFilter } from '../parameters/public-key-filter.ts';
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
  for (const token of asked.sort(byNumber(order, (token) => token))) {
    found.push(...(await relations.ofAccount(account, { lower: token, upper: token, order, limit: 1 })));
  }
  return found.slice(0, limit);
}

export const HOLDER = itemOf<AccountBalance<bigint> & { readonly decimals: bigint | null }>()(
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
  async rows(
    {
      'account.balance': balance,
      'account.id': { excluded, lower, upper },
      'account.publickey': keys,
      limit,
      order,
      subject: token,
      timestamp: snapshot,
    },
    context,
  ) {
    const accounts = { kind: 'range', lower, upper, excluded: [...excluded] } as const;
    const walk = { accounts, balance, keys, order, limit };
    const found = await doWork(walkAccounts(walk, holderSteps(token, snapshot, walk, context)), null);
    return found.flatMap(({ at, balance, id: account }) =>
      balance === null ? [] : [{ account, balance, at }],
    );
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

/** Holders along their accounts, as they are now or at a snapshot; their keys are those of now, contracts have none. */
function holderSteps(
  token: bigint,
  snapshot: Snapshot | null,
  { keys, order }: Pick<AccountWalk, 'keys' | 'order'>,
  { balances, relations }: RelationContext,
): WalkSteps<WalkRow & Pick<Holder, 'at'>> {
  const rowsOf = (read: Promise<readonly (SnapshotHolder & Partial<Holder>)[]>) =>
    waitFor(async () => {
      const found = await read;
      const keyOf = keys === null ? null : await relations.keysOf(found.map(({ account }) => account));
      return found.map(({ account: id, at = snapshot?.at ?? null, balance }) => ({
        ...{ id, balance, at },
        key: keyOf?.get(id) ?? null,
      }));
    });
  const withKeys = (wanted: PublicKeyFilter) => waitFor(() => relations.accountsWith(wanted));
  if (snapshot === null) {
    return {
      range: (lower, upper, limit) => rowsOf(relations.holders(token, { lower, upper, order, limit })),
      listed: (accounts) => rowsOf(relations.holdersAmong(token, accounts)),
      withKeys,
      withBalances: (wanted) => waitFor(() => relations.holdersWith(token, wanted)),
    };
  }
  return {
    range: (lower, upper, limit) =>
      rowsOf(balances.holdersAt(token, snapshot, { lower, upper, order, limit })),
    listed: (accounts) => rowsOf(balances.holdersAmongAt(token, snapshot, accounts)),
    withKeys,
    // Only current balances are indexed.
    withBalances: () => answer(null),
  };
}
