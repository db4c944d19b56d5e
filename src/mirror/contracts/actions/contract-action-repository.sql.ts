import type { Sql } from '../../../storage/sql/sql.ts';
import type { ContractActionRepository, ShownAction } from './contract-action-repository.ts';

type ActionRow = Omit<
  ShownAction,
  'callDepth' | 'callType' | 'index' | 'isCallerContract' | 'operation' | 'resultDataType'
> & {
  readonly callDepth: bigint;
  readonly callType: bigint;
  readonly index: bigint;
  readonly isCallerContract: bigint;
  readonly operation: bigint;
  readonly resultDataType: bigint;
};

/** Reads the table `contract_action`. */
export function createContractActionRepository(sql: Sql): ContractActionRepository {
  const inOrder = (order: 'asc' | 'desc') =>
    sql.prepareExact<unknown[], ActionRow>(
      `select consensus_ts as "consensusTimestamp", action_index as "index", call_depth as "callDepth",
         call_type as "callType", operation, caller_id as caller, is_caller_contract as "isCallerContract", gas,
         gas_used as "gasUsed", value, input, recipient_account_id as "recipientAccount",
         recipient_contract_id as "recipientContract", targeted_address as "targetedAddress",
         result_data as "resultData", result_data_type as "resultDataType"
       from contract_action
       where consensus_ts = ? and payer_id = ? and action_index between ? and ?
       order by action_index ${order} limit ?`,
    );
  const pages = { asc: inOrder('asc'), desc: inOrder('desc') };
  return {
    async page({ consensusTimestamp, limit, lower, order, payer, upper }) {
      const rows = await sql.read(() => pages[order].all(consensusTimestamp, payer, lower, upper, limit));
      return rows.map((row) => ({
        ...row,
        callDepth: Number(row.callDepth),
        callType: Number(row.callType),
        index: Number(row.index),
        isCallerContract: row.isCallerContract === 1n,
        operation: Number(row.operation),
        resultDataType: Number(row.resultDataType),
      }));
    },
  };
}
