import { printExactJson } from '../exact-json.ts';
import { insertTable } from '../fold/tables.ts';
import type { Facet } from './facet.ts';

/** Custom fees that were assessed for a transaction, in the order of its record. */
export const customFees: Facet = {
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
      rows: ({ assessedCustomFees, consensusTimestamp: ts }) =>
        assessedCustomFees.map(({ amount, collector, effectivePayers, token }, seq) => [
          ts,
          seq,
          amount,
          collector,
          token,
          printExactJson(effectivePayers),
        ]),
    },
  ],
};
