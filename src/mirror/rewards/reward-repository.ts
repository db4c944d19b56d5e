import type { IntegerSelection } from '../parameters/integer-range.ts';

/** A staking reward that a transaction paid. */
export interface PaidReward {
  readonly at: bigint;
  /** Tinybars. */
  readonly amount: bigint;
}

/** Which rewards of an account a page asks for. */
export interface RewardSelection {
  /** Nanoseconds; nothing is excluded. */
  readonly times: Omit<IntegerSelection, 'excluded'>;
  /** By time. */
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

/** The read side of paid staking rewards. */
export interface RewardRepository {
  /** In order. */
  page(account: bigint, selection: RewardSelection): Promise<readonly PaidReward[]>;
}
