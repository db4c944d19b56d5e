import { prepareSelect, type Sql } from '../../../storage/sql/sql.ts';
import { CONTRACT_ACTION } from '../../ledger/facets/contract-actions.ts';
import type { PageRange } from '../../parameters/page-parameters.ts';

/** Which actions of a call a page shows, by their indexes. */
interface ActionSelection extends PageRange {
  readonly consensusTimestamp: bigint;
  readonly payer: bigint;
}

/** The traces of contract calls. */
export type ContractActionRepository = ReturnType<typeof createContractActionRepository>;

/** Reads the table `contract_action`. */
export function createContractActionRepository(sql: Sql) {
  const inOrder = (order: 'asc' | 'desc') =>
    prepareSelect(
      sql,
      CONTRACT_ACTION,
      `from contract_action where consensus_ts = ? and payer_id = ? and action_index between ? and ?
       order by action_index ${order} limit ?`,
    );
  const pages = { asc: inOrder('asc'), desc: inOrder('desc') };
  return {
    /** In the order of their indexes. */
    async page({ consensusTimestamp, limit, lower, order, payer, upper }: ActionSelection) {
      return sql.read(() => pages[order].all(consensusTimestamp, payer, lower, upper, limit));
    },
  };
}
