import type { EntityId } from '../../../values/entity-id.ts';
import { column, type RowOf, stateTable } from '../../../values/stored-tables.ts';
import type { DecodedItem } from '../../items/decoded-item.ts';
import { accountId, type ResolveAlias, tokenId } from '../../items/ledger-ids.ts';
import type { CustomFee, TransactionBody } from '../../protobuf/message-types.ts';
import { RESULT } from '../../vocabulary/response-codes.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import type { FoldState } from '../fold/fold-state.ts';
import type { FreezeStatus, KycStatus, TokenRelation } from '../rows.ts';
import type { Facet } from './facet.ts';

/** The columns of `token_balance` that transfers do not change. */
export const TOKEN_RELATION = stateTable(
  'token_balance',
  { account: 'account_id', token: 'token_id' },
  {
    /** Null when it began before the imported part. */
    created: column<bigint | null>('created_ts'),
    /** 1 or 0; null where only the balance, or its time, shows that the account holds the token. */
    isAssociated: column<bigint | null>('associated'),
    isAutomatic: column<bigint | null>('automatic'),
    /** Null means that of the token. */
    freezeStatus: column<bigint | null>('freeze_status'),
    kycStatus: column<bigint | null>('kyc_status'),
  },
);
type RelationRow = RowOf<typeof TOKEN_RELATION>;

/** By the numbers in which they are stored. @see README of the cases, section tokens */
export const FREEZE_STATUSES: readonly FreezeStatus[] = ['NOT_APPLICABLE', 'FROZEN', 'UNFROZEN'];
export const KYC_STATUSES: readonly KycStatus[] = ['NOT_APPLICABLE', 'GRANTED', 'REVOKED'];

export function storedStatus<Status>(statuses: readonly Status[], status: Status): bigint {
  return BigInt(statuses.indexOf(status));
}

/** A relation of which nothing is known yet. */
export function newRelation(account: bigint, token: bigint): RelationRow {
  return {
    account,
    token,
    created: null,
    isAssociated: null,
    isAutomatic: null,
    freezeStatus: null,
    kycStatus: null,
  };
}

const NO_STATUS = { freezeStatus: null, kycStatus: null };

/**
 * Which tokens accounts hold since when, and whether they are frozen or known to the issuer there.
 * Rows are in the order of the transactions.
 *
 * A relation that ended stays as a row; one that begins again forgets what was said of the former. They are folded
 * with the balances, transaction by transaction: each tells something of the other.
 *
 * @see contracts/mirror-entities.md sections 11.2 and 11.4, docs/adr/0017-ledger-state-is-a-fold.md
 */
export const relations: Facet<'tokenRelations', TokenRelation> = {
  name: 'tokenRelations',

  decodeUnit: ({ isSuccessful, items, resolveAt }) => ({
    rows: items.flatMap((item) => decodeRelations(item, isSuccessful(item), resolveAt)),
  }),
};

/** @param mayBeHeld whether the account may hold the token already, should no relation be known */
export function changeRelation(change: TokenRelation, mayBeHeld: boolean, state: FoldState): void {
  const { account, consensusTimestamp: at, isAssociated, token } = change;
  const rows = state.rows(TOKEN_RELATION);
  const row = rows.get(account, token) ?? newRelation(account, token);
  if (isAssociated === false) {
    rows.set({ ...row, isAssociated: 0n });
  } else if (isAssociated === undefined) {
    rows.set({ ...row, isAssociated: 1n, ...statusOf(change, row) });
  } else if (row.isAssociated === 1n && (change.isIfMissing === true || row.created === at)) {
    return;
  } else if (change.isIfMissing === true && row.isAssociated === null && mayBeHeld) {
    // It began at a time that is not known.
    rows.set({ ...row, isAssociated: 1n });
  } else {
    rows.set({
      account,
      token,
      created: at,
      isAssociated: 1n,
      isAutomatic: change.isAutomatic === true ? 1n : 0n,
      ...statusOf(change, NO_STATUS),
    });
  }
}

function statusOf(
  change: { readonly freezeStatus?: FreezeStatus; readonly kycStatus?: KycStatus },
  before: Pick<RelationRow, 'freezeStatus' | 'kycStatus'>,
): Pick<RelationRow, 'freezeStatus' | 'kycStatus'> {
  const { freezeStatus, kycStatus } = change;
  return {
    freezeStatus:
      freezeStatus === undefined ? before.freezeStatus : storedStatus(FREEZE_STATUSES, freezeStatus),
    kycStatus: kycStatus === undefined ? before.kycStatus : storedStatus(KYC_STATUSES, kycStatus),
  };
}

type Change<Kind = TokenRelation> = Kind extends unknown
  ? Omit<Kind, 'account' | 'token' | 'consensusTimestamp'>
  : never;
type Add = (account: EntityId | null, token: EntityId | null, change: Change) => void;

const NONE: readonly TokenRelation[] = [];
/** Types whose body names relations; the records of others may list automatic associations. */
const RELATION_TYPES: ReadonlySet<number> = new Set([
  TYPE.TOKENCREATION,
  TYPE.TOKENFREEZE,
  TYPE.TOKENUNFREEZE,
  TYPE.TOKENGRANTKYC,
  TYPE.TOKENREVOKEKYC,
  TYPE.TOKENASSOCIATE,
  TYPE.TOKENDISSOCIATE,
  TYPE.TOKENCLAIMAIRDROP,
]);

/**
 * What an item changes of relations: by its body, and for accounts that were associated on the way.
 *
 * @see contracts/mirror-entities.md sections 11.1 step 8 and 11.4
 */
function decodeRelations(
  item: DecodedItem,
  isSuccessful: boolean,
  resolveAt: (item: DecodedItem) => ResolveAlias,
): readonly TokenRelation[] {
  const { consensusTimestamp, record, result, type } = item;
  const { automaticTokenAssociations: automatic } = record;
  const namesRelations = isSuccessful && RELATION_TYPES.has(type);
  // A failure that keeps its token transfers keeps the associations they made.
  const hasAutomatic = automatic.length > 0 && (isSuccessful || result === RESULT.FAIL_INVALID);
  if (!namesRelations && !hasAutomatic) return NONE;
  const resolve = resolveAt(item);
  const relations: TokenRelation[] = [];
  const add: Add = (account, token, change) => {
    if (account !== null && token !== null) relations.push({ ...change, account, token, consensusTimestamp });
  };
  if (namesRelations && type === TYPE.TOKENCREATION) addOfCreation(item, resolve, add);
  else if (namesRelations) addOfBody(item.body, resolve, add);
  if (hasAutomatic && type !== TYPE.TOKENCREATION) {
    for (const { accountId: account, tokenId: token } of automatic) {
      add(accountId(account, resolve), tokenId(token), { isAssociated: true, isAutomatic: true });
    }
  }
  return relations;
}

/** Whoever the record lists, or the treasury and the collectors that are paid in the new token. */
function addOfCreation({ body, record }: DecodedItem, resolve: ResolveAlias, add: Add): void {
  const { tokenCreation: created } = body;
  const token = tokenId(record.receipt?.tokenID ?? null);
  if (created === null) return;
  const { automaticTokenAssociations: listed } = record;
  const holders =
    listed.length > 0
      ? listed.map((each) => each.accountId)
      : [
          created.treasury,
          ...created.customFees.filter(isPaidInNewToken).map((fee) => fee.feeCollectorAccountId),
        ];
  const accounts = new Set(holders.map((holder) => accountId(holder, resolve)));
  for (const account of accounts) {
    add(account, token, {
      isAssociated: true,
      ...(created.freezeKey === null ? {} : { freezeStatus: 'UNFROZEN' }),
      ...(created.kycKey === null ? {} : { kycStatus: 'GRANTED' }),
    });
  }
}

function isPaidInNewToken({ fixedFee, fractionalFee }: CustomFee): boolean {
  const denomination = fixedFee?.denominatingTokenId ?? null;
  // Without a token the fee is in hbar; 0.0.0, which is no id, is the new one.
  return fractionalFee !== null || (denomination !== null && tokenId(denomination) === null);
}

function addOfBody(body: TransactionBody, resolve: ResolveAlias, add: Add): void {
  const { tokenAssociate: associate, tokenClaimAirdrop: claim, tokenDissociate: dissociate } = body;
  for (const token of associate?.tokens ?? []) {
    add(accountId(associate?.account ?? null, resolve), tokenId(token), { isAssociated: true });
  }
  for (const token of dissociate?.tokens ?? []) {
    add(accountId(dissociate?.account ?? null, resolve), tokenId(token), { isAssociated: false });
  }
  for (const { fungibleTokenType, nonFungibleToken, receiverId } of claim?.pendingAirdrops ?? []) {
    const token = tokenId(fungibleTokenType ?? nonFungibleToken?.token_ID ?? null);
    add(accountId(receiverId, resolve), token, { isAssociated: true, isIfMissing: true });
  }
  const { tokenFreeze, tokenGrantKyc, tokenRevokeKyc, tokenUnfreeze } = body;
  const named = tokenFreeze ?? tokenUnfreeze ?? tokenGrantKyc ?? tokenRevokeKyc;
  if (named === null) return;
  const isFreeze = tokenFreeze !== null || tokenUnfreeze !== null;
  add(
    accountId(named.account, resolve),
    tokenId(named.token),
    isFreeze
      ? { freezeStatus: tokenFreeze === null ? 'UNFROZEN' : 'FROZEN' }
      : { kycStatus: tokenRevokeKyc === null ? 'GRANTED' : 'REVOKED' },
  );
}
