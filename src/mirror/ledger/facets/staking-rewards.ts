import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { EntityId } from '../../../values/entity-id.ts';
import { appendTable, insertTable } from '../../../values/stored-tables.ts';
import { idIn, integer, required, time } from '../../items/fixture-members.ts';
import type { Facet } from './facet.ts';

/** A reward that a fixture tells without its transaction. */
export interface StatedReward {
  readonly account: EntityId;
  /** Tinybars. */
  readonly amount: bigint;
  readonly consensusTimestamp: ConsensusTimestamp;
}

const COLUMNS = ['consensus_ts', 'seq', 'account_id', 'amount'];
const STATED_REWARD = appendTable('staking_reward', 2, COLUMNS);
/** Beyond the rewards of a transaction of the same time. */
const FIRST_STATED = 1_000_000n;

/** Staking rewards that a transaction paid, in the order of its record. */
export const stakingRewards: Facet<'statedRewards', StatedReward> = {
  name: 'statedRewards',

  fixture: {
    kind: 'staking_reward',
    isReadLast: true,
    read(line, { home, transactions }) {
      const account = required(line, 'account_id', idIn(home));
      const consensusTimestamp = required(line, 'timestamp', time);
      const paying = transactions.find((each) => each.consensusTimestamp === consensusTimestamp);
      const isTold = paying?.stakingRewards.some((reward) => reward.account === account) === true;
      const amount = required(line, 'amount', integer);
      return { rows: isTold ? [] : [{ account, amount, consensusTimestamp }] };
    },
  },

  fold({ unit }, state) {
    for (const [index, { account, amount, consensusTimestamp: at }] of unit.statedRewards.entries()) {
      state.append(STATED_REWARD, [at, FIRST_STATED + BigInt(index), account, amount]);
    }
  },

  transactionTables: [
    {
      table: insertTable('staking_reward', 2, COLUMNS),
      addRows({ consensusTimestamp: ts, stakingRewards: rewards }, add) {
        let seq = 0;
        for (const { account, amount } of rewards) add([ts, seq++, account, amount]);
      },
    },
  ],
};
