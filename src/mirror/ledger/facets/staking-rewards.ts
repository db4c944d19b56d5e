import { insertTable } from '../fold/tables.ts';
import type { Facet } from './facet.ts';

/** Staking rewards that a transaction paid, in the order of its record. */
export const stakingRewards: Facet = {
  transactionTables: [
    {
      table: insertTable('staking_reward', 2, ['consensus_ts', 'seq', 'account_id', 'amount']),
      rows: ({ consensusTimestamp: ts, stakingRewards: rewards }) =>
        rewards.map(({ account, amount }, seq) => [ts, seq, account, amount]),
    },
  ],
};
