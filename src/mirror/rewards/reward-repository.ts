import type { IntegerSelection } from '../parameters/integer-range.ts';
import type { PageRequest } from '../parameters/page-parameters.ts';

/** A staking reward that a transaction paid. */
export interface PaidReward {
  readonly at: bigint;
  /** Tinybars. */
  readonly amount: bigint;
}

/** Which rewards of an account a page asks for, by time. */
export interface RewardSelection extends PageRequest {
  /** Nanoseconds; nothing is excluded. */
  readonly times: Omit<IntegerSelection, 'excluded'>;
}

/** The read side of paid staking rewards. */
export interface RewardRepository {
  /** In order. */
  page(account: bigint, selection: RewardSelection): Promise<readonly PaidReward[]>;
}
