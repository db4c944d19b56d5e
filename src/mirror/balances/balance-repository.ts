import type { AccountFilter } from '../parameters/account-filter.ts';
import type { IntegerSelection } from '../parameters/integer-range.ts';
import type { PublicKeyFilter } from '../parameters/public-key-filter.ts';

/** Which balances a page asks for. */
export interface BalanceSelection {
  /** Null for all. */
  readonly accounts: AccountFilter | null;
  /** Tinybars. */
  readonly balance: IntegerSelection;
  /** Of the account as it is now, whatever the time; null for all. */
  readonly keys: PublicKeyFilter | null;
  /** By account. */
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

export interface AccountBalance {
  readonly account: bigint;
  /** Tinybars. */
  readonly balance: bigint;
}

export interface TokenBalance {
  readonly token: bigint;
  /** Smallest units, or the number of NFTs. */
  readonly balance: bigint;
}

/** The read side of balances; a time is that of a snapshot, null the newest state. */
export interface BalanceRepository {
  /** Known balances alone, in order. */
  page(selection: BalanceSelection, time: bigint | null): Promise<readonly AccountBalance[]>;
  /** In the order of the tokens. */
  tokensOf(
    account: bigint,
    limit: number,
    time: bigint | null,
    order: 'asc' | 'desc',
  ): Promise<readonly TokenBalance[]>;
  /** The time up to which the newest state is certain; null while no balance is known. */
  newestTime(): Promise<bigint | null>;
  /** The newest snapshot within the bounds, both inclusive. */
  newestSnapshot(lower: bigint, upper: bigint): Promise<bigint | null>;
}
