import { type FormerStake, rewardAfter } from '../facets/stake-rule.ts';
import type { StakeSettings } from '../fold/fold-state.ts';
import { int64OrNull } from '../fold/int64-or-null.ts';

/** An account as it is when a staking period has ended. */
export interface StakingAccount {
  readonly id: bigint;
  /** Tinybars; null while unknown, which in a complete ledger is nothing. */
  readonly balance: bigint | null;
  /** Null when it is not staked to a node. */
  readonly stakedNode: bigint | null;
  readonly stakedAccount: bigint | null;
  readonly declinesReward: boolean;
  /** First nanosecond of the UTC day. */
  readonly stakePeriodStart: bigint | null;
  readonly isDeleted: boolean;
  readonly former: FormerStake | null;
}

/** What the end of a period asks of a database. */
interface PeriodEnd {
  /** Day since 1970. */
  readonly day: bigint;
  /** The account that pays rewards always gets a row. */
  readonly rewardAccount: bigint;
  readonly rateOf: (node: bigint) => bigint | null;
  readonly rateYearBefore: (node: bigint) => bigint | null;
}

/** A row to be. */
interface EndedStake {
  readonly account: bigint;
  readonly pendingReward: bigint;
  /** −1 for none. */
  readonly stakedNode: bigint;
  readonly stakedToMe: bigint;
  readonly stakeTotal: bigint;
}

const DAY_NANOS = 86_400_000_000_000n;
const NO_NODE = -1n;

/** @param settings null where there are none */
export function stakingAccount(
  id: bigint,
  balance: bigint | null,
  settings: StakeSettings | null,
  former: FormerStake | null,
): StakingAccount {
  const number = (name: keyof StakeSettings) => (settings?.[name] ?? null) as bigint | null;
  return {
    id,
    balance,
    stakedNode: number('stakedNode'),
    stakedAccount: number('stakedAccount'),
    declinesReward: Number(number('declinesReward')) === 1,
    stakePeriodStart: number('stakePeriodStart'),
    isDeleted: Number(number('isDeleted')) === 1,
    former,
  };
}

/** The node to which an account is staked with a reward; null for none. */
function rewardedNode({ declinesReward, stakedNode }: StakingAccount): bigint | null {
  return stakedNode === null || stakedNode < 0n || declinesReward ? null : stakedNode;
}

/**
 * The row of an account at the end of a period; null when it gets none.
 *
 * @param stakedToMe tinybars of those that are staked to it
 */
export function endedStake(
  account: StakingAccount,
  stakedToMe: bigint,
  period: PeriodEnd,
): EndedStake | null {
  const { former, id } = account;
  const node = rewardedNode(account);
  if (node === null && id !== period.rewardAccount) return null;
  const ended = {
    day: period.day,
    rate: former === null ? null : period.rateOf(former.node),
    rateYearBefore: former === null ? null : period.rateYearBefore(former.node),
  };
  const start = account.stakePeriodStart === null ? NO_NODE : account.stakePeriodStart / DAY_NANOS;
  return {
    account: id,
    pendingReward: rewardAfter(former, start, ended),
    stakedNode: node ?? NO_NODE,
    stakedToMe: int64OrNull(stakedToMe) ?? 0n,
    stakeTotal: node === null ? 0n : (int64OrNull((account.balance ?? 0n) + stakedToMe) ?? 0n),
  };
}
