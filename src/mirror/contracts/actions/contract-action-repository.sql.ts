import { prepareSelect } from '../../../storage/sql/row-table.ts';
import type { Sql } from '../../../storage/sql/sql.ts';
import { CONTRACT_ACTION } from '../../ledger/facets/contract-actions.ts';
import type { ContractActionRepository } from './contract-action-repository.ts';

/** Reads the table `contract_action`. */
export function createContractActionRepository(sql: Sql): ContractActionRepository {
  const inOrder = (order: 'asc' | 'desc') =>
    prepareSelect(
      sql,
      CONTRACT_ACTION,
      `from contract_action where consensus_ts = ? and payer_id = ? and action_index between ? and ?
       order by action_index ${order} limit ?`,
    );
  const pages = { asc: inOrder('asc'), desc: inOrder('desc') };
  return {
    async page({ consensusTimestamp, limit, lower, order, payer, upper }) {
      return sql.read(() => pages[order].all(consensusTimestamp, payer, lower, upper, limit));
    },
  };
}
