import { stateTable } from '../fold/tables.ts';
import type { FreezeStatus, KycStatus } from '../rows.ts';

/** What is known of an account's holding of a token beside the balance. */
export interface RelationRow {
  readonly account: bigint;
  readonly token: bigint;
  /** Null when it began before the imported part. */
  readonly created: bigint | null;
  /** 1 or 0; null where only the balance tells that the account holds the token. */
  readonly isAssociated: bigint | null;
  readonly isAutomatic: bigint | null;
  /** Null means that of the token. */
  readonly freezeStatus: bigint | null;
  readonly kycStatus: bigint | null;
}

/** The columns of `token_balance` that transfers do not change. */
export const TOKEN_RELATION = stateTable<RelationRow>(
  'token_balance',
  { account: 'account_id', token: 'token_id' },
  {
    created: 'created_ts',
    isAssociated: 'associated',
    isAutomatic: 'automatic',
    freezeStatus: 'freeze_status',
    kycStatus: 'kyc_status',
  },
);

/** As they are stored. @see README of the cases, section tokens */
export const FREEZE_STATUS: Readonly<Record<FreezeStatus, bigint>> = {
  NOT_APPLICABLE: 0n,
  FROZEN: 1n,
  UNFROZEN: 2n,
};
export const KYC_STATUS: Readonly<Record<KycStatus, bigint>> = {
  NOT_APPLICABLE: 0n,
  GRANTED: 1n,
  REVOKED: 2n,
};

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
