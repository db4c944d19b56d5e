import { column, type RowOf, stateTable } from '../../../values/stored-tables.ts';
import type { FreezeStatus, KycStatus } from '../rows.ts';

/** The columns of `token_balance` that transfers do not change. */
export const TOKEN_RELATION = stateTable(
  'token_balance',
  { account: 'account_id', token: 'token_id' },
  {
    /** Null when it began before the imported part. */
    created: column<bigint | null>('created_ts'),
    /** 1 or 0; null where only the balance, or its time, tells that the account holds the token. */
    isAssociated: column<bigint | null>('associated'),
    isAutomatic: column<bigint | null>('automatic'),
    /** Null means that of the token. */
    freezeStatus: column<bigint | null>('freeze_status'),
    kycStatus: column<bigint | null>('kyc_status'),
  },
);
export type RelationRow = RowOf<typeof TOKEN_RELATION>;

/** By the numbers in which they are stored. @see README of the cases, section tokens */
export const FREEZE_STATUSES: readonly FreezeStatus[] = ['NOT_APPLICABLE', 'FROZEN', 'UNFROZEN'];
export const KYC_STATUSES: readonly KycStatus[] = ['NOT_APPLICABLE', 'GRANTED', 'REVOKED'];

export function storedStatus<Status>(statuses: readonly Status[], status: Status): bigint {
  return BigInt(statuses.indexOf(status));
}

/** A relation of which nothing was told yet. */
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
