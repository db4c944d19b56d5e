import type { AndedIntegers } from '../parameters/anded-integers.ts';
import type { AccountWalk } from './account-walk.ts';
import type { BalanceSnapshots, Snapshot } from './balance-snapshots.ts';

/** Which balances a page asks for, by account; the keys are those of now, whatever the time. */
export interface BalanceSelection extends AccountWalk {
  readonly balance: AndedIntegers;
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
