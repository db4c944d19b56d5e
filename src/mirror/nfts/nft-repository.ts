import type { AndedIntegers } from '../parameters/anded-integers.ts';
import type { IntegerSelection } from '../parameters/integer-range.ts';
import type { PairScan } from '../parameters/two-part-scans.ts';

/** An NFT as it is now. */
export interface Nft {
  readonly token: bigint;
  readonly serial: bigint;
  /** Null once it was burned or wiped. */
  readonly account: bigint | null;
  readonly spender: bigint | null;
  readonly delegatingSpender: bigint | null;
  /** Null when the imported part does not tell. */
  readonly created: bigint | null;
  /** Time of the last change. */
  readonly changed: bigint;
  /** Whether it or its token was deleted. */
  readonly isDeleted: boolean;
  /** Null when the imported part does not tell. */
  readonly metadata: Uint8Array | null;
}

/** Which NFTs of a token a page asks for; all conditions hold for the same NFT. */
export interface TokenNftSelection {
  readonly token: bigint;
  readonly serials: AndedIntegers;
  /** Null for all, also for those that nobody has. */
  readonly accounts: AndedIntegers | null;
  /** By serial number. */
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

/** Which NFTs of an account a page asks for. */
export interface AccountNftSelection {
  readonly account: bigint;
  /** Ranges of token and serial number, in the order of the page. */
  readonly scans: readonly PairScan[];
  /** Null for all, also for those without a spender. */
  readonly spenders: IntegerSelection | null;
  /** By token, then serial number. */
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

/** Which transactions of an NFT a page asks for. */
export interface NftTransactionSelection {
  readonly token: bigint;
  readonly serial: bigint;
  readonly times: AndedIntegers;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

/** A transaction that changed an NFT. */
export interface NftTransaction {
  readonly consensusTimestamp: bigint;
  readonly payer: bigint;
  readonly validStart: bigint;
  readonly nonce: bigint;
  readonly type: number;
  readonly transfers: readonly NftMove[];
}

/** A transfer of any NFT, in the order of the record. */
export interface NftMove {
  readonly token: bigint;
  readonly sender: bigint | null;
  readonly receiver: bigint | null;
  readonly serial: bigint;
  readonly isApproval: boolean;
}

/** The read side of NFTs. */
export interface NftRepository {
  find(token: bigint, serial: bigint): Promise<Nft | null>;
  ofToken(selection: TokenNftSelection): Promise<readonly Nft[]>;
  ofAccount(selection: AccountNftSelection): Promise<readonly Nft[]>;
  /** Those that are stored at the times of the NFT's changes and of its token's deletion. */
  transactions(selection: NftTransactionSelection): Promise<readonly NftTransaction[]>;
}
