import type { FreezeStatus, KycStatus } from '../ledger/rows.ts';
import type { AndedIntegers } from '../parameters/anded-integers.ts';
import type { PublicKeyFilter } from '../parameters/public-key-filter.ts';

/** Which part of a list is asked for, in the order of what it is ordered by; bounds are inclusive. */
export interface RelationRange {
  readonly lower: bigint;
  readonly upper: bigint;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

/** A token that an account holds; null is what the ledger does not tell. */
export interface AccountRelation {
  readonly token: bigint;
  /** Smallest units, or the number of NFTs. */
  readonly balance: bigint | null;
  readonly createdTimestamp: bigint | null;
  readonly isAutomatic: boolean | null;
  readonly decimals: bigint | null;
  /** That of the relation, else that of the token. */
  readonly freezeStatus: FreezeStatus | null;
  readonly kycStatus: KycStatus | null;
}

/** An account that has a token. */
export interface Holder {
  readonly account: bigint;
  /** Null while it is unknown, and where the account gave the token up. */
  readonly balance: bigint | null;
  /** When the balance changed; null where nothing tells. */
  readonly at: bigint | null;
}

/** The read side of relations between accounts and tokens, as they are now. */
export interface RelationRepository {
  /** The tokens that an account holds. */
  ofAccount(account: bigint, range: RelationRange): Promise<readonly AccountRelation[]>;
  /** The accounts that ever had a token: as many as the limit while there are more, also those without a balance. */
  holders(token: bigint, range: RelationRange): Promise<readonly Holder[]>;
  /** The same of a list of accounts, in any order. */
  holdersAmong(token: bigint, accounts: readonly bigint[]): Promise<readonly Holder[]>;
  /** The accounts between such balances of a token, in no order; null when they are many. */
  holdersWith(token: bigint, balance: AndedIntegers): Promise<readonly bigint[] | null>;
  /** Null for an unknown token. */
  decimalsOf(token: bigint): Promise<bigint | null>;
  /** The accounts that have such a key now, in no order; null when they are many. Contracts are left out. */
  accountsWith(keys: PublicKeyFilter): Promise<readonly bigint[] | null>;
  /** The public keys of those of the accounts that have one; contracts are left out. */
  keysOf(accounts: readonly bigint[]): Promise<ReadonlyMap<bigint, string>>;
}
