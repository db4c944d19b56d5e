import { printTimestamp } from '../../values/consensus-timestamp.ts';
import { id, integer, itemOf, time } from '../lists/fields.ts';
import { knownAccount, type ListContext, listOn } from '../lists/list.ts';
import { ANY_OF, times } from '../lists/parameters.ts';
import type { PaidReward, RewardRepository } from './reward-repository.sql.ts';

export interface RewardContext extends ListContext {
  readonly rewards: RewardRepository;
}

const REWARD = itemOf<PaidReward & { readonly account: bigint }>()(
  {
    account_id: id(({ account }) => account),
    amount: integer(({ amount }) => amount, 'Tinybars.'),
    timestamp: time(({ at }) => at, 'Consensus time of the transaction that paid it.'),
  },
  'Reward',
);

/** Staking rewards that transactions paid to an account. @see contracts/mirror-entities.md sections 1.7 and 4 */
export const rewardList = listOn<RewardContext>()({
  path: '/api/v1/accounts/:idOrAliasOrEvmAddress/rewards',
  summary: 'Staking rewards paid to an account',
  name: 'rewards',
  title: 'RewardList',
  maxAgeSeconds: 60,
  order: ['desc', 'Order by time.'],
  subject: knownAccount(),
  parameters: {
    timestamp: times(ANY_OF, {
      withoutNe: 'Not equals (ne) operator is not supported for timestamp',
      description: 'When the reward was paid; several times without operator are alternatives.',
    }),
  },
  async rows({ limit, order, subject: account, timestamp: times }, { rewards }) {
    const paid = await rewards.page(account, { times, order, limit });
    return paid.map(({ amount, at }) => ({ account, amount, at }));
  },
  cursor: { parameter: 'timestamp', of: ({ at }) => at, print: printTimestamp },
  item: REWARD,
});
