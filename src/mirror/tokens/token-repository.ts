import type { TokenKind } from '../ledger/facets/tokens.ts';
import type { IntegerSelection } from '../parameters/integer-range.ts';
import type { PublicKeyFilter } from '../parameters/public-key-filter.ts';

/** A token as lists show it. */
export interface ListedToken {
  readonly token: bigint;
  readonly kind: TokenKind;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: bigint;
  readonly metadata: Uint8Array | null;
  /** Serialized `Key`. */
  readonly adminKey: Uint8Array | null;
}

/** Which tokens a page shows; all conditions hold. */
export interface TokenSelection {
  readonly ids: IntegerSelection;
  /** Who is associated with the token; null for anyone. */
  readonly account: bigint | null;
  /** Null for both. */
  readonly kind: TokenKind | null;
  /** Of the admin key; null for any. */
  readonly keys: PublicKeyFilter | null;
  /** Parts of the name in one letter case. */
  readonly names: readonly string[];
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

/** A token with its entity and its fees; null is what the ledger did not tell. Keys are serialized. */
export interface TokenState {
  readonly token: bigint;
  readonly kind: TokenKind;
  /** Since when the token is so. */
  readonly changedTimestamp: bigint;
  readonly createdTimestamp: bigint | null;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: bigint;
  readonly initialSupply: bigint;
  readonly maxSupply: bigint;
  readonly totalSupply: bigint;
  readonly supplyType: string;
  readonly freezeDefault: boolean;
  readonly pauseStatus: string;
  readonly treasury: bigint | null;
  readonly metadata: Uint8Array | null;
  readonly feeScheduleKey: Uint8Array | null;
  readonly freezeKey: Uint8Array | null;
  readonly kycKey: Uint8Array | null;
  readonly metadataKey: Uint8Array | null;
  readonly pauseKey: Uint8Array | null;
  readonly supplyKey: Uint8Array | null;
  readonly wipeKey: Uint8Array | null;
  readonly entity: TokenEntity;
  readonly fees: CustomFeeLists | null;
}

/** What a token has in common with other entities. */
export interface TokenEntity {
  /** Since when it is so. */
  readonly changedTimestamp: bigint;
  readonly adminKey: Uint8Array | null;
  readonly memo: string | null;
  readonly autoRenewAccount: bigint | null;
  /** Seconds. */
  readonly autoRenewPeriod: bigint | null;
  readonly expiryTimestamp: bigint | null;
  readonly isDeleted: boolean | null;
}

/** Custom fees as JSON lists. */
export interface CustomFeeLists {
  readonly since: bigint;
  readonly fixed: string;
  readonly fractional: string;
  readonly royalty: string;
}

/** The read side of tokens. */
export interface TokenRepository {
  /** In the order of their numbers. */
  page(selection: TokenSelection): Promise<readonly ListedToken[]>;
  /**
   * @param at the token, its entity and its fees as they were at this time; null as they are.
   * @returns null where the token or its entity is not known, and where the fees were not yet known at the time.
   */
  find(token: bigint, at: bigint | null): Promise<TokenState | null>;
}
