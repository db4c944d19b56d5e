import { insertTable } from '../../../values/stored-tables.ts';
import { printExactJson } from '../exact-json.ts';
import type { Facet } from './facet.ts';

/** Custom fees that were assessed for a transaction, in the order of its record. */
export const assessedFees: Facet<never> = {
  transactionTables: [
    {
      table: insertTable('assessed_fee', 2, [
        'consensus_ts',
        'seq',
        'amount',
        'collector',
        'token_id',
        'effective_payers',
      ]),
      addRows({ assessedCustomFees, consensusTimestamp: ts }, add) {
        let seq = 0;
        for (const { amount, collector, effectivePayers, token } of assessedCustomFees) {
          add([ts, seq++, amount, collector, token, printExactJson(effectivePayers)]);
        }
      },
    },
  ],
};
