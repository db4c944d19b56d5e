import type { AccountFilter } from '../parameters/account-filter.ts';
import type { AndedIntegers } from '../parameters/anded-integers.ts';
import type { PublicKeyFilter } from '../parameters/public-key-filter.ts';
import type { BalanceSnapshots, Snapshot } from './balance-snapshots.ts';

/** Which balances a page asks for. */
export interface BalanceSelection {
  /** Null for all. */
  readonly accounts: AccountFilter | null;
  /** Tinybars. */
  readonly balance: AndedIntegers;
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
  /** When it was last known to be so; null at the time of a snapshot, and where nothing tells. */
  readonly at: bigint | null;
}

export interface TokenBalance {
  readonly token: bigint;
  /** Smallest units, or the number of NFTs. */
  readonly balance: bigint;
}

/** The read side of balances. */
export interface BalanceRepository extends BalanceSnapshots {
  /** Known balances alone, in order: those of now without a snapshot. */
  page(selection: BalanceSelection, snapshot: Snapshot | null): Promise<readonly AccountBalance[]>;
  /** What {@link tokensOf} gives, of several accounts. */
  tokensOfEach(
    accounts: readonly bigint[],
    limit: number,
    snapshot: Snapshot | null,
    order: 'asc' | 'desc',
  ): Promise<ReadonlyMap<bigint, readonly TokenBalance[]>>;
  /** In the order of the tokens: what the account holds now without a snapshot. */
  tokensOf(
    account: bigint,
    limit: number,
    snapshot: Snapshot | null,
    order: 'asc' | 'desc',
  ): Promise<readonly TokenBalance[]>;
}
