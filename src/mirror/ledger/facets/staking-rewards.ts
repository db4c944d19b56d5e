import { insertTable } from '../fold/tables.ts';
import type { Facet } from './facet.ts';

/** Staking rewards that a transaction paid, in the order of its record. */
export const stakingRewards: Facet = {
  transactionTables: [
    {
      table: insertTable('staking_reward', 2, ['consensus_ts', 'seq', 'account_id', 'amount']),
      addRows({ consensusTimestamp: ts, stakingRewards: rewards }, add) {
        let seq = 0;
        for (const { account, amount } of rewards) add([ts, seq++, account, amount]);
      },
    },
  ],
};
